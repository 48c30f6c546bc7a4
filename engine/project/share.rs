//! Work shared out among the threads of the pool.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

/// The threads that work is shared among, one of them the one that asked for it; the others end with this. From then on
/// that one does alone what it shares out, and work that nobody waits for may never be done.
#[must_use = "the others end with it"]
pub struct Shared {
    #[cfg(unix)]
    pool: Option<rayon::ThreadPool>,
}

thread_local! {
    /// Threads that have not been needed yet by the one that this is of.
    static RESERVE: RefCell<Vec<rayon::ThreadBuilder>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Shared {
    fn drop(&mut self) {
        // They belong to the pool, and would only come to find that it is over.
        RESERVE.take();
        #[cfg(unix)]
        drop(self.pool.take());
    }
}

/// Makes the thread that calls this one of those that the work it hands out is shared among. For a program whose first
/// thread only waits while others work: one thread less is started, and none takes the place of another on its core.
/// Each of them, counted from 0, which is this one, first does what `begin` says for it and how many they are.
pub fn work_here(begin: impl Fn(usize, usize) + Send + Sync + 'static) -> Shared {
    // Elsewhere the first thread of a program has less room for deep documents than those it starts.
    #[cfg(unix)]
    {
        let begin = Arc::new(move |thread| begin(thread, rayon::current_num_threads()));
        let others = Arc::clone(&begin);
        let pool = rayon::ThreadPoolBuilder::new().use_current_thread();
        // Without it this thread works alone, or with those that any thread shares its work with.
        let pool = pool.start_handler(move |thread| others(thread)).build().ok();
        if pool.is_some() {
            begin(0);
        }
        Shared { pool }
    }
    #[cfg(not(unix))]
    {
        drop(begin);
        Shared {}
    }
}

/// The same, but that the others are started once there is more to do than one does sooner alone.
pub fn work_here_first() -> Shared {
    #[cfg(unix)]
    {
        let pool = rayon::ThreadPoolBuilder::new().use_current_thread();
        let later = |thread| {
            RESERVE.with_borrow_mut(|reserve| reserve.push(thread));
            Ok(())
        };
        Shared {
            pool: pool.spawn_handler(later).build().ok(),
        }
    }
    #[cfg(not(unix))]
    Shared {}
}

/// Starts the threads that have not been needed yet. This one does all of the work where the system has none to give.
pub(super) fn call_others() {
    for thread in RESERVE.take() {
        drop(std::thread::Builder::new().spawn(|| thread.run()));
    }
}

/// How many items one thread works on sooner than another is awake.
const FEW: usize = 8;

/// The most items that are worked on together.
const TOGETHER: usize = 6;

/// How many groups everybody should have at least, so that nobody waits long for the last one.
const GROUPS: usize = 12;

/// Parts items into groups to be worked on together, one kind of work on all of them before the next: what does the work
/// stays at hand.
pub(super) fn groups<T>(items: &[T]) -> impl Iterator<Item = &[T]> {
    let each = items.len() / (rayon::current_num_threads().max(1) * GROUPS);
    items.chunks(each.clamp(1, TOGETHER))
}

/// Works on all items side by side and returns what came out, in their order. The large ones are begun first, so that
/// nobody waits for one at the end.
pub(super) fn largest_first<T: Sync, R: Send>(
    items: &[T],
    size: impl Fn(&T) -> usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    share(items, work, |parts| {
        parts.sort_by_cached_key(|(item, _)| Reverse(size(item)));
    })
}

/// Works on all items side by side and returns what came out, in their order.
pub fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    share(items, work, |_| {})
}

/// An item, and the place for what comes out of it.
type Part<'a, T, R> = (&'a T, &'a mut Option<R>);

/// Hands the items out one by one, in the order that `arrange` gives them, to whoever has nothing to do.
fn share<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    arrange: impl FnOnce(&mut Vec<Part<'_, T, R>>),
) -> Vec<R> {
    if let [item] = items {
        return vec![work(item)];
    }
    if items.len() > FEW {
        call_others();
    }
    let mut done: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut parts: Vec<Part<'_, T, R>> = items.iter().zip(&mut done).collect();
    arrange(&mut parts);
    let parts = Mutex::new(parts.into_iter());
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let take = || {
        while let Some((item, place)) = next() {
            *place = Some(work(item));
        }
    };
    rayon::scope(|scope| {
        for _ in 1..rayon::current_num_threads().min(items.len()) {
            scope.spawn(|_| take());
        }
        take();
    });
    drop(parts);
    // Every place is filled, so that the list stays where it is.
    done.into_iter().map_while(|result| result).collect()
}

#[cfg(test)]
mod tests {
    use super::{TOGETHER, groups, largest_first, side_by_side, work_here};

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).map(|at| at * 7 % 1000).collect();
        let doubled: Vec<usize> = items.iter().map(|item| item * 2).collect();
        assert_eq!(side_by_side(&items, |item| item * 2), doubled);
        assert_eq!(largest_first(&items, |item| *item, |item| item * 2), doubled);
        assert_eq!(side_by_side(&[3], |item| item * 2), [6]);
        assert!(side_by_side(&[] as &[usize], |item| item * 2).is_empty());
    }

    #[test]
    fn a_thread_whose_helpers_are_gone_does_all_of_the_work_alone() {
        let items: Vec<usize> = (0..1000).collect();
        let work = || {
            let shared = work_here(|_, _| {});
            let before = side_by_side(&items, |item| item + 1);
            drop(shared);
            let after = side_by_side(&items, |item| item + 1);
            let joined = rayon::join(|| items.len(), || items.len());
            (before, after, joined)
        };
        let (before, after, joined) = std::thread::scope(|scope| scope.spawn(work).join().unwrap());
        assert_eq!(before, after);
        assert_eq!((after[999], joined), (1000, (1000, 1000)));
    }

    #[cfg(unix)]
    #[test]
    fn others_are_called_once_there_is_much_to_do() {
        use super::{FEW, RESERVE, work_here_first};
        let items: Vec<usize> = (0..1000).collect();
        let waiting = || RESERVE.with_borrow(Vec::len);
        let work = || {
            let shared = work_here_first();
            let others = rayon::current_num_threads() - 1;
            assert_eq!(waiting(), others);
            let few = side_by_side(&items[..FEW], |item| item + 1);
            let joined = rayon::join(|| items.len(), || items.len());
            assert_eq!((few.len(), joined, waiting()), (FEW, (1000, 1000), others));
            let many = side_by_side(&items, |item| item + 1);
            assert_eq!((many[999], waiting()), (1000, 0));
            drop(shared);
        };
        let unneeded = || {
            let shared = work_here_first();
            assert_eq!(waiting(), rayon::current_num_threads() - 1);
            drop(shared);
            assert_eq!((waiting(), side_by_side(&items, |item| item + 1)[999]), (0, 1000));
        };
        std::thread::scope(|scope| scope.spawn(work).join().unwrap());
        std::thread::scope(|scope| scope.spawn(unneeded).join().unwrap());
    }

    #[test]
    fn groups_hold_every_item_once_and_in_order() {
        for count in [0, 1, 5, 100, 10_000] {
            let items: Vec<usize> = (0..count).collect();
            let groups: Vec<&[usize]> = groups(&items).collect();
            assert_eq!(groups.concat(), items);
            assert!(groups.iter().all(|group| (1..=TOGETHER).contains(&group.len())));
        }
    }
}
