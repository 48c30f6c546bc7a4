//! The processes of this machine: who descends from whom, who carries a token, and how they are ended.
//!
//! A process is known by its number and its start, so that a number that was given anew is never mistaken for it.

mod table;
#[cfg(all(test, target_os = "linux"))]
#[expect(clippy::disallowed_methods, reason = "the tests start real processes")]
mod tests;

pub(super) use table::memory;

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The variable by which the processes of a run are found.
pub(super) const TOKEN: &str = "BMAD_RUN_TOKEN";
/// The variable by which the processes of one call are told from those of others.
pub(super) const CALL: &str = "BMAD_CALL_TOKEN";
/// How long a process may take to end after it was asked to.
pub(super) const GRACE: Duration = Duration::from_secs(5);
/// How often it is looked whether it has.
const GLANCE: Duration = Duration::from_millis(10);
/// How often survivors are searched again: a process may start another one while it is being ended.
const SEARCHES: usize = 8;

/// One process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Process {
    pid: u32,
    /// When it started, in ticks since the machine did.
    start: u64,
}

/// How a process is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// It is asked to end.
    Ask,
    /// It is held where it is, so that it starts nothing more.
    Hold,
    /// It is ended.
    Force,
}

/// Ends every process that carries the token of a run, wherever it hides, and returns how many there were.
///
/// Meant for a run that goes on after its engine died: nothing that belongs to it may still be writing. They have a moment
/// to end by themselves, unless there is haste.
pub fn end_survivors(token: &str, haste: &dyn Fn() -> bool) -> usize {
    end_within(token, GRACE, haste)
}

/// Says whether a process that is none of a run's agents has a file open to write it: a log, an editor, another program.
pub fn is_open_elsewhere(path: &Path, token: &str) -> bool {
    let agents: HashSet<u32> = carriers(token).into_iter().map(|process| process.pid).collect();
    let mut others = table::pids().into_iter().filter(|pid| !agents.contains(pid));
    others.any(|pid| table::writes(pid, path))
}

/// Says whether a process has ended or cannot but end: it was killed. It has ended also where who started it has not asked
/// about it yet.
pub fn is_over(pid: u32) -> bool {
    let is_told = || table::stat(pid).is_some_and(|stat| stat.is_dead || stat.is_ending);
    is_nobody(pid) || is_told()
}

/// Who leads the calls that are under way.
static LEADERS: Mutex<Option<HashSet<u32>>> = Mutex::new(None);

/// Makes this process the parent of whoever loses theirs below it, so that nobody gets away unseen.
pub(super) fn adopt() {
    #[cfg(target_os = "linux")]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        // Where the system refuses, those that left their group are found by their token on the next resume.
        ONCE.call_once(|| {
            rustix::process::set_child_subreaper(Some(rustix::process::getpid())).ok();
        });
    }
}

/// Notes that a process leads a call.
pub(super) fn lead(leader: u32) {
    leaders(|all| all.insert(leader));
}

/// Ends those that a call left behind in this process's care. Its leader is noted as gone.
///
/// Whoever carries no token belongs to the call only where it is the last one.
pub(super) fn end_orphans(leader: u32, call: &str) {
    let (others, leading) = leaders(|all| {
        all.remove(&leader);
        (all.clone(), !all.is_empty())
    });
    let entry = format!("{CALL}={call}");
    for pid in table::children()
        .into_iter()
        .filter(|pid| !others.contains(pid) && *pid != leader)
    {
        let environment = table::environment(pid);
        let mut names = environment.split(|byte| *byte == 0);
        let is_ours = names.any(|it| it == entry.as_bytes());
        let is_nameless = !environment
            .split(|byte| *byte == 0)
            .any(|it| it.starts_with(CALL.as_bytes()) || it.starts_with(TOKEN.as_bytes()));
        if is_ours || (is_nameless && !leading && table::is_orphan(pid)) {
            end_whole(pid);
        }
    }
}

/// Returns how many processes this one adopted and nobody ended.
pub(super) fn adopted() -> usize {
    orphans().len()
}

/// Ends them.
pub(super) fn end_adopted() {
    for pid in orphans() {
        end_whole(pid);
    }
}

/// Ends a child of this process and all below it.
fn end_whole(pid: u32) {
    Tree::of(pid).force();
    if let Some(stat) = table::stat(pid) {
        Process { pid, start: stat.start }.end(Ending::Force);
    }
    collect(pid);
}

fn orphans() -> Vec<u32> {
    let others = leaders(|all| all.clone());
    let alive = |pid: &u32| table::stat(*pid).is_some_and(|stat| !stat.is_dead);
    let mine = table::children().into_iter();
    mine.filter(|pid| !others.contains(pid) && alive(pid) && table::is_orphan(*pid))
        .collect()
}

/// Says whether a call left somebody behind in this process's care who is still at work.
pub(super) fn has_orphans(leader: u32, call: &str) -> bool {
    let entry = format!("{CALL}={call}");
    let is_ours = |pid: u32| {
        let environment = table::environment(pid);
        environment.split(|byte| *byte == 0).any(|it| it == entry.as_bytes())
    };
    table::children().into_iter().any(|pid| pid != leader && is_ours(pid))
}

fn leaders<T>(with: impl FnOnce(&mut HashSet<u32>) -> T) -> T {
    let mut all = LEADERS.lock().unwrap_or_else(PoisonError::into_inner);
    with(all.get_or_insert_default())
}

/// Takes a dead child out of the table of processes.
#[cfg(unix)]
fn collect(pid: u32) {
    use rustix::process::{Pid, WaitOptions, waitpid};
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return;
    };
    // One that is not gone yet is collected with this process.
    for _ in 0..SEARCHES {
        if !matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(None)) {
            return;
        }
        std::thread::sleep(GLANCE);
    }
}

