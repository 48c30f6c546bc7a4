//! A number of a process in, what the system tells about it out.

#[cfg(not(target_os = "linux"))]
pub(in crate::drivers) use elsewhere::{Stat, children, environment, is_orphan, memory, pids, stat, writes};
#[cfg(target_os = "linux")]
pub(in crate::drivers) use linux::{Stat, children, environment, is_orphan, memory, pids, stat, writes};

/// Linux tells about processes by files.
#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io::{self, Read};
    use std::path::Path;
    use std::time::Duration;

    /// How often an environment that is empty is read again.
    const LOOKS: usize = 200;
    /// How often it must be empty without a sign that the process is just becoming another program.
    const SURE: usize = 3;
    /// How often it is read without being opened again.
    const GLANCES: usize = 6;
    /// How long passes between two of those times.
    const GLANCE: Duration = Duration::from_micros(50);
    /// The flag of a process that ends itself.
    const EXITING: u64 = 4;
    /// How a process ends that was killed.
    const KILLED: &str = "9";
    /// How many bytes hardly any environment has.
    const ROOM: usize = 128 * 1024;
    /// How long becoming another program may take between two looks.
    const MOMENT: Duration = Duration::from_millis(1);

    pub(in crate::drivers) struct Stat {
        pub(in crate::drivers) parent: u32,
        pub(in crate::drivers) session: u32,
        pub(in crate::drivers) start: u64,
        pub(in crate::drivers) is_dead: bool,
        /// Whether it is on its way there and cannot leave it: it was killed, or it is tidying up after itself.
        pub(in crate::drivers) is_ending: bool,
        /// Whether it has memory of its own: what the system itself runs has none.
        has_memory: bool,
        /// Whether it has a place for its environment.
        has_place: bool,
    }

    impl Stat {
        /// Says whether it is just becoming another program: it has memory, and no place for its environment yet.
        fn is_becoming(&self) -> bool {
            self.has_memory && !self.has_place
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the system tells about processes by files")]
    pub(in crate::drivers) fn pids() -> Vec<u32> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let names = entries.flatten().map(|entry| entry.file_name());
        names.filter_map(|name| name.to_str()?.parse().ok()).collect()
    }

    /// Reads `pid (name) state parent …`; the name may hold anything, so what follows the last `)` counts.
    #[expect(clippy::disallowed_methods, reason = "the system tells about processes by files")]
    pub(in crate::drivers) fn stat(pid: u32) -> Option<Stat> {
        let bytes = fs::read(format!("/proc/{pid}/stat")).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let (_, rest) = text.rsplit_once(") ")?;
        let mut words = rest.split(' ');
        let state = words.next()?;
        let parent = words.next()?.parse().ok()?;
        // The state is the third word of the line, its flags are the ninth, and its start is the 22nd.
        let session = words.nth(1)?.parse().ok()?;
        let flags: u64 = words.nth(2)?.parse().ok()?;
        let start = words.nth(12)?.parse().ok()?;
        // The size of its memory is the next word, the place of its environment is the 50th, and how it ends is the 52nd,
        // as soon as that is settled.
        let has_memory = words.next()? != "0";
        let has_place = words.nth(26) != Some("0");
        let end = words.nth(1).map(str::trim_end);
        Some(Stat {
            parent,
            session,
            start,
            has_memory,
            has_place,
            is_dead: matches!(state, "Z" | "X"),
            is_ending: flags & EXITING != 0 || end == Some(KILLED),
        })
    }

    /// Returns those whom this process adopted, and the children that its first thread started: whoever loses their
    /// parent is given to that thread, while it lives.
    #[expect(clippy::disallowed_methods, reason = "the system tells about processes by files")]
    pub(in crate::drivers) fn children() -> Vec<u32> {
        let own = std::process::id();
        let list = fs::read_to_string(format!("/proc/self/task/{own}/children")).unwrap_or_default();
        list.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    }

    /// Says whether a process leads a group of its own without being of this process's making: it was adopted.
    pub(in crate::drivers) fn is_orphan(pid: u32) -> bool {
        stat(pid).is_some_and(|stat| stat.parent == std::process::id() && stat.session != own_session())
    }

    fn own_session() -> u32 {
        stat(std::process::id()).map_or(0, |stat| stat.session)
    }

    /// Says whether a process has a file open to write it; `path` is the file itself, not a link to it.
    #[expect(clippy::disallowed_methods, reason = "the system tells about processes by files")]
    pub(in crate::drivers) fn writes(pid: u32, path: &Path) -> bool {
        let Ok(open) = fs::read_dir(format!("/proc/{pid}/fd")) else {
            return false;
        };
        let is_it = |entry: &fs::DirEntry| fs::read_link(entry.path()).is_ok_and(|target| target == path);
        let writes = |entry: &fs::DirEntry| {
            let number = entry.file_name();
            let told = fs::read_to_string(Path::new(&format!("/proc/{pid}/fdinfo")).join(number));
            let told = told.unwrap_or_default();
            let flags = told.lines().find_map(|line| line.strip_prefix("flags:"));
            // The last digit says how: 0 only reads.
            flags.is_some_and(|flags| !flags.trim().ends_with(['0', '4']))
        };
        open.flatten().any(|entry| is_it(&entry) && writes(&entry))
    }

    /// Returns the most kilobytes that this process ever had in memory.
    #[expect(clippy::disallowed_methods, reason = "the system tells about processes by files")]
    pub(in crate::drivers) fn memory() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let words = line.and_then(|line| line.split_whitespace().next());
        words.and_then(|word| word.parse().ok()).unwrap_or(0)
    }

    /// Returns what a process was started with; nothing where it is not ours to know.
    pub(in crate::drivers) fn environment(pid: u32) -> Vec<u8> {
        let path = format!("/proc/{pid}/environ");
        told(|| fs::File::open(&path), || stat(pid))
    }

    /// Opens and reads an environment until it says something or surely is empty.
    ///
    /// While a process becomes another program it has nothing for a moment: looked at only then, it would get away. One
    /// that may not be read is another user's; what else is told of it looks as if it never became a program.
    fn told<R: Read>(open: impl Fn() -> io::Result<R>, stat: impl Fn() -> Option<Stat>) -> Vec<u8> {
        // It is there before the file is opened, which ends when its process becomes another program.
        let mut room = vec![0; ROOM];
        let mut empty = 0;
        for _ in 0..LOOKS {
            let Ok(mut file) = open() else { break };
            match in_one_piece(&mut file, &mut room) {
                Ok(read) if read.is_empty() => {}
                Ok(read) => return read,
                Err(_) => break,
            }
            match stat() {
                Some(stat) if stat.is_dead || !stat.has_memory => break,
                Some(stat) if stat.is_becoming() => {}
                Some(_) if empty < SURE => empty += 1,
                Some(_) | None => break,
            }
            if let Some(read) = glances(&mut file, &mut room) {
                return read;
            }
            std::thread::sleep(MOMENT);
        }
        Vec::new()
    }

    /// Reads a file again that had nothing to say yet: it is opened as soon as a process has become another program, and says
    /// what it was started with a moment later. Opened again and again, it would be met at that same moment each time.
    fn glances(file: &mut impl Read, room: &mut [u8]) -> Option<Vec<u8>> {
        (0..GLANCES).find_map(|_| {
            std::thread::sleep(GLANCE);
            in_one_piece(file, room).ok().filter(|read| !read.is_empty())
        })
    }

    /// Reads a file by as few calls as there can be: it ends for whoever reads it where, between two of them, its process
    /// becomes another program.
    fn in_one_piece(file: &mut impl Read, room: &mut [u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let read = file.read(room)?;
            bytes.extend_from_slice(&room[..read]);
            if read < room.len() {
                return Ok(bytes);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::{LOOKS, SURE, Stat, told};
        use std::cell::Cell;
        use std::io;

        const BECOMING: Stat = Stat {
            parent: 1,
            session: 1,
            start: 1,
            is_dead: false,
            is_ending: false,
            has_memory: true,
            has_place: false,
        };
        const ALIVE: Stat = Stat {
            has_place: true,
            ..BECOMING
        };
        const OF_THE_SYSTEM: Stat = Stat {
            has_memory: false,
            ..BECOMING
        };

        /// Returns how often an environment is opened that says this.
        fn looks(says: fn() -> io::Result<&'static [u8]>, stat: fn() -> Stat) -> usize {
            let count = Cell::new(0);
            let counted = || {
                count.set(count.get() + 1);
                says()
            };
            told(counted, || Some(stat()));
            count.get()
        }

        #[test]
        fn what_may_not_be_read_is_asked_for_once() {
            assert_eq!(looks(|| Err(io::ErrorKind::PermissionDenied.into()), || BECOMING), 1);
            assert_eq!(looks(|| Err(io::ErrorKind::NotFound.into()), || BECOMING), 1);
        }

        #[test]
        fn what_is_empty_is_read_until_it_is_sure() {
            assert_eq!(looks(|| Ok(b""), || ALIVE), SURE + 1);
            assert_eq!(looks(|| Ok(b""), || BECOMING), LOOKS);
            assert_eq!(looks(|| Ok(b"A=1"), || BECOMING), 1);
            assert_eq!(looks(|| Ok(b""), || OF_THE_SYSTEM), 1);
        }

        /// Says nothing the first time, and then everything.
        struct Late(bool);

        impl io::Read for Late {
            fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
                let mut said: &[u8] = if self.0 { b"A=1" } else { b"" };
                self.0 = true;
                said.read(room)
            }
        }

        #[test]
        fn what_is_said_a_moment_later_is_heard() {
            assert_eq!(told(|| Ok(Late(false)), || Some(ALIVE)), b"A=1");
        }
    }
}

/// Elsewhere nothing is known but the group of a process.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    pub(in crate::drivers) struct Stat {
        pub(in crate::drivers) parent: u32,
        pub(in crate::drivers) start: u64,
        pub(in crate::drivers) is_dead: bool,
        pub(in crate::drivers) is_ending: bool,
    }

    pub(in crate::drivers) fn pids() -> Vec<u32> {
        Vec::new()
    }

    pub(in crate::drivers) fn stat(_pid: u32) -> Option<Stat> {
        None
    }

    pub(in crate::drivers) fn environment(_pid: u32) -> Vec<u8> {
        Vec::new()
    }

    pub(in crate::drivers) fn children() -> Vec<u32> {
        Vec::new()
    }

    pub(in crate::drivers) fn writes(_pid: u32, _path: &std::path::Path) -> bool {
        false
    }

    pub(in crate::drivers) fn memory() -> u64 {
        0
    }

    pub(in crate::drivers) fn is_orphan(_pid: u32) -> bool {
        false
    }
}
