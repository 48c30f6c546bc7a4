//! Threads that work side by side, each on a processor of its own.
//!
//! A system may wake a thread on the processor of the thread that woke it and move it away milliseconds later, while
//! another processor has nothing to do. Short work is over by then.

/// The processors that this process may use.
#[derive(Debug)]
pub struct Apart {
    #[cfg(target_os = "linux")]
    processors: Vec<usize>,
}

#[cfg(target_os = "linux")]
impl Apart {
    /// Finds the processors; none where the system does not say.
    pub fn find() -> Self {
        use rustix::thread::{CpuSet, sched_getaffinity};
        let allowed = sched_getaffinity(None).unwrap_or_default();
        Self {
            processors: (0..CpuSet::MAX_CPU).filter(|at| allowed.is_set(*at)).collect(),
        }
    }

    /// Keeps the thread that calls this, one of so many counted from 0, on a processor of its own, where there is one for
    /// each and none more: with more of them the system has room to choose.
    pub fn keep(&self, thread: usize, count: usize) {
        use rustix::thread::{CpuSet, sched_setaffinity};
        let Some(own) = self.processors.get(thread).filter(|_| self.processors.len() == count) else {
            return;
        };
        let mut only = CpuSet::new();
        only.set(*own);
        // A thread that the system does not let choose works as well, if later.
        sched_setaffinity(None, &only).ok();
    }
}

#[cfg(not(target_os = "linux"))]
impl Apart {
    /// Leaves it to the system.
    pub fn find() -> Self {
        Self {}
    }

    /// Leaves the thread where the system put it.
    pub fn keep(&self, _thread: usize, _count: usize) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Apart;
    use rustix::thread::sched_getaffinity;

    #[test]
    fn threads_are_kept_apart_where_each_has_a_processor() {
        let apart = Apart::find();
        let count = apart.processors.len();
        assert!(count > 0);
        let kept = |thread: usize, count: usize| {
            let kept = || {
                apart.keep(thread, count);
                sched_getaffinity(None).unwrap()
            };
            std::thread::scope(|scope| scope.spawn(kept).join().unwrap())
        };
        for (thread, own) in apart.processors.iter().enumerate() {
            let kept = kept(thread, count);
            assert!(kept.is_set(*own) && kept.count() == 1);
        }
        let free = sched_getaffinity(None).unwrap();
        assert_eq!(kept(0, count + 1), free);
        assert_eq!(kept(0, count - 1), free);
    }
}
