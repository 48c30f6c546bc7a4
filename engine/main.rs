//! The program: arguments and streams in, an exit code out.

fn main() {}
