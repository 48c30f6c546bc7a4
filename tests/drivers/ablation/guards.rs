//! The guards: where each stands, and what would stand there if nobody had thought of it.

/// Something that keeps a driver from being fooled.
pub(super) struct Guard {
    /// What it does, in words.
    pub(super) name: &'static str,
    /// The file it stands in.
    pub(super) file: &'static str,
    /// Its place in the file; only what stands between `«` and `»` is the guard, or all of it.
    pub(super) place: &'static str,
    /// What would stand there without it.
    pub(super) without: &'static str,
}

impl Guard {
    /// Returns what stands before the guard, the guard, and what stands after it.
    pub(super) fn parts(&self) -> (&'static str, &'static str, &'static str) {
        let Some((before, rest)) = self.place.split_once('«') else {
            return ("", self.place, "");
        };
        let (with, after) = rest.split_once('»').unwrap();
        (before, with, after)
    }

    /// Returns the place as it is written in the file.
    pub(super) fn code(&self) -> String {
        let (before, with, after) = self.parts();
        format!("{before}{with}{after}")
    }
}

const fn guard(name: &'static str, file: &'static str, place: &'static str, without: &'static str) -> Guard {
    Guard {
        name,
        file,
        place,
        without,
    }
}

const PROCESS: &str = "engine/drivers/process.rs";
const MOUTH: &str = "engine/drivers/mouth.rs";
const EAR: &str = "engine/drivers/ear.rs";
const PIDS: &str = "engine/drivers/pids.rs";
const HEARD: &str = "engine/drivers/heard.rs";
const CLI: &str = "engine/drivers/cli.rs";
const CLAUDE: &str = "engine/drivers/claude_code.rs";
const TROUBLE: &str = "engine/drivers/trouble.rs";
const RESET: &str = "engine/drivers/reset.rs";
const REPLY: &str = "engine/drivers/reply.rs";

/// The verdict over a call.
const VERDICT: &str = "(ended.killed, self.finish)";

