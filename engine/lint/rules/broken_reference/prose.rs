//! A path in a sentence in, whether a file must be there out.

use super::page::Page;
use crate::diagnostic::is_slip;
use crate::lint::sentence::{Break, Word, around, words};
use crate::lint::{FileUnit, Reference};
use crate::model::{MentionRole, MentionStyle, is_packed};

/// Folders in which skills keep what they read.
const PARTS: &[&str] = &["references", "steps", "prompts", "resources"];
/// Words that say to read or run a file.
const ORDERS: &[&str] = &[
    "load", "loads", "read", "reads", "follow", "follows", "execute", "open", "consult",
];
/// How many words a sentence has before the bare name that it says to follow.
const FEW: usize = 8;

/// Says whether a sentence means a file that must be there now.
pub(super) fn is_meant(page: &Page<'_>, reference: &Reference<'_>) -> bool {
    let unit = page.unit;
    let Some((style, role)) = reference.mention else {
        return false;
    };
    if is_sample(&reference.text) || !page.is_read() {
        return false;
    }
    let name = reference.text.rsplit('/').next().unwrap_or("");
    // What is the name of a file beside it but for one letter means that one, unless it is written.
    let is_near =
        || reference.text.contains('/') && page.near_part(reference).is_some_and(|near| is_slip(name, near.name()));
    let is_kept = || is_in_row(unit, reference) || is_among_parts(&reference.text);
    let is_there_first = || is_copied(unit, reference) || is_kept() && is_near();
    if role == MentionRole::Write && !is_there_first() {
        return false;
    }
    if reference.text.starts_with('.') && !name.contains('.') {
        // A program or a folder: installers place those.
        return false;
    }
    let is_run = !unit.document.role.instructs() && !is_text(name);
    if is_run || is_at_work(&reference.text) || is_imported(unit, reference) {
        return false;
    }
    if role == MentionRole::Other && is_among_outputs(unit, reference) && !is_near() {
        return false;
    }
    let sure = is_anchored(unit, &reference.text) || is_renumbered(page, &reference.text);
    let loaded = role == MentionRole::Load;
    match style {
        MentionStyle::Link => loaded && (sure || is_loaded(unit, reference)),
        MentionStyle::Quoted if !loaded => is_renumbered(page, &reference.text),
        MentionStyle::Quoted | MentionStyle::Backticked | MentionStyle::Bare => {
            sure || loaded && (is_loaded(unit, reference) || is_part(page, reference)) || is_near()
        }
        MentionStyle::Snapshot => true,
        MentionStyle::Braced => false,
    }
}

/// Says whether a path lies in the folder of the workflow or the skill, and the sentence copies what is there:
/// ``Copy `{skill-root}/a.md` to …``.
fn is_copied(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    if !is_packed(&reference.text) {
        return false;
    }
    let before = before(unit, reference);
    // `a copy of it` is no order, and the result that is copied is made first.
    let verb = before.iter().rposition(|word| word.is("copy"));
    verb.is_some_and(|verb| {
        let begins = verb == 0 || before[verb - 1].after > Break::None || before[verb - 1].is_in(&["and", "then"]);
        let between = &before[verb + 1..];
        let is_filler = |word: &Word<'_>| word.is_in(&["the", "file", "template"]);
        begins && between.iter().all(is_filler)
    })
}

/// Says whether a path lies where the person works: what is hidden belongs to a tool, and some names are read by tools.
fn is_at_work(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "AGENTS.md",
        "CLAUDE.md",
        "GEMINI.md",
        "package.json",
        "pyproject.toml",
        "Cargo.toml",
    ];
    path.strip_prefix("./").is_some_and(|rest| {
        let is_hidden = rest.starts_with('.') && !rest.starts_with("..");
        is_hidden || NAMES.contains(&rest)
    })
}

/// Says whether a path leads to a folder in which skills keep what they read: nothing is written there.
fn is_among_parts(path: &str) -> bool {
    let mut folders = path.trim_start_matches("./").split('/');
    folders.next().is_some_and(|first| PARTS.contains(&first))
}

/// Says whether a path stands in the row of a table, where other cells speak of other things.
fn is_in_row(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    let before = unit.document.source.text().get(..reference.span.start as usize);
    let line = before.and_then(|before| before.rsplit('\n').next());
    line.is_some_and(|line| line.trim_start().starts_with('|'))
}

/// Says whether a path is the one of an import in a line of code: `from './a.js'`, `require("./a.js")`.
fn is_imported(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    let text = unit.document.source.text();
    let before = text.get(..reference.span.start as usize).unwrap_or("");
    let Some(code) = before.strip_suffix(['\'', '"']) else {
        return false;
    };
    ["from ", "import ", "import(", "require("]
        .iter()
        .any(|word| code.ends_with(word))
}

