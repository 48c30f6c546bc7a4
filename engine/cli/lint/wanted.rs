//! What a person names in, the projects to check out, and what is noted about them.

use super::{Args, shown};
use crate::cli::session::Session;
use crate::lint::Settings;
use crate::project::{Site, check, load, settings, settings_around, settings_site, sites};
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// What can be said with `--exclude`.
const PATTERN: &str = "a pattern is a name or a path, with `*` in a name, `**` across folders and `?` for one letter";

/// How many links that were not followed are named.
const MANY_LINKS: usize = 5;

/// Finds the projects, without what is excluded, and the patterns that leave nothing out.
pub(super) fn wanted<'p>(args: &'p Args, paths: &[PathBuf], session: &Session<'_>) -> (Vec<Site>, Vec<&'p String>) {
    let host = session.host();
    let mut sites = sites(&*host, paths);
    let mut idle: Vec<&String> = args.exclude.iter().collect();
    for site in &mut sites {
        let used = site.exclude(&args.exclude, session.folder());
        idle.retain(|pattern| !used.contains(pattern));
        site.around = settings_around(&*host, &site.root, session.folder());
    }
    (sites, idle)
}

/// Returns the settings around some projects that count in them and in which something is wrong: nobody named them, and
/// what they say is relied on.
pub(super) fn wrong_settings(sites: &[Site], session: &Session<'_>) -> Vec<Site> {
    let host = session.host();
    let is_read = |folder: &&PathBuf| sites.iter().any(|site| site.root == **folder);
    let around = sites.iter().filter_map(|site| site.around.as_ref());
    let around: BTreeSet<&PathBuf> = around.filter(|folder| !is_read(folder)).collect();
    let sites = around.into_iter().map(|folder| settings_site(&*host, folder));
    let is_wrong = |site: &Site| {
        let loaded = load(&host, site.clone());
        !check(&loaded, &settings(&loaded, &Settings::default())).is_empty()
    };
    sites.filter(is_wrong).collect()
}

/// Notes what was said in vain, and which links were not followed.
pub(super) fn note(sites: &[Site], idle: &[&String], session: &mut Session<'_>) -> io::Result<()> {
    for pattern in idle.iter().filter(|_| !sites.is_empty()) {
        writeln!(session.errors, "note: `--exclude {pattern}` matches no file; {PATTERN}")?;
    }
    let folder = session.folder().to_path_buf();
    let links =
        |site: &Site| -> Vec<PathBuf> { site.outward.iter().map(|link| site.root.join(link.as_str())).collect() };
    let links: Vec<PathBuf> = sites.iter().flat_map(links).collect();
    for link in links.iter().take(MANY_LINKS) {
        let link = shown(link, &folder);
        writeln!(
            session.errors,
            "note: `{link}` is a link that leads out of what is checked and was not followed; `bmad lint {link}` checks it"
        )?;
    }
    if let Some(more) = links.len().checked_sub(MANY_LINKS).filter(|more| *more > 0) {
        writeln!(session.errors, "note: {more} more links lead out and were not followed")?;
    }
    Ok(())
}
