use super::programs;
use crate::host::{Entry, EntryKind, ReadError, Resolved, Workspace};
use std::io;
use std::path::Path;

/// A project with some scripts, of which those with a `+` can be started, and documents.
struct Project;

const FILES: &[(&str, &str)] = &[
    ("x.sh", "echo\n"),
    ("+run.sh", "echo\n"),
    ("x.py", ""),
    ("pkg/mod.py", ""),
    ("sub/y.sh", "#!/bin/sh\n"),
    ("a.md", "# A\n"),
    ("+b.md", "# B\n"),
    ("5", "a number\n"),
    ("run", "echo\n"),
    ("bin/watch", "echo\n"),
    ("bin/eval", "echo\n"),
    ("done", "echo\n"),
];

impl Workspace for Project {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let name = path.strip_prefix("/p").map_err(|_| ReadError::Missing)?;
        let is_it = |file: &&(&str, &str)| Path::new(file.0.trim_start_matches('+')) == name;
        let file = FILES.iter().find(is_it).ok_or(ReadError::Missing)?;
        Ok(file.1.as_bytes().to_vec())
    }

    fn exists(&self, path: &Path) -> bool {
        self.read(path).is_ok()
    }

    fn is_executable(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        FILES.iter().any(|(file, _)| *file == format!("+{name}"))
    }

    fn list(&self, folder: &Path) -> Vec<Entry> {
        let paths = FILES
            .iter()
            .map(|(name, _)| Path::new("/p").join(name.trim_start_matches('+')));
        let below = paths.filter(|path| path.parent() == Some(folder));
        let entry = |path: std::path::PathBuf| Entry {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            kind: EntryKind::File,
        };
        below.map(entry).collect()
    }

    fn resolve(&self, path: &Path) -> Option<Resolved> {
        let path = path.to_path_buf();
        Some(Resolved {
            path,
            kind: EntryKind::Folder,
        })
    }

    fn write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

