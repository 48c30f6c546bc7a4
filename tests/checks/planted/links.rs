//! Links, images, references, footnotes and tables of contents that lead nowhere.

use super::seed::{Seed, is_code, prose, replaced, titles};

/// Returns where the target of each `](target)` stands.
fn targets(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for place in prose(text) {
        for (at, _) in place
            .line
            .match_indices("](")
            .filter(|(at, _)| !is_code(place.line, *at))
        {
            let start = at + 2;
            let length = place.line[start..].find([')', ' ']).unwrap();
            found.push((place.start + start, place.start + start + length));
        }
    }
    found
}

fn is_image(text: &str, start: usize) -> bool {
    let open = text[..start - 2].rfind('[').unwrap();
    let is_inner = !text[open..start - 2].contains("](");
    text[..open].ends_with('!') && is_inner
}

fn is_file(target: &str) -> bool {
    !target.starts_with('#') && !target.contains("://")
}

/// Renames the file that a link leads to.
pub(super) fn dead_link(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for (start, end) in targets(text) {
        let target = &text[start..end];
        if is_file(target) && !is_image(text, start) {
            let name = target.find(['.', '#']).filter(|at| *at > 0).unwrap_or(target.len());
            found.push(replaced(
                text,
                start,
                end,
                &format!("{}-2{}", &target[..name], &target[name..]),
            ));
            found.push(replaced(text, start, end, &format!("old/{target}")));
        }
    }
    for (at, _) in text
        .match_indices("]: ")
        .filter(|(at, _)| !text[at + 3..].starts_with("http"))
    {
        if super::seed::line_at(text, at).starts_with('[') && !super::seed::line_at(text, at).starts_with("[^") {
            found.push(replaced(text, at + 3, at + 3, "old-"));
        }
    }
    found
}

/// Gives an image another name, folder, ending or case.
pub(super) fn dead_image(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for (start, end) in targets(text) {
        let target = &text[start..end];
        if is_file(target) && is_image(text, start) {
            let (stem, ending) = target.rsplit_once('.').unwrap();
            for new in [
                format!("{stem}-v2.{ending}"),
                format!("{stem}.jpeg"),
                target.replace("images/", "image/"),
                format!("../{target}"),
            ] {
                found.push(replaced(text, start, end, &new));
            }
        }
    }
    found
}

/// Renames a heading that is linked to, and misspells links to headings.
pub(super) fn dead_anchor(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    let anchors: Vec<(usize, usize)> = targets(text)
        .into_iter()
        .filter(|(start, _)| text[*start..].starts_with('#'))
        .collect();
    for title in titles(text) {
        let slug = title.words.to_lowercase().replace(' ', "-");
        if anchors.iter().any(|(start, end)| text[start + 1..*end] == slug) {
            let end = title.start + title.line.len();
            found.push(replaced(text, end, end, " of the pilot"));
        }
    }
    for (start, end) in anchors {
        found.push(replaced(text, start, end, &text[start..end - 1]));
        found.push(replaced(text, start, start + 1, "#the-"));
    }
    found
}

/// Takes definitions of references out, or names another.
pub(super) fn undefined_reference(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    let definitions = prose(text)
        .into_iter()
        .filter(|place| place.line.starts_with('[') && !place.line.starts_with("[^"));
    for place in definitions.filter(|place| place.line.contains("]: ")) {
        found.push(replaced(text, place.start, place.end() + 1, ""));
        found.push(replaced(text, place.start + 1, place.start + 1, "old-"));
    }
    for (at, _) in text.match_indices("][") {
        found.push(replaced(text, at + 2, at + 2, "my-"));
    }
    found
}

/// Takes footnotes out, or names another.
pub(super) fn undefined_footnote(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("[^") {
        let line = super::seed::line_at(text, at);
        if line.starts_with("[^") {
            found.push(replaced(text, at, at + line.len(), ""));
        } else {
            found.push(replaced(text, at + 2, at + 2, "x"));
        }
    }
    found
}

/// Takes the marks of footnotes out, or names another footnote.
pub(super) fn unused_footnote(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("[^") {
        let end = at + text[at..].find(']').unwrap() + 1;
        if super::seed::line_at(text, at).starts_with("[^") {
            found.push(replaced(text, at + 2, at + 2, "x"));
        } else {
            found.push(replaced(text, at, end, ""));
        }
    }
    found
}

/// Lets entries of a table of contents say something else.
pub(super) fn contents_entry(text: &str) -> Vec<Seed> {
    const OTHERS: &[&str] = &["Approach", "Reporting", "What we learned", "Staffing", "Budget"];
    let mut found = Vec::new();
    let Some(table) = titles(text)
        .into_iter()
        .find(|title| title.words.to_lowercase().contains("contents"))
    else {
        return found;
    };
    let end = text[table.start..]
        .find("\n## ")
        .map_or(text.len(), |at| table.start + at);
    for (number, (at, _)) in text[table.start..end].match_indices('[').enumerate() {
        let start = table.start + at + 1;
        let length = text[start..].find(']').unwrap();
        found.push(replaced(text, start, start + length, OTHERS[number % OTHERS.len()]));
    }
    found
}
