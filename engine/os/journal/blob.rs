//! Lines with long texts in, lines that name blobs out; and back.
//!
//! A text of more than [`LIMIT`] bytes is kept in a file named by its SHA-256, and the line holds
//! `{"blob":"<sha256>"}` in its place. A map of the run's own whose first name is `blob` is written `~blob`, `~blob` is
//! written `~~blob`, and so on: no value can be taken for a reference.

use crate::machine::sha256;
use crate::os::private;
use memchr::memmem::Finder;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The longest text, as it is written in JSON, that stays in its line.
pub(super) const LIMIT: usize = 16 * 1024;

/// The end of a name that has to be looked at; inside a text the quote would be escaped.
const NAME_END: &[u8] = b"blob\":";

static NAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(NAME_END));

/// A text that is kept outside its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Blob {
    pub(super) sha256: String,
    pub(super) text: String,
}

/// Puts references in the place of long texts in the JSON that `buffer` holds from `start` on.
pub(super) fn pack(buffer: &mut Vec<u8>, start: usize, kept: &mut Vec<Blob>) -> Result<(), serde_json::Error> {
    let line = &buffer[start..];
    // A short line without the name has nothing to replace: nearly every line.
    if line.len() <= LIMIT && !has_name(line) {
        return Ok(());
    }
    let mut packed = Vec::with_capacity(line.len().min(4 * LIMIT));
    let (mut copied, mut at) = (0, 0);
    while let Some(open) = memchr::memchr(b'"', &line[at..]).map(|found| at + found) {
        let close = text_end(line, open + 1);
        let text = &line[open + 1..close];
        let named = line.get(close + 1) == Some(&b':');
        if named && line[..open].ends_with(b"{") && is_escapable(text) {
            packed.extend_from_slice(&line[copied..=open]);
            packed.push(b'~');
            copied = open + 1;
        } else if !named && text.len() > LIMIT {
            let text: String = serde_json::from_slice(&line[open..=close])?;
            let blob = Blob {
                sha256: sha256(text.as_bytes()),
                text,
            };
            packed.extend_from_slice(&line[copied..open]);
            packed.extend_from_slice(format!("{{\"blob\":\"{}\"}}", blob.sha256).as_bytes());
            copied = close + 1;
            kept.push(blob);
        }
        at = close + 1;
    }
    packed.extend_from_slice(&line[copied..]);
    buffer.truncate(start);
    buffer.extend_from_slice(&packed);
    Ok(())
}

/// Returns the place of the quote that ends a text.
fn text_end(line: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(found) = memchr::memchr2(b'"', b'\\', line.get(at..).unwrap_or(&[])) {
        if line[at + found] == b'"' {
            return at + found;
        }
        at += found + 2;
    }
    line.len()
}

fn is_escapable(name: &[u8]) -> bool {
    name.strip_suffix(b"blob")
        .is_some_and(|marks| marks.iter().all(|byte| *byte == b'~'))
}

/// Says whether a line may hold a reference or an escaped name.
pub(super) fn has_name(line: &[u8]) -> bool {
    NAME.find(line).is_some()
}

/// What stands behind a name that ends in `blob`.
enum Found<'a> {
    /// A reference: where it starts, where it ends, what it names.
    Reference(usize, usize, &'a str),
    /// A name with a mark too many, and where the mark is.
    Escaped(usize),
}

fn found(line: &[u8]) -> impl Iterator<Item = Result<Found<'_>, String>> {
    NAME.find_iter(line).filter_map(move |at| {
        let marks = line[..at].iter().rev().take_while(|byte| **byte == b'~').count();
        let start = line[..at - marks].strip_suffix(b"{\"")?.len();
        if marks > 0 {
            return Some(Ok(Found::Escaped(at - 1)));
        }
        let reference = line[at + NAME_END.len()..].split_first_chunk::<67>();
        let name = reference.and_then(|(text, _)| text.strip_prefix(b"\"")?.strip_suffix(b"\"}"));
        let name = name.filter(|name| name.iter().all(u8::is_ascii_hexdigit));
        Some(match name.and_then(|name| str::from_utf8(name).ok()) {
            Some(name) => Ok(Found::Reference(start, at + NAME_END.len() + 67, name)),
            None => Err("it names a blob that cannot be".to_owned()),
        })
    })
}

/// The folder that holds the blobs of a journal.
#[derive(Debug, Clone)]
pub(super) struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// Returns the folder for the journal at `path`.
    pub(super) fn beside(path: &Path) -> Self {
        Self {
            folder: path.with_file_name("blobs"),
        }
    }

    /// Puts the texts back in the place of their references.
    pub(super) fn unpack(&self, line: &[u8]) -> Result<Vec<u8>, String> {
        let mut unpacked = Vec::with_capacity(line.len());
        let mut copied = 0;
        for each in found(line) {
            match each? {
                Found::Escaped(mark) => {
                    unpacked.extend_from_slice(&line[copied..mark]);
                    copied = mark + 1;
                }
                Found::Reference(start, end, name) => {
                    unpacked.extend_from_slice(&line[copied..start]);
                    let text = self.read(name)?;
                    serde_json::to_writer(&mut unpacked, &text).map_err(|error| error.to_string())?;
                    copied = end;
                }
            }
        }
        unpacked.extend_from_slice(&line[copied..]);
        Ok(unpacked)
    }

    /// Reads every blob that a line names, and returns how many there are.
    pub(super) fn check(&self, line: &[u8]) -> Result<u64, String> {
        let mut count = 0;
        for each in found(line) {
            if let Found::Reference(_, _, name) = each? {
                self.read(name)?;
                count += 1;
            }
        }
        Ok(count)
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn read(&self, name: &str) -> Result<String, String> {
        let bytes = fs::read(self.folder.join(name)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("the blob `{name}` is missing"),
            _ => format!("the blob `{name}` cannot be read: {error}"),
        })?;
        if sha256(&bytes) != name {
            return Err(format!("the blob `{name}` was changed"));
        }
        String::from_utf8(bytes).map_err(|_| format!("the blob `{name}` is no text"))
    }

    /// Writes blobs; they are on the disk when this returns.
    pub(super) fn keep(&self, blobs: &[Blob]) -> io::Result<()> {
        if blobs.is_empty() {
            return Ok(());
        }
        private::make_folder(&self.folder)?;
        for blob in blobs {
            self.keep_one(blob)?;
        }
        private::sync_folder(&self.folder)
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn keep_one(&self, blob: &Blob) -> io::Result<()> {
        let path = self.folder.join(&blob.sha256);
        if fs::metadata(&path).is_ok_and(|there| there.len() == blob.text.len() as u64) {
            // Somebody who was killed since may have renamed it into place without waiting for the disk.
            return File::open(&path)?.sync_all();
        }
        let draft = self.folder.join(format!(".{}.draft", blob.sha256));
        let mut file = private::options()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&draft)?;
        file.write_all(blob.text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, &path)
    }
}
