use super::{Mention, MentionRole, MentionStyle, mentions};
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, parse};

fn found(text: &str) -> Vec<Mention> {
    let source = Source::new(SourceId(0), ProjectPath::new("steps/step-01.md").unwrap(), text);
    let parsed = parse(&source, Format::Markdown);
    let found = mentions(&source, source.span(0, text.len()), Some(&parsed.markdown));
    for mention in &found {
        assert_eq!(source.slice(mention.span), mention.text);
    }
    found
}

fn texts(text: &str) -> Vec<String> {
    found(text).into_iter().map(|mention| mention.text).collect()
}

fn only(text: &str) -> Mention {
    let mut found = found(text);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_path_with_a_variable_is_a_mention() {
    assert_eq!(
        only("See {project-root}/_bmad/core/tasks/review.xml.").text,
        "{project-root}/_bmad/core/tasks/review.xml"
    );
}

#[test]
fn a_relative_path_is_a_mention() {
    assert_eq!(
        texts("Go to ./page-02.md, then ../data/kinds.csv; and steps/last.md"),
        ["./page-02.md", "../data/kinds.csv", "steps/last.md"]
    );
}

#[test]
fn a_file_name_is_a_mention_only_where_it_is_marked() {
    assert_eq!(
        texts("Read `page-11.md` or \"notes.txt\" but not page-12.md"),
        ["page-11.md", "notes.txt"]
    );
}

#[test]
fn the_style_says_how_it_is_written() {
    let styles: Vec<_> = found("a/b.md `c/d.md` \"e/f.md\" [g](h/i.md) `uv run j/k.py` [[bmad-snapshot:l.md]]")
        .iter()
        .map(|mention| mention.style)
        .collect();
    assert_eq!(
        styles,
        [
            MentionStyle::Bare,
            MentionStyle::Backticked,
            MentionStyle::Quoted,
            MentionStyle::Link,
            MentionStyle::Backticked,
            MentionStyle::Snapshot,
        ]
    );
}

#[test]
fn a_link_to_a_file_name_is_a_mention_and_its_text_is_not() {
    assert_eq!(
        texts("[guide.md](guide.md) and [more](sub/more.md#top)"),
        ["guide.md", "sub/more.md"]
    );
}

#[test]
fn a_variable_that_holds_a_path_is_a_mention() {
    let mention = only("Save it, then read fully and follow: `{nextPageFile}`");
    assert_eq!(mention.style, MentionStyle::Braced);
    assert_eq!(mention.role, MentionRole::Load);
}

#[test]
fn a_variable_that_holds_no_path_is_a_mention_only_where_it_is_run() {
    assert_eq!(
        texts("Greet {user_name} in {language}; {file_count} files, {workflow.extras}"),
        [""; 0]
    );
    assert_eq!(texts("Execute {deeper_look} now"), ["{deeper_look}"]);
}

#[test]
fn a_folder_is_a_mention_behind_a_variable() {
    assert_eq!(
        texts("Look in {project-root}/_bmad/core/workflows/review."),
        ["{project-root}/_bmad/core/workflows/review"]
    );
    assert_eq!(
        texts("{done}/{total} done, {done}/12, some/plain/folder, {root}/"),
        [""; 0]
    );
}

#[test]
fn globs_placeholders_and_addresses_are_not_mentions() {
    let text = "`docs/*.md` `**/*epic*.md` `{{slug}}/a.md` `notes-<N>.md` `<dir>/a.md` `[name]/a.md` `x/YYYY-a.md` \
                `page-N.M.md` https://example.com/a/b.md github.com/a/b.md `/etc/a.json` `~/a/b.md` `$HOME/a.md` x/…/y.md `a/.../b.md`";
    let left: Vec<_> = texts(text);
    assert_eq!(left, [""; 0]);
}

#[test]
fn products_and_lists_of_files_are_not_mentions() {
    assert_eq!(
        texts("React/Next.js, package.json/Cargo.toml, `Node.js`, a sentence.md5 and v1.md.bak/x"),
        [""; 0]
    );
}

#[test]
fn marks_around_a_path_are_not_part_of_it() {
    assert_eq!(
        texts("**steps/a.md** <action>b/c.md</action> @{root}/d.md (e/f.md) ->./g.md [h/i.md] <./j.md>"),
        [
            "steps/a.md",
            "b/c.md",
            "{root}/d.md",
            "e/f.md",
            "./g.md",
            "h/i.md",
            "./j.md",
        ]
    );
}

#[test]
fn the_nearest_verb_gives_the_role() {
    let roles = |text: &str| -> Vec<MentionRole> { found(text).iter().map(|mention| mention.role).collect() };
    assert_eq!(
        roles("Load `a/b.md` and save the table to `c/d.md`."),
        [MentionRole::Load, MentionRole::Write]
    );
    assert_eq!(
        roles("Save the table. Read fully and follow: `./e.md`"),
        [MentionRole::Load]
    );
    assert_eq!(
        roles("Copy the page from `a/b.md` to `c/d.md`"),
        [MentionRole::Load, MentionRole::Write]
    );
    assert_eq!(roles("The table stands in `a/b.md`"), [MentionRole::Other]);
}

#[test]
fn a_verb_behind_an_article_is_a_noun() {
    assert_eq!(only("Follow the create page at `a/b.md`").role, MentionRole::Load);
    assert_eq!(only("- IF A: Execute `a/b.md`").role, MentionRole::Load);
}

#[test]
fn a_form_that_describes_a_file_is_not_a_verb() {
    assert_eq!(only("Load the newly created page (`a/b.md`)").role, MentionRole::Load);
    assert_eq!(only("The page is created at `a/b.md`").role, MentionRole::Write);
}

#[test]
fn an_arrow_or_an_attribute_leads_to_a_path() {
    assert_eq!(only("- `draft` → `a/b.md`").role, MentionRole::Load);
    assert_eq!(only("<item exec=\"a/b.md\">").role, MentionRole::Load);
}

#[test]
fn a_list_takes_the_verb_of_the_line_above() {
    assert_eq!(only("Load these:\n- `a/b.md`").role, MentionRole::Load);
}

#[test]
fn examples_and_prohibitions_are_marked() {
    assert!(only("Paths such as `a/b.md` are fine").example);
    assert!(only("Names (e.g. `a/b.md`) are fine").example);
    assert!(only("Do NOT load `a/b.md` yet").example);
    assert!(only("Give it as path/to/page.md").example);
    assert!(!only("If it was not found, load `a/b.md`").example);
    assert!(!only("Names (e.g. short ones) come from `a/b.md`").example);
}

#[test]
fn a_path_in_a_fence_is_marked() {
    let text = "```yaml\nnext: ./a.md\n```\n\n./b.md\n";
    let fenced: Vec<_> = found(text).iter().map(|mention| mention.fenced).collect();
    assert_eq!(fenced, [true, false]);
}

#[test]
fn a_backslash_parts_the_names_of_a_path_that_begins_like_one() {
    let text = r"Load `.\steps\step-01.md`, `..\..\all.md` and `{data_folder}\list.csv`.";
    let parted: Vec<String> = texts(text).into_iter().filter(|path| path.contains('\\')).collect();
    assert_eq!(
        parted,
        [r".\steps\step-01.md", r"..\..\all.md", r"{data_folder}\list.csv"]
    );
    assert_eq!(texts(r"Match `step-\d.md`, `a\.md` and `my\_own.md`."), [""; 0]);
}

#[test]
fn only_the_asked_part_is_read() {
    let source = Source::new(SourceId(0), ProjectPath::new("a.md").unwrap(), "x/a.md y/b.md");
    let found = mentions(&source, source.span(7, 13), None);
    assert_eq!(found.len(), 1);
    assert_eq!(source.slice(found[0].span), "y/b.md");
}

#[test]
fn any_text_is_read_without_a_panic() {
    let pieces = [
        ".md", "/", "{", "}", "é", "`", "a", "…", "<", ">", "[", "](", "*", "@", " ", "\n", "load ", "🙂", ".", "-",
    ];
    let mut seed = 11_u64;
    for _ in 0..4000 {
        let mut text = String::new();
        for _ in 0..24 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        found(&text);
    }
}

#[test]
fn every_extension_ends_a_path() {
    for extension in [
        "md", "xml", "yaml", "yml", "csv", "json", "toml", "txt", "py", "js", "sh", "html", "j2",
    ] {
        let path = format!("data/é-list.{extension}");
        assert_eq!(texts(&format!("Look at {path}, please.")), [path]);
    }
}

#[test]
fn a_variable_behind_any_verb_that_runs_it_is_a_mention() {
    for verb in [
        "load", "loads", "read", "READS", "follow", "follows", "Execute", "executes", "invoke", "run",
    ] {
        for between in [" ", ": `", " → ", "! **"] {
            assert_eq!(
                texts(&format!("Then {verb}{between}{{deeper_look}} now")),
                ["{deeper_look}"]
            );
        }
        assert_eq!(
            texts(&format!("{verb} on {{deeper_look}} and {verb}er {{deeper_look}}")),
            [""; 0]
        );
    }
}