#[cfg(not(unix))]
fn collect(_pid: u32) {}

fn end_within(token: &str, grace: Duration, haste: &dyn Fn() -> bool) -> usize {
    if token.is_empty() {
        return 0;
    }
    let mut ended = HashSet::new();
    for _ in 0..SEARCHES {
        let found = carriers(token);
        // Whoever was ended by force and is still there cannot be ended.
        if found.iter().all(|process| ended.contains(process)) {
            break;
        }
        end(&found, grace, haste);
        ended.extend(found);
    }
    ended.len()
}

/// Asks processes to end and ends those that do not.
fn end(processes: &[Process], grace: Duration, haste: &dyn Fn() -> bool) {
    for process in processes {
        process.end(Ending::Ask);
    }
    wait(processes, grace, haste);
    for process in processes {
        process.end(Ending::Force);
    }
    // One that was ended takes a moment to go; searched too soon it would be counted as still there.
    wait(processes, grace, &|| false);
}

/// Waits until processes are gone, for so long at most by the clock: on a busy machine a glance takes any time.
fn wait(processes: &[Process], most: Duration, haste: &dyn Fn() -> bool) {
    let until = Instant::now() + most;
    while Instant::now() < until && !haste() && processes.iter().any(|process| process.is_alive()) {
        std::thread::sleep(GLANCE);
    }
}

impl Process {
    /// Ends the process, where it is still the same one.
    pub(super) fn end(self, how: Ending) {
        if self.is_alive() {
            send(self.pid, how, Aim::One);
        }
    }

    fn is_alive(self) -> bool {
        table::stat(self.pid).is_some_and(|stat| stat.start == self.start && !stat.is_dead)
    }
}

/// A process that leads a group, and all below it.
pub(super) struct Tree {
    leader: u32,
    /// Those below it that were seen; they are kept here when their parents are gone.
    known: Vec<Process>,
}

impl Tree {
    pub(super) fn of(leader: u32) -> Self {
        Self {
            leader,
            known: Vec::new(),
        }
    }

    /// Asks all to end.
    pub(super) fn ask(&mut self) {
        // Tools of agents run in sessions of their own: the group alone would miss them.
        self.look();
        end_group(self.leader, Ending::Ask);
        self.known.iter().for_each(|process| process.end(Ending::Ask));
    }

    /// Ends all. They are held first: one that runs could start another one that nobody has seen.
    pub(super) fn force(&mut self) {
        end_group(self.leader, Ending::Hold);
        self.known.iter().for_each(|process| process.end(Ending::Hold));
        for _ in 0..SEARCHES {
            let before = self.known.len();
            self.look();
            self.known[before..]
                .iter()
                .for_each(|process| process.end(Ending::Hold));
            if self.known.len() == before {
                break;
            }
        }
        end_group(self.leader, Ending::Force);
        self.known.iter().for_each(|process| process.end(Ending::Force));
    }

    /// Adds those that descend from the leader or from one that is known.
    fn look(&mut self) {
        let all: Vec<(u32, table::Stat)> = table::pids()
            .into_iter()
            .filter_map(|pid| Some((pid, table::stat(pid)?)))
            .collect();
        let alive = self.known.iter().filter(|process| process.is_alive());
        let mut parents: Vec<u32> = alive.map(|process| process.pid).chain([self.leader]).collect();
        let mut at = 0;
        while let Some(parent) = parents.get(at).copied() {
            for (pid, stat) in all.iter().filter(|(_, stat)| stat.parent == parent && !stat.is_dead) {
                if !parents.contains(pid) {
                    parents.push(*pid);
                    self.known.push(Process {
                        pid: *pid,
                        start: stat.start,
                    });
                }
            }
            at += 1;
        }
    }
}

/// Ends the group that a process leads.
pub(super) fn end_group(leader: u32, how: Ending) {
    send(leader, how, Aim::Group);
}

/// Returns the processes that were started with the token of a run.
pub(super) fn carriers(token: &str) -> Vec<Process> {
    let entry = format!("{TOKEN}={token}");
    let own = std::process::id();
    let carries = |pid: &u32| {
        *pid != own
            && table::environment(*pid)
                .split(|byte| *byte == 0)
                .any(|it| it == entry.as_bytes())
    };
    let process = |pid: u32| {
        let stat = table::stat(pid).filter(|stat| !stat.is_dead)?;
        Some(Process { pid, start: stat.start })
    };
    table::pids().into_iter().filter(carries).filter_map(process).collect()
}

/// What a signal is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    One,
    Group,
}

/// Sends a signal; says whether anybody was there to get it.
#[cfg(unix)]
fn send(pid: u32, how: Ending, aim: Aim) -> bool {
    use rustix::process::{Signal, kill_process, kill_process_group};
    let signal = match how {
        Ending::Ask => Signal::TERM,
        Ending::Hold => Signal::STOP,
        Ending::Force => Signal::KILL,
    };
    let Some(pid) = number(pid) else {
        return false;
    };
    match aim {
        Aim::One => kill_process(pid, signal).is_ok(),
        Aim::Group => kill_process_group(pid, signal).is_ok(),
    }
}

#[cfg(not(unix))]
fn send(_pid: u32, _how: Ending, _aim: Aim) -> bool {
    false
}

/// Says whether the system knows no process of that number.
#[cfg(unix)]
fn is_nobody(pid: u32) -> bool {
    let asked = number(pid).map(rustix::process::test_kill_process);
    asked == Some(Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_nobody(_pid: u32) -> bool {
    false
}

/// Returns the number of a process as the system takes it.
#[cfg(unix)]
fn number(pid: u32) -> Option<rustix::process::Pid> {
    i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw)
}
