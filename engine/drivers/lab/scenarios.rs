//! Everything that can go wrong with a program, one line each.

use super::scenario::Act::{
    Begin, BeginOther, Cut, Done, Fail, FailOnce, Hear, Notice as On, Reply, Shell, Shuffled, Torn, Unknown,
};
use super::scenario::{Act, Expected, Given, Scenario};
use super::voice::{Fault, Notice};
use crate::machine::FailureKind;
use crate::machine::FailureKind::{Auth, Crashed, Denied, Malformed, Overloaded, RateLimited, Stuck, Timeout, TooLong};

const fn usual(name: &'static str, acts: &'static [Act], expected: Expected) -> Scenario {
    given(name, acts, expected, Given::Usual)
}

const fn given(name: &'static str, acts: &'static [Act], expected: Expected, given: Given) -> Scenario {
    Scenario {
        name,
        acts,
        expected,
        given,
    }
}

/// Words about errors, where they are only words.
const ALARMING: &str =
    "The log says: rate limit, 429, 401 unauthorized, overloaded, permission denied, usage limit reached";

/// A reply with such words before its envelope.
const ALARMING_REPLY: &str = "The log says: 429 rate limit, 401 unauthorized, overloaded, usage limit reached.\n\n```json\n{\"text\": \"It is all in the log.\"}\n```\n";

/// A value that only the person's own environment gives away.
pub(super) const SECRET: (&str, &str) = ("LAB_SECRET", "tall-copper-lantern-marsh");