fn found(command: &str) -> Vec<String> {
    let found = programs(command, Path::new("/p"), &Project);
    found.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_script_is_a_program_however_it_is_started() {
    let ways = [
        "./x.sh",
        "/bin/sh x.sh",
        "sh -e x.sh a.md",
        "/p/x.sh",
        "$PWD/x.sh",
        "\"${PWD}\"/x.sh",
        "X=1 bash x.sh",
        "sh < x.sh",
        "cat x.sh | sh",
        "awk -f x.sh a.md",
        "bash -c './x.sh a.md'",
        "echo $(sh x.sh)",
        "if sh x.sh; then true; fi",
        "timeout 5 sh ./x.sh",
        "sudo -u bob sh x.sh",
        "find . -name '*.md' -exec sh x.sh {} \\;",
        "echo a.md | xargs -n 1 sh x.sh",
        ". x.sh",
        "eval './x.sh'",
        "env -i A=1 sh x.sh",
    ];
    for command in ways {
        assert_eq!(found(command), ["x.sh"], "{command}");
    }
    for command in [
        "timeout 5 ./run.sh",
        "xargs ./run.sh",
        "time run.sh",
        "find . -exec ./run.sh {} +",
    ] {
        assert_eq!(found(command), ["run.sh"], "{command}");
    }
    for command in ["cd sub && ./y.sh", "(cd sub; sh y.sh)", "xargs sub/y.sh"] {
        assert_eq!(found(command), ["sub/y.sh"], "{command}");
    }
    for command in [
        "python3 -W ignore x.py",
        "python3 -m x",
        "python3.12 x.py a.md",
        "python3 -c \"exec(open('x.py'))\"",
    ] {
        assert_eq!(found(command), ["x.py"], "{command}");
    }
    assert_eq!(found("python3 -m pkg.mod"), ["pkg/mod.py"]);
}

#[test]
fn what_a_command_works_on_is_data() {
    let ways = [
        "grep -qE '(5|6)' a.md",
        "grep -q '{x}' a.md",
        "grep -q sh a.md",
        "test -f a.md",
        "wc -l < a.md",
        "cat a.md b.md | grep -c x > out.txt",
        "awk '{print $1}' a.md",
        "timeout 5 grep x b.md",
        "timeout 5 grep '5 | 6' b.md",
    ];
    for command in ways {
        assert_eq!(found(command), Vec::<String>::new(), "{command}");
    }
    assert_eq!(found("python3 x.py a.md && ./x.sh b.md"), ["x.py", "x.sh"]);
}

#[test]
fn a_script_may_be_called_like_a_program_or_a_word_of_the_shell() {
    assert_eq!(found("./run a.md"), ["run"]);
    assert_eq!(found("./run sh x.sh"), ["run", "x.sh"]);
    assert_eq!(found("bin/watch"), ["bin/watch"]);
    assert_eq!(found("bin/eval a.md"), ["bin/eval"]);
    assert_eq!(found("./done && ./x.sh"), ["done", "x.sh"]);
    assert_eq!(found("/usr/bin/env sh x.sh"), ["x.sh"]);
}

#[test]
fn flags_of_a_shell_stand_around_the_one_for_code() {
    for flags in ["-ce", "-cx", "-euc", "-c -e", "-ceo pipefail", "-o pipefail -c"] {
        let command = format!("bash {flags} 'set -u; ./x.sh'");
        assert_eq!(found(&command), ["x.sh"], "{command}");
    }
}

#[test]
fn a_comment_hides_no_script() {
    assert_eq!(found("# don't skip\n./x.sh"), ["x.sh"]);
    assert_eq!(found("true # ./run.sh isn't run\n./x.sh"), ["x.sh"]);
}

#[test]
fn a_command_may_write_the_folder_of_the_project() {
    for command in [
        "$(git rev-parse --show-toplevel)/x.sh",
        "\"$(git rev-parse --show-toplevel)/x.sh\" a.md",
        "`pwd`/x.sh",
        "cd $(pwd) && sh x.sh",
    ] {
        assert_eq!(found(command), ["x.sh"], "{command}");
    }
}

#[test]
fn a_folder_that_is_entered_may_have_flags_before_it() {
    for command in ["cd -- sub && ./y.sh", "cd -P sub; ./y.sh", "pushd -n sub; sh y.sh"] {
        assert_eq!(found(command), ["sub/y.sh"], "{command}");
    }
}

#[test]
fn what_a_command_writes_is_a_program_where_it_is_run() {
    for command in [
        "sh -c \"$(cat x.sh)\"",
        "eval \"$(cat x.sh)\"",
        "eval \"`cat < x.sh`\"",
        "bash <(cat x.sh)",
        ". <(cat x.sh)",
        "sh < <(cat x.sh)",
        "echo \"$(cat x.sh)\" | sh",
    ] {
        assert_eq!(found(command), ["x.sh"], "{command}");
    }
    assert_eq!(found("python3 -c \"$(cat x.py)\""), ["x.py"]);
    for command in [
        "echo \"$(cat a.md)\"",
        "diff <(cat a.md) b.md",
        "sh -c 'echo $1' sh \"$(cat a.md)\"",
    ] {
        assert_eq!(found(command), Vec::<String>::new(), "{command}");
    }
}

#[test]
fn a_command_in_quotes_is_read_where_it_is_run() {
    for command in [
        "watch './x.sh a'",
        "su -c './x.sh a'",
        "su bob -c './x.sh a'",
        "flock lock -c 'true;./x.sh'",
        "timeout 5 env -S './x.sh a'",
        "sh <<< './x.sh a'",
        "echo './x.sh a' | sh",
    ] {
        assert_eq!(found(command), ["x.sh"], "{command}");
    }
}

#[test]
fn a_program_that_only_a_variable_names_may_be_one_for_scripts() {
    for command in [
        "$SHELL x.sh",
        "\"$SHELL\" -e x.sh a.md",
        "${BASH:-sh} ./x.sh",
        "$(command -v bash) x.sh",
        "timeout 5 $SHELL x.sh",
        "$SHELL -c './x.sh a'",
        "$SHELL < x.sh",
        "cat x.sh | $SHELL",
    ] {
        assert_eq!(found(command), ["x.sh"], "{command}");
    }
    assert_eq!(found("$GREP -q x a.md b.md"), Vec::<String>::new());
}

#[test]
fn a_flag_may_say_which_folder_a_program_works_in() {
    for command in [
        "env -C sub ./y.sh",
        "env --chdir=sub sh y.sh",
        "sudo --chdir sub ./y.sh",
        "make -C sub -f y.sh",
        "make --directory=sub -f y.sh",
    ] {
        assert_eq!(found(command), ["sub/y.sh"], "{command}");
    }
    assert_eq!(found("grep -C 3 x a.md"), Vec::<String>::new());
    for command in [
        "sh -C x.sh",
        "bash -C ./x.sh",
        "perl -C x.sh",
        "timeout 5 sh -C -e x.sh",
        "$SHELL -C x.sh",
    ] {
        assert_eq!(found(command), ["x.sh"], "{command}");
    }
    assert_eq!(found("ruby -C sub y.sh"), ["sub/y.sh"]);
    assert_eq!(found("tool -C ./run.sh"), ["run.sh"]);
}

#[test]
fn a_text_below_a_command_hides_no_script() {
    for command in [
        "cat <<EOF\ndon't\nEOF\n./x.sh",
        "cat > out <<'EOF' && ./x.sh\ndon't\nEOF",
        "cat <<-\"END OF\"\n\tit's\n\tEND OF\nsh x.sh",
        "sh <<EOF\necho don\\'t\n./x.sh\nEOF",
        "cat <<EOF | sh\n./x.sh a\nEOF",
        "cat <<EOF\nit's $(sh x.sh) \"here\"\nEOF",
        "cat <<A <<B; ./x.sh\nisn't\nA\nisn't\nB",
    ] {
        assert_eq!(found(command), ["x.sh"], "{command}");
    }
    for command in [
        "((n = 1 << 2))\nsh x.sh",
        "for((i = (1 << 2); i; i--)); do sh x.sh; done",
        "((n = 1 << 2)); cat <<EOF\ndon't\nEOF\nsh x.sh",
        "((sh x.sh))",
        "((sh x.sh); true)",
        "((n = $(sh x.sh) << 2))",
        "n[1<<2]=3\nsh x.sh",
    ] {
        assert_eq!(found(command), ["x.sh"], "{command}");
    }
    assert_eq!(found("python3 - <<EOF\nexec(open('x.py').read())\nEOF"), ["x.py"]);
    assert_eq!(found("cat <<EOF\n./x.sh\nEOF"), Vec::<String>::new());
    assert_eq!(found("cat <<'EOF'\n$(./x.sh)\nEOF"), Vec::<String>::new());
}

#[test]
fn a_word_may_stand_for_several_scripts() {
    assert_eq!(found("sh x.s?"), ["x.sh"]);
    assert_eq!(found("./[x].sh"), ["x.sh", "run.sh"]);
    assert_eq!(found("sh ./*.sh"), ["x.sh", "run.sh"]);
    assert_eq!(found("for each in sub/*.sh; do sh $each; done"), ["sub/y.sh"]);
    assert_eq!(found("grep x *.md"), Vec::<String>::new());
    assert_eq!(found("sh {x,y}.sh"), ["x.sh"]);
    assert_eq!(found("sh {sub/y,run}.sh"), ["sub/y.sh", "run.sh"]);
    assert_eq!(found("{sh,./x.sh}"), ["x.sh"]);
}
