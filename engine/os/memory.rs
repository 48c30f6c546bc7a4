//! How this process gets its memory.

/// The size of the pieces in which the system hands memory out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pages {
    /// As small as the machine has them: what is not used is not there.
    Small,
    /// As the system likes.
    Any,
}

/// Says in which pieces memory is wanted from now on, by this process and those it starts.
///
/// A replay goes through a journal with several threads and drops what it read at once. With large pieces most of its
/// memory, and a tenth of its time, would be zeros that nobody looks at.
pub fn prefer(pages: Pages) {
    #[cfg(target_os = "linux")]
    match rustix::thread::disable_transparent_huge_pages(pages == Pages::Small) {
        // Where the system refuses, it takes a little longer.
        Ok(()) | Err(_) => {}
    }
    #[cfg(not(target_os = "linux"))]
    match pages {
        Pages::Small | Pages::Any => {}
    }
}