/// Every guard, in the order of the files.
pub(super) const GUARDS: &[Guard] = &[
    guard(
        "who told its result may not stay for long",
        PROCESS,
        "(at(self.told, self.patience.linger), Killed::Lingered)",
        "(None, Killed::Lingered)",
    ),
    guard(
        "who is silent for too long is ended",
        PROCESS,
        "(at(Some(self.heard), self.patience.silence), Killed::Silent)",
        "(None, Killed::Silent)",
    ),
    guard(
        "who takes too long is ended",
        PROCESS,
        "(at(Some(self.began), self.patience.limit), Killed::Late)",
        "(None, Killed::Late)",
    ),
    guard(
        "what is written is a sign of life",
        PROCESS,
        "«self.heard = Instant::now();»\n        match ear.hear(",
        "",
    ),
    guard(
        "what is written for people is a sign of life",
        PROCESS,
        "count => {\n                «self.heard = Instant::now();»",
        "",
    ),
    guard(
        "whoever was ended did not end by itself",
        PROCESS,
        "(leash.end(&mut child).await, Some(why))",
        "(leash.end(&mut child).await, None)",
    ),
    guard(
        "who does not listen is ended by force",
        PROCESS,
        "«tree.force();»\n        match polite",
        "",
    ),
    guard(
        "pipes that somebody else holds open are waited for only a little",
        PROCESS,
        "drop(timeout(HELD, all).await);",
        "all.await;",
    ),
    guard(
        "a prompt is written while the program is heard",
        PROCESS,
        "«»let mut talk = Talk::with(",
        "if let Some(stdin) = child.stdin.as_mut() {
            tokio::io::AsyncWriteExt::write_all(stdin, job.input.as_bytes()).await.ok();
        }",
    ),
    guard(
        "messages are read while it works",
        PROCESS,
        "messages: «child.stderr.take()»,",
        "None",
    ),
    guard(
        "only the last messages are kept",
        PROCESS,
        "self.err.drain(..over);",
        "",
    ),
    guard(
        "messages are masked as they come",
        PROCESS,
        "self.masker.push(&bytes[..count])",
        "bytes[..count].to_vec()",
    ),
    guard(
        "whoever is left behind is ended",
        PROCESS,
        "match self.is_gone {
            true => pids::end_group(leader, Ending::Force),
            false => Tree::of(leader).force(),
        }
        pids::end_orphans(leader, &self.call);",
        "drop(leader);",
    ),
    guard(
        "whoever left the group is ended too",
        PROCESS,
        "pids::end_orphans(leader, &self.call);",
        "",
    ),
    guard(
        "whoever loses its parent becomes a child of the engine",
        PIDS,
        "rustix::process::set_child_subreaper(Some(rustix::process::getpid())).ok();",
        "",
    ),
    guard(
        "whoever threw our variables away is ended too",
        PIDS,
        "(is_nameless && !leading && table::is_orphan(pid))",
        "false",
    ),
    guard(
        "the input is closed after the prompt",
        MOUTH,
        "count == 0 || (self.taken == self.begun.len() && self.words.is_none())",
        "count == 0",
    ),
    guard(
        "of a line that is too long nothing is kept",
        EAR,
        "self.is_over |= self.begun.len() + bytes.len() > MAX_LINE;",
        "",
    ),
    guard("who writes without end is ended", EAR, "self.heard > MAX_ALL", "false"),
    guard(
        "much may be written before it is too much",
        EAR,
        "self.heard > MAX_ALL",
        "self.heard > 1 << 20",
    ),
    guard(
        "the last event is the verdict, not the exit code",
        HEARD,
        VERDICT,
        "(ended.killed, self.finish.filter(|_| ended.code == Some(0)))",
    ),
    guard(
        "who told its result before it was ended is done",
        HEARD,
        VERDICT,
        "(ended.killed, self.finish.filter(|_| ended.killed.is_none()))",
    ),
    guard(
        "exit code 0 is no result",
        HEARD,
        VERDICT,
        "(ended.killed, self.finish.or((ended.code == Some(0)).then_some(Finish::Done)))",
    ),
    guard(
        "an end is no result",
        HEARD,
        VERDICT,
        "(ended.killed, self.finish.or(ended.killed.is_none().then_some(Finish::Done)))",
    ),
    guard(
        "messages change no verdict",
        HEARD,
        VERDICT,
        "(ended.killed, self.finish.filter(|_| Trouble::in_words(&last_words(&ended.err)).is_none()))",
    ),
    guard(
        "a limit is believed although only messages tell of it",
        HEARD,
        "self.trouble = in_messages(ended);",
        "",
    ),
    guard(
        "the last words say why it ended",
        HEARD,
        "format!(\"{who} {how}{}\", «words(ended)»)",
        "String::new()",
    ),
    guard(
        "what was not allowed is why there is no reply",
        HEARD,
        "Err(_) if «!self.denied.is_empty()» =>",
        "false",
    ),
    guard(
        "what was not allowed is noted",
        HEARD,
        "if «!self.denied.is_empty()» {\n            self.notes",
        "false",
    ),
    guard(
        "an event is read however its keys are written",
        HEARD,
        "serde_json::from_str(&text).ok()",
        "serde_json::from_str::<Json>(&text).ok().filter(|it| it.to_string() == text)",
    ),
    guard(
        "an event is read although a byte of it is no UTF-8",
        HEARD,
        "let text = «String::from_utf8_lossy(line)»;",
        "String::from_utf8(line.to_vec()).ok()?.into()",
    ),
    guard(
        "a line that is no event is passed over",
        CLI,
        "«»if let Some(event) = event(line) {",
        "if event(line).is_none() { return Next::Flood; }",
    ),
    guard(
        "a line that is no event is no work",
        CLI,
        "«»if let Some(event) = event(line) {",
        "if event(line).is_none() { return Next::More; }",
    ),
    guard(
        "a line that is no event takes no result back",
        CLI,
        "«»if let Some(event) = event(line) {",
        "if event(line).is_none() { heard.go_on(); }",
    ),
    guard(
        "another conversation is noticed",
        CLI,
        "Some(got) if «got != asked» =>",
        "false",
    ),
    guard(
        "a conversation that is gone is begun anew",
        CLI,
        "!lost || turn.session.resume.is_none()",
        "true",
    ),
    guard(
        "a program that cannot be started is told from one that crashed",
        CLI,
        "self.unstarted(&why)",
        "why",
    ),
    guard(
        "the last event is heard",
        CLAUDE,
        "Some(\"result\") => «result(event, heard)»,",
        "",
    ),
    guard(
        "an event that nobody knows means nothing",
        CLAUDE,
        "Some(\"result\") => result(event, heard),\n            Some(_) | None => «{}»",
        "heard.go_on()",
    ),
    guard(
        "who tries again is not at its end",
        CLAUDE,
        "heard.waiting = Some(retried);",
        "heard.fail(retried);",
    ),
    guard(
        "a limit that is near is not reached",
        CLAUDE,
        "heard.note(\"a usage limit of the account is near\")",
        "heard.fail(Trouble::new(FailureKind::RateLimited, \"near\"))",
    ),
    guard(
        "the last result counts",
        CLAUDE,
        "heard.text = text(event, &[\"result\"]).unwrap_or_default().to_owned();",
        "if heard.text.is_empty() { heard.text = text(event, &[\"result\"]).unwrap_or_default().to_owned(); }",
    ),
    guard(
        "an error is one although it is called a success",
        CLAUDE,
        "at(event, &[\"is_error\"]).and_then(Json::as_bool) != Some(false)",
        "text(event, &[\"subtype\"]) != Some(\"success\")",
    ),
    guard(
        "what a model writes is no error",
        CLAUDE,
        "at(event, &[\"is_error\"]).and_then(Json::as_bool) != Some(false)",
        "Trouble::in_words(&heard.text).is_some()",
    ),
    guard(
        "an error says what kind it is",
        CLAUDE,
        "let trouble = «failure(event, heard)»;",
        "Trouble::new(FailureKind::Crashed, \"it failed\")",
    ),
    guard(
        "why a model stopped is looked at",
        CLAUDE,
        "text(event, &[\"stop_reason\"]).unwrap_or_default()",
        "\"\"",
    ),
    guard(
        "a stated moment is read",
        TROUBLE,
        "passes.then(|| Reset::in_words(&message)).flatten()",
        "None",
    ),
    guard(
        "a moment long ago is none",
        RESET,
        "(at > now - LONGEST && at < now + LONGEST).then_some(at)",
        "Some(at)",
    ),
    guard(
        "only an envelope is a reply",
        REPLY,
        "envelope(&text, broken)?",
        "envelope(&text, broken).unwrap_or_default()",
    ),
];

/// Scenarios that fail only where every turn does, and what they show.
pub(super) const PLAIN: &[(&str, &str)] = &[
    (
        "a good turn",
        "a turn without any trouble is done: the driver and its stand-in understand each other",
    ),
    (
        "words before the reply",
        "only the last event is read for the reply: there is nothing to take out",
    ),
    (
        "the result twice",
        "a result is set, never added to: there is nothing to take out",
    ),
    (
        "a prompt of 1 MB that nobody reads",
        "that a write fails is nobody's business; to wait for it would be to wait for ever, now and then",
    ),
];