/// Every scenario.
pub(super) const SCENARIOS: &[Scenario] = &[
    usual("a good turn", &[Begin, Done], Expected::Done),
    usual(
        "words before the reply",
        &[Begin, On(Notice::Said("I will look first.")), Done],
        Expected::Done,
    ),
    given(
        "the result, then it stays",
        &[Begin, Done, Shell("sleep 600")],
        Expected::Done,
        Given::Patient,
    ),
    given(
        "the result, then it stays and will not listen",
        &[Begin, Done, Shell("trap '' TERM; sleep 600")],
        Expected::Done,
        Given::Patient,
    ),
    given(
        "the result, then it talks for ever",
        &[Begin, Done, Shell("while :; do echo bye; sleep 0.1; done")],
        Expected::Done,
        Given::Patient,
    ),
    usual("the result twice", &[Begin, Done, Done], Expected::Done),
    usual(
        "a result that is not the last",
        &[Begin, Reply("I have only begun."), Done],
        Expected::Done,
    ),
    usual(
        "the result, then exit code 1",
        &[Begin, Done, Shell("exit 1")],
        Expected::Done,
    ),
    usual(
        "the result, then a signal",
        &[Begin, Done, Shell("kill -SEGV $$")],
        Expected::Done,
    ),
    usual(
        "the result, then a log line",
        &[Begin, Done, Shell("echo bye")],
        Expected::Done,
    ),
    usual("exit 0 without a byte", &[], Expected::Fails(Crashed)),
    usual("exit 0 without a result", &[Begin], Expected::Fails(Crashed)),
    usual(
        "exit 7 with a message",
        &[Shell("echo it broke >&2; exit 7")],
        Expected::Says(Crashed, "it broke"),
    ),
    usual(
        "ended by a signal",
        &[Begin, Shell("kill -KILL $$")],
        Expected::Fails(Crashed),
    ),
    usual("the last event cut off", &[Begin, Cut], Expected::Fails(Crashed)),
    usual(
        "log lines between events",
        &[Begin, Shell("echo '[info] {not json'; sleep 0.2"), Unknown, Done],
        Expected::Done,
    ),
    usual(
        "an event that nobody knows",
        &[Begin, Unknown, Done, Unknown],
        Expected::Done,
    ),
    usual("keys in another order", &[Begin, Shuffled], Expected::Done),
    usual(
        "bytes that are no UTF-8",
        &[Begin, Shell("printf '\\377\\376\\n'"), Torn],
        Expected::Done,
    ),
    given(
        "a line of 200 MB",
        &[Begin, Shell("head -c 200000000 /dev/zero | tr '\\0' x; echo"), Done],
        Expected::Done,
        Given::Patient,
    ),
    given(
        "100,000 lines",
        &[Begin, Shell("yes '{\"type\":\"noise\"}' | head -n 100000"), Done],
        Expected::Done,
        Given::Patient,
    ),
    given(
        "200 MB of messages",
        &[Begin, Shell("head -c 200000000 /dev/zero | tr '\\0' . >&2"), Done],
        Expected::Done,
        Given::Patient,
    ),
    given(
        "it writes without end",
        &[Begin, Shell("yes \"$(head -c 8000 /dev/zero | tr '\\0' x)\"")],
        Expected::Fails(Malformed),
        Given::Patient,
    ),
    usual(
        "it works for longer than it may be silent",
        &[
            Begin,
            Shell("for i in 1 2 3 4 5 6 7 8 9; do echo working; sleep 0.7; done"),
            Done,
        ],
        Expected::Done,
    ),
    usual(
        "it works and writes only messages",
        &[
            Begin,
            Shell("for i in 1 2 3 4 5 6 7 8 9; do echo working >&2; sleep 0.7; done"),
            Done,
        ],
        Expected::Done,
    ),
    usual(
        "a reply without an envelope",
        &[Begin, Reply("All done, as you wished!")],
        Expected::Fails(Malformed),
    ),
    usual("an empty reply", &[Begin, Reply("")], Expected::Fails(Malformed)),
    usual(
        "an envelope that is cut off",
        &[Begin, Reply("```json\n{\"text\": \"he")],
        Expected::Fails(Malformed),
    ),
    usual(
        "error words in what it says",
        &[Begin, On(Notice::Said(ALARMING)), Reply(ALARMING_REPLY)],
        Expected::Done,
    ),
    usual(
        "error words in its messages",
        &[
            Begin,
            Done,
            Shell("echo 'Error: 429 too many requests, usage limit reached' >&2"),
        ],
        Expected::Done,
    ),
    given(
        "a prompt of 1 MB that nobody reads",
        &[Shell("exec < /dev/null"), Begin, Done],
        Expected::Done,
        Given::LongPrompt,
    ),
    given(
        "a prompt of 1 MB that nobody reads, and it stays",
        &[Begin, Done, Shell("sleep 600")],
        Expected::Done,
        Given::LongPrompt,
    ),
    given(
        "a prompt of 1 MB that is read",
        &[Hear, Begin, Done],
        Expected::Done,
        Given::LongPrompt,
    ),
    given(
        "a prompt of 1 MB that is read after much was said",
        &[Begin, Shell("yes '{\"type\":\"noise\"}' | head -n 50000"), Hear, Done],
        Expected::Done,
        Given::LongPrompt,
    ),
    usual(
        "it waits for input",
        &[Begin, Shell("cat > /dev/null; cat > /dev/null"), Done],
        Expected::Done,
    ),
    usual(
        "it asks for permission and waits",
        &[Begin, Shell("echo 'Allow? [y/n]'; sleep 600")],
        Expected::Fails(Stuck),
    ),
    usual("it goes silent", &[Begin, Shell("sleep 600")], Expected::Fails(Stuck)),
    usual(
        "it closes its output and stays",
        &[Begin, Shell("exec > /dev/null 2>&1; sleep 600")],
        Expected::Fails(Stuck),
    ),
    given(
        "it is silent and will not listen",
        &[Shell("trap '' TERM"), Begin, Shell("while :; do sleep 1; done")],
        Expected::Fails(Timeout),
        Given::Limit,
    ),
    given(
        "it is busy for ever",
        &[Begin, Shell("while :; do echo busy; sleep 0.1; done")],
        Expected::Fails(Timeout),
        Given::Limit,
    ),
    given(
        "it exits with 0 when it is asked to end",
        &[Begin, Shell("trap 'exit 0' TERM; while :; do sleep 0.1; done")],
        Expected::Fails(Timeout),
        Given::Limit,
    ),
    usual(
        "a child is left behind",
        &[Begin, Shell("sleep 600 &"), Done],
        Expected::Done,
    ),
    usual(
        "a child is left in a session of its own",
        &[Begin, Shell("setsid sleep 600 &"), Done],
        Expected::Done,
    ),
    usual(
        "a grandchild is left and has no parent",
        &[Begin, Shell("(setsid sh -c 'sleep 600 & exit' &)"), Done],
        Expected::Done,
    ),
    usual(
        "a child without our variables is left",
        &[Begin, Shell("setsid env -i /bin/sleep 600 &"), Done],
        Expected::Done,
    ),
    usual(
        "a child holds the pipes open",
        &[Begin, Done, Shell("setsid sh -c 'trap \"\" TERM; sleep 600' & exit 0")],
        Expected::Done,
    ),
    usual(
        "a command is not allowed and there is no reply",
        &[Begin, On(Notice::Denied("rm -rf x")), Reply("I could not.")],
        Expected::Says(Denied, "rm -rf x"),
    ),
    usual(
        "a command is not allowed and it says so in its reply",
        &[Begin, On(Notice::Denied("rm -rf x")), Done],
        Expected::Noted("rm -rf x"),
    ),
    usual(
        "it tries again and recovers",
        &[Begin, On(Notice::Retry), Shell("sleep 1.5"), Done],
        Expected::Done,
    ),
    usual(
        "a limit is near",
        &[Begin, On(Notice::LimitNear), Shell("sleep 1.5"), Done],
        Expected::Done,
    ),
    usual(
        "429 at the end",
        &[Begin, Fail(Fault::RateLimited)],
        Expected::Fails(RateLimited),
    ),
    usual(
        "a limit that says when it ends",
        &[
            Begin,
            Fail(Fault::LimitedUntil(
                "You have hit your usage limit. Try again in 2 hours.",
            )),
        ],
        Expected::Resets(true),
    ),
    usual(
        "a limit that ended long ago",
        &[
            Begin,
            Fail(Fault::LimitedUntil(
                "You have hit your usage limit; resets at 2001-01-01T00:00:00Z",
            )),
        ],
        Expected::Resets(false),
    ),
    usual(
        "a limit that only its messages tell of",
        &[
            Begin,
            Shell("echo 'usage limit reached, try again in 20 minutes' >&2; exit 1"),
        ],
        Expected::Resets(true),
    ),
    usual(
        "500 at the end of a good run",
        &[Begin, On(Notice::Said("All is done.")), Fail(Fault::ServerError)],
        Expected::Fails(Overloaded),
    ),
    usual(
        "overloaded",
        &[Begin, Fail(Fault::Overloaded)],
        Expected::Fails(Overloaded),
    ),
    usual("401", &[Begin, Fail(Fault::Auth)], Expected::Fails(Auth)),
    usual(
        "more than it can read",
        &[Begin, Fail(Fault::TooLong)],
        Expected::Fails(TooLong),
    ),
    usual(
        "it refuses",
        &[Begin, Fail(Fault::Refused)],
        Expected::Fails(FailureKind::Refused),
    ),
    given(
        "it goes on with another conversation",
        &[BeginOther, Done],
        Expected::Noted("conversation"),
        Given::Resuming,
    ),
    given(
        "the conversation is gone",
        &[FailOnce(Fault::SessionGone), BeginOther, Done],
        Expected::Noted("lost"),
        Given::Resuming,
    ),
    usual(
        "a secret in its messages",
        &[
            Begin,
            Shell("echo key sk-ant-api03-A1B2C3D4E5A1B2C3D4E5A1B2C3 >&2; exit 3"),
        ],
        Expected::Says(Crashed, "[masked"),
    ),
    usual(
        "a secret of the person in its messages",
        &[Begin, Shell("echo the phrase is tall-copper-lantern-marsh >&2; exit 3")],
        Expected::Says(Crashed, "[masked"),
    ),
    given(
        "the program is not there",
        &[],
        Expected::Says(Crashed, "could not be started"),
        Given::NoProgram,
    ),
    given(
        "the program may not be run",
        &[],
        Expected::Says(Crashed, "could not be started"),
        Given::NotRunnable,
    ),
];
