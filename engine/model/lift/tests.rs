//! What prose says, by example.
