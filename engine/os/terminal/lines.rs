//! Questions in, lines of a pipe out: one line answers one question.

use super::cell::visible;
use super::prompt::{choices, default};
use super::{Aids, Person, Said, Screen, Stream, frame};
use crate::host::Wait;
use crate::machine::Question;
use crate::os::input::standard as standard_input;
use crate::source::MAX_BYTES;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Somebody at the other end of a pipe, or at a terminal that cannot be steered.
pub struct Lines {
    input: Arc<Mutex<Input>>,
    output: Mutex<Box<dyn Write + Send>>,
    screen: Screen,
    aids: Aids,
    /// Whether what is typed does not show by itself.
    echo: bool,
}

struct Input {
    reader: BufReader<Box<dyn Read + Send>>,
    /// Lines that were read for a question that nobody waited for any more.
    unclaimed: VecDeque<String>,
}

impl Lines {
    /// Asks through the given streams; each answer is written below its question.
    pub fn new(input: Box<dyn Read + Send>, output: Box<dyn Write + Send>, screen: Screen, aids: Aids) -> Lines {
        let input = Input {
            reader: BufReader::new(input),
            unclaimed: VecDeque::new(),
        };
        Lines {
            input: Arc::new(Mutex::new(input)),
            output: Mutex::new(output),
            screen,
            aids,
            echo: true,
        }
    }

    /// Asks through the standard streams of the process, past the locks that the program holds on them.
    pub fn standard(stream: Stream, screen: Screen, aids: Aids) -> io::Result<Lines> {
        let (input, output, echo) = standard(stream)?;
        let lines = Lines::new(input, output, screen, aids);
        Ok(Lines { echo, ..lines })
    }

    /// Returns the next line; nothing at the end.
    async fn line(&self) -> Option<String> {
        let (sender, receiver) = oneshot::channel();
        let input = Arc::clone(&self.input);
        // A thread of its own: a read from a pipe cannot be called off, and must not keep the program from ending.
        let reading = move || {
            let mut input = lock(&input);
            let Some(line) = input.next() else {
                return;
            };
            if let Err(line) = sender.send(line) {
                input.unclaimed.push_back(line);
            }
        };
        let spawned = std::thread::Builder::new().name("answers".to_owned()).spawn(reading);
        spawned.ok()?;
        receiver.await.ok()
    }

    fn print(&self, rows: &[String]) {
        let mut text = rows.join("\n");
        text.push('\n');
        self.write(&text);
    }

    fn write(&self, text: &str) {
        let mut output = lock(&self.output);
        // Where nobody reads the questions the answers may still be right.
        match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            Ok(()) | Err(_) => {}
        }
    }

    /// Reads lines until one fits.
    async fn answer(&self, question: &Question) -> Said {
        self.print(&frame::asked(question, self.screen));
        let options = frame::options(question, self.screen);
        if !options.is_empty() {
            self.print(&options);
        }
        loop {
            self.write("> ");
            let Some(line) = self.line().await else {
                self.write("\n");
                return Said::Nobody;
            };
            if self.echo {
                self.write(&format!("{}\n", visible(&line)));
            }
            if line.trim() == "?" && question.choice("?").is_none() {
                self.print(&[visible(&(self.aids.context)())]);
                continue;
            }
            match settle(question, &line) {
                Ok(answer) => return Said::Answer(answer),
                Err(why) => self.print(&[visible(&why)]),
            }
        }
    }
}

impl Person for Lines {
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Said> {
        Box::pin(async move { self.answer(&question).await })
    }
}

/// Shows a text on a stream of the process, past the locks that the program holds on it.
pub fn tell(stream: Stream, text: &str) {
    let Ok((_, mut output, _)) = standard(stream) else {
        return;
    };
    // Where nobody reads it, nobody misses it.
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) | Err(_) => {}
    }
}

/// Takes a line as an answer; an empty one takes the default of a menu.
fn settle(question: &Question, line: &str) -> Result<String, String> {
    if !line.trim().is_empty() || choices(question).is_empty() {
        return question.settle(line);
    }
    if let Some(at) = default(question) {
        return Ok(question.choices[at].key.clone());
    }
    let keys: Vec<&str> = question.choices.iter().map(|choice| choice.key.as_str()).collect();
    Err(format!("nothing was typed; choose one of {}", keys.join(", ")))
}

impl Input {
    fn next(&mut self) -> Option<String> {
        if let Some(line) = self.unclaimed.pop_front() {
            return Some(line);
        }
        let mut bytes = Vec::new();
        let mut limited = (&mut self.reader).take(MAX_BYTES as u64);
        let count = limited.read_until(b'\n', &mut bytes).unwrap_or(0);
        let text = String::from_utf8_lossy(&bytes);
        (count > 0).then(|| text.trim_end_matches(['\n', '\r']).to_owned())
    }
}

/// The streams of the process, and whether what comes in does not show by itself.
type Standard = (Box<dyn Read + Send>, Box<dyn Write + Send>, bool);

fn standard(stream: Stream) -> io::Result<Standard> {
    use std::io::IsTerminal;
    let echo = !std::io::stdin().is_terminal();
    Ok((Box::new(standard_input()?), Box::new(out(stream)?), echo))
}

#[cfg(unix)]
fn out(stream: Stream) -> io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    Ok(std::fs::File::from(match stream {
        Stream::Output => std::io::stdout().as_fd().try_clone_to_owned()?,
        Stream::Errors => std::io::stderr().as_fd().try_clone_to_owned()?,
    }))
}

#[cfg(windows)]
fn out(stream: Stream) -> io::Result<std::fs::File> {
    use std::os::windows::io::AsHandle;
    Ok(std::fs::File::from(match stream {
        Stream::Output => std::io::stdout().as_handle().try_clone_to_owned()?,
        Stream::Errors => std::io::stderr().as_handle().try_clone_to_owned()?,
    }))
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