/// Says whether a path stands under a heading of what is written.
fn is_among_outputs(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    let headings = &unit.document.parsed.markdown.headings;
    let above = headings.partition_point(|heading| heading.span.start < reference.span.start);
    let Some(heading) = above.checked_sub(1).and_then(|last| headings.get(last)) else {
        return false;
    };
    let mut words = unit.document.source.slice(heading.text).split_whitespace();
    words.any(|word| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        ["output", "outputs"].iter().any(|out| word.eq_ignore_ascii_case(out))
    })
}

/// Says whether a file is one to read, by its name.
fn is_text(name: &str) -> bool {
    let end = name.rsplit('.').next().unwrap_or("");
    ["md", "xml", "yaml", "yml", "csv", "toml", "txt"].contains(&end)
}

/// Says whether a path that is loaded begins with a folder that is there; in a file that only belongs to instructions the
/// sentence itself must say so.
fn is_loaded(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    let orders = unit.document.role.instructs() || is_ordered(unit, reference);
    orders && is_below_known_folder(unit, &reference.text)
}

/// Says whether a path begins where only one place can be meant.
fn is_anchored(unit: &FileUnit<'_>, path: &str) -> bool {
    const ROOTS: &[&str] = &[
        "{project-root}",
        "{installed_path}",
        "{skill-root}",
        "{_bmad}",
        "{bmad_folder}",
    ];
    let first = path.split(['/', '\\']).next().unwrap_or(path);
    [".", ".."].contains(&first)
        || ROOTS.iter().any(|root| path.starts_with(root))
        || path.contains('/') && unit.subject.library.is_install_root(first)
}

/// Returns what the name of a step file says behind its number.
pub(super) fn topic(name: &str) -> Option<&str> {
    let (number, topic) = name.strip_prefix("step-")?.split_once('-')?;
    number.starts_with(|at: char| at.is_ascii_digit()).then_some(topic)
}

/// Says whether a path is the name of a step file beside this one, with another number.
fn is_renumbered(page: &Page<'_>, path: &str) -> bool {
    let wanted = topic(path.rsplit('/').next().unwrap_or(path));
    wanted.is_some_and(|wanted| page.is_topic_of_step(wanted))
}

/// Says whether a path without a root begins with a folder that is there, beside the file or the workflow.
fn is_below_known_folder(unit: &FileUnit<'_>, path: &str) -> bool {
    let Some((first, _)) = path.split_once('/') else {
        return false;
    };
    [unit.document.source.path().folder(), unit.facts.home.clone()]
        .iter()
        .filter_map(|folder| folder.join(first))
        .any(|folder| unit.subject.library.exists(&folder))
}

/// Says whether a path that is loaded surely means a part of the workflow: it lies where a skill keeps its parts, or it is a
/// bare name of something to follow.
fn is_part(page: &Page<'_>, reference: &Reference<'_>) -> bool {
    let unit = page.unit;
    let path = &*reference.text;
    match path.split_once('/') {
        Some((first, _)) => PARTS.contains(&first) && unit.skill().is_some() && is_ordered(unit, reference),
        None => {
            (path.ends_with(".md") || path.ends_with(".xml")) && is_followed(page, reference)
                || is_ordered(unit, reference) && page.near_part(reference).is_some()
        }
    }
}

/// Says whether the sentence of a path reads, follows or executes it.
fn is_ordered(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    before(unit, reference).iter().any(|word| word.is_in(ORDERS))
}

/// Says whether the sentence of a path says to do what is written there.
pub(super) fn is_told_to_follow(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    let orders = &["follow", "follows", "execute", "executes"];
    before(unit, reference).iter().any(|word| word.is_in(orders))
}

/// Says whether the word right before a bare name follows or executes it, and no file of the project has that name.
fn is_followed(page: &Page<'_>, reference: &Reference<'_>) -> bool {
    let unit = page.unit;
    let before = before(unit, reference);
    let orders = before.last().is_some_and(|last| last.is_in(&["follow", "execute"]));
    let after = unit
        .document
        .source
        .text()
        .get(reference.span.end as usize..)
        .unwrap_or("");
    let ends = after
        .trim_start_matches('`')
        .starts_with(['.', ',', ';', '\n', '\r', '<']);
    orders && ends && before.len() <= FEW && !page.is_name_of_file(&reference.text)
}

/// Returns the words of the sentence before a path.
fn before<'a>(unit: &FileUnit<'a>, reference: &Reference<'_>) -> Vec<Word<'a>> {
    let text = unit.document.source.text();
    let at = reference.span.start as usize;
    words(text, around(text, 0, at).start..at)
}

/// Says whether a path only shows how a path looks.
pub(super) fn is_sample(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    [
        "something",
        "example",
        "path/to",
        "relative/path",
        "filename",
        "your-",
        "/my-",
        "some-",
        "foo",
        "placeholder",
    ]
    .iter()
    .any(|word| lower.contains(word))
}
