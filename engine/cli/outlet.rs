//! Text in, the same text out without secrets and without what a terminal obeys, until nobody reads it any more.

mod plain;

use crate::policy::secret::{Masker, Secrets};
use plain::{Kind, Plain};
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;

/// Takes the last line of a terminal away.
const CLEAR: &[u8] = b"\r\x1b[K";

/// Who reads what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A person.
    Text,
    /// A program, as JSON: what a terminal would obey is spelt out, and nothing is lost.
    Json,
    /// A program that shows it in a window of its own: every byte stays.
    Page,
}

/// A stream whose reader may go away: what is written after that is dropped, and the work goes on to its exit code.
pub(super) struct Outlet<'a> {
    stream: &'a mut dyn Write,
    masker: Masker,
    /// What takes out what a terminal would obey; none where every byte stays.
    plain: Option<Plain>,
    closed: bool,
    /// Whether it is a result that is written here, which must not be lost without a word.
    matters: bool,
}

impl<'a> Outlet<'a> {
    pub(super) fn new(stream: &'a mut dyn Write, secrets: Arc<Secrets>) -> Self {
        Self {
            stream,
            masker: Masker::new(secrets),
            plain: Some(Plain::default()),
            closed: false,
            matters: true,
        }
    }

    /// Makes a stream for what is told beside the work: where it takes nothing, nothing more is told, and the work goes on.
    pub(super) fn beside(stream: &'a mut dyn Write, secrets: Arc<Secrets>) -> Self {
        Self {
            matters: false,
            ..Self::new(stream, secrets)
        }
    }

    /// Lets colours through.
    #[must_use]
    pub(super) fn coloured(mut self, color: bool) -> Self {
        let kind = if color { Kind::Coloured } else { Kind::Text };
        self.plain = self.plain.map(|_| Plain::new(kind));
        self
    }

    /// Says in which form results are written.
    #[must_use]
    pub(super) fn formed(mut self, form: Form) -> Self {
        match form {
            Form::Text => {}
            Form::Json => self.plain = Some(Plain::new(Kind::Json)),
            Form::Page => self.plain = None,
        }
        self
    }

    /// Takes the last line of a terminal away.
    pub(super) fn clear_line(&mut self) -> io::Result<()> {
        // What was told before is on the line that goes.
        self.flush()?;
        if self.closed {
            return Ok(());
        }
        let outcome = self.stream.write_all(CLEAR);
        self.forgive(outcome, ())
    }

    /// Writes what holds no secret.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.plain {
            Some(plain) => self.stream.write_all(&plain.push(bytes)),
            None => self.stream.write_all(bytes),
        }
    }

    /// Says whether the reader is gone: work that only prints can stop.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Drops what is written from now on, and what is still on its way.
    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    fn forgive<T>(&mut self, outcome: io::Result<T>, instead: T) -> io::Result<T> {
        match outcome {
            Err(error) if error.kind() == ErrorKind::BrokenPipe || !self.matters => {
                self.closed = true;
                Ok(instead)
            }
            other => other,
        }
    }
}

impl Write for Outlet<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let given = self.masker.push(bytes);
        let outcome = self.pass(&given).map(|()| bytes.len());
        self.forgive(outcome, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        // Whoever flushes wants to see everything: what is held back may be no secret after all.
        let held = self.masker.finish();
        let passed = self.pass(&held);
        let rest = self.plain.as_mut().map(Plain::finish).unwrap_or_default();
        let outcome = passed
            .and_then(|()| self.stream.write_all(&rest))
            .and_then(|()| self.stream.flush());
        self.forgive(outcome, ())
    }
}

#[cfg(test)]
mod tests {
    use super::Outlet;
    use crate::policy::secret::Secrets;
    use std::io::{self, ErrorKind, Write};

    /// A pipe that takes so many bytes and then fails.
    struct Pipe(usize, ErrorKind);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(self.1.into());
            }
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn writing_to_a_reader_that_left_succeeds() {
        let mut pipe = Pipe(3, ErrorKind::BrokenPipe);
        let mut outlet = Outlet::new(&mut pipe, Secrets::common());
        outlet.write_all(b"abc").unwrap();
        assert!(!outlet.is_closed());
        outlet.write_all(b"def").unwrap();
        assert!(outlet.is_closed());
    }

    #[test]
    fn a_full_disk_is_still_an_error() {
        let mut pipe = Pipe(0, ErrorKind::StorageFull);
        let outcome = Outlet::new(&mut pipe, Secrets::common()).write_all(b"abc");
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn work_goes_on_where_nothing_can_be_told_beside_it() {
        let mut pipe = Pipe(0, ErrorKind::StorageFull);
        let mut outlet = Outlet::beside(&mut pipe, Secrets::common());
        outlet.write_all(b"abc").unwrap();
        assert!(outlet.is_closed());
    }
}
