//! What is masked, what is not, and that it does not matter how a text is cut.

use super::shape::{Body, SHAPES};
use super::{Masker, Secrets, masked, masked_loosely};
use std::sync::Arc;

/// Written in halves, so that no scanner takes this file for a leak.
fn token(start: &str, length: usize) -> String {
    let body: String = "A1B2C3D4E5".chars().cycle().take(length).collect();
    format!("{start}{body}")
}

fn sample(start: &str, least: usize, body: Body) -> String {
    match body {
        Body::Dotted => format!("{start}{}.{}", token("", 30), token("", 30)),
        Body::Parts => format!("{start}{}.{}.{}", token("", 22), token("", 6), token("", 30)),
        Body::Named => format!("{start} = \"{}", token("", least)),
        Body::Plain | Body::Capital | Body::Hex | Body::HexOnly | Body::Dashed | Body::Base64 | Body::Path => {
            token(start, least)
        }
    }
}

fn private_key(breaks: &str) -> String {
    let begin = concat!("-----BEGIN RSA PRIV", "ATE KEY-----");
    let end = concat!("-----END RSA PRIV", "ATE KEY-----");
    format!("{begin}{breaks}{}{breaks}MIIE+/={breaks}{end}", token("", 64))
}

/// Masks a text that comes in pieces of these lengths, over and over.
fn cut(secrets: &Arc<Secrets>, text: &str, lengths: &[usize]) -> String {
    let mut masker = Masker::new(Arc::clone(secrets));
    let mut given = Vec::new();
    let (mut rest, mut lengths) = (text.as_bytes(), lengths.iter().cycle());
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(*lengths.next().unwrap()));
        given.extend(masker.push(piece));
        rest = after;
    }
    given.extend(masker.finish());
    String::from_utf8(given).unwrap()
}

fn environment() -> Arc<Secrets> {
    Secrets::new([
        ("MY_API_KEY", "hunter2-\"quoted\"/and more"),
        ("DEPLOY_TOKEN", "zq81nv02kx"),
        ("SHORT_KEY", "abc"),
        ("HOME", "/home/somebody"),
    ])
}

#[test]
fn every_shape_is_masked_where_it_stands() {
    for shape in SHAPES {
        let secret = sample(shape.start, shape.least, shape.body);
        let before = if shape.start == ":AA" {
            "key=\"123456789"
        } else {
            "key=\""
        };
        let kept = if shape.body == Body::Named {
            format!("{} = \"", shape.start)
        } else {
            String::new()
        };
        let text = format!("{before}{secret}\", next");
        assert_eq!(
            masked(&text),
            format!("{before}{kept}[masked: {}]\", next", shape.name),
            "{text}"
        );
    }
}

#[test]
fn ordinary_words_are_left_alone() {
    let text = "task-oriented risk-assessment-of-the-whole-project-2024 sk-short skeleton AKIA npm_run eyJust.a.word ghp_ \
                scikit sk-learn-is-a-library-for-people key-value MTU NTP ODE SKU dapi 10:AAA secret_sauce \
                AccountKey is needed, aws_secret_access_key = <yours>, hooks.slack.com/services/ disk-12345678901234567890";
    assert_eq!(masked(text), text);
}

#[test]
fn a_private_key_is_masked_whole_in_text_and_in_json() {
    assert_eq!(
        masked(&format!("a\n{}\nb", private_key("\n"))),
        "a\n[masked: private key]\nb"
    );
    let json = format!("{{\"a\": \"{}\"}}", private_key("\\n"));
    assert_eq!(masked(&json), "{\"a\": \"[masked: private key]\"}");
    let begin = concat!("-----BEGIN PRIV", "ATE KEY-----");
    let torn = format!("\"{begin}\\nMIIE\\n\\\"\", \"b\": 1");
    assert_eq!(masked(&torn), "\"[masked: private key]\\\"\", \"b\": 1");
}

#[test]
fn a_key_that_is_longer_than_any_key_is_masked_to_its_end() {
    let begin = concat!("-----BEGIN PRIV", "ATE KEY-----");
    let lines = format!("{}\n", token("", 64)).repeat(400);
    assert_eq!(masked(&format!("{begin}\n{lines}. b")), "[masked: private key]. b");
}

#[test]
fn a_public_key_is_no_secret() {
    let text = "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----";
    assert_eq!(masked(text), text);
}

#[test]
fn a_token_after_an_escape_is_masked() {
    for before in ["\\n", "%3D", "\u{1b}[31m", "\u{1b}[1;31m"] {
        let text = format!("a{before}{}", token("sk-", 36));
        assert_eq!(masked(&text), format!("a{before}[masked: model key]"));
    }
}

#[test]
fn a_token_that_is_folded_over_lines_is_masked_whole() {
    for fold in ["\n", "\r\n", "\n    ", "\\n", "\\\n"] {
        let text = format!("{}{fold}{}", token("ghp_", 20), token("", 16));
        assert_eq!(masked(&text), "[masked: GitHub token]", "{text}");
        let long = format!("{}{fold}{}. And", token("sk-ant-", 60), "aB3dE6gH9jK2mN5pQ8sT");
        assert_eq!(masked(&long), "[masked: model key]. And", "{long}");
    }
    let next = format!("{}\nthen 2 more lines", token("ghp_", 36));
    assert_eq!(masked(&next), "[masked: GitHub token]\nthen 2 more lines");
}

#[test]
fn letters_of_any_script_pass_through() {
    let text = "naïve — 鍵 sk-ключ";
    assert_eq!(masked(text), text);
}

#[test]
fn values_of_the_environment_are_masked_in_every_form() {
    let secrets = environment();
    for written in [
        "hunter2-\"quoted\"/and more",
        "hunter2-\\\"quoted\\\"/and more",
        "hunter2-%22quoted%22%2Fand%20more",
        "hunter2-%22quoted%22%2fand%20more",
    ] {
        assert_eq!(secrets.masked(&format!("<{written}>")), "<[masked: MY_API_KEY]>");
    }
    // The value in base64, alone and after one, two and no more bytes of a group, as in a header.
    for written in [
        "enE4MW52MDJreA==",
        "YTp6cTgxbnYwMmt4",
        "bWU6enE4MW52MDJreDo=",
        "eW91OnpxODFudjAya3ggYW5kIG1vcmU=",
    ] {
        let told = secrets.masked(written);
        let left = told.replacen("[masked: DEPLOY_TOKEN]", "", 1);
        assert!(left.len() + 12 <= written.len() && told != written, "{told}");
    }
    assert_eq!(secrets.masked("abc in /home/somebody"), "abc in /home/somebody");
}

#[test]
fn what_a_name_gives_away_is_masked_in_logs_only() {
    let basic = format!("Basic {}", "dXNlcjpwYXNz");
    for (text, loosely) in [
        ("password = hunter2", "password = [masked: password]"),
        ("PASSWORD: 'two words', x", "PASSWORD: '[masked: password]', x"),
        (
            "{\"db_password\": \"pw1\", \"a\": 1}",
            "{\"db_password\": \"[masked: password]\", \"a\": 1}",
        ),
        ("ACME_API_KEY=abc DEBUG=1", "ACME_API_KEY=[masked: key] DEBUG=1"),
        ("A_SECRET_VALUE=abc;", "A_SECRET_VALUE=[masked: secret];"),
        ("export MY_TOKEN=abc", "export MY_TOKEN=[masked: token]"),
        ("sent Bearer abc12345", "sent Bearer [masked: token]"),
        (
            "https://me:pw@host/x and http://host:80/@a",
            "https://me:[masked: password]@host/x and http://host:80/@a",
        ),
        (
            "max_tokens=4096, the bearer of news, a password",
            "max_tokens=4096, the bearer of news, a password",
        ),
    ] {
        assert_eq!(masked(text), text);
        assert_eq!(masked_loosely(text), loosely);
    }
    assert_eq!(
        masked_loosely(&format!("Authorization: {basic}\nb")),
        "Authorization: [masked: authorization]\nb"
    );
}

#[test]
fn json_stays_json() {
    let key = serde_json::to_string(&private_key("\n")).unwrap();
    let begin = concat!("-----BEGIN PRIV", "ATE KEY-----");
    let json = format!(
        "{{\"a\": {key}, \"b\": \"{begin}\\n\", \"c\": [\"-----END x-----\", \"{}\"]}}",
        token("ghp_", 36)
    );
    assert_eq!(
        Secrets::common().masked_json(&json),
        "{\"a\": \"[masked: private key]\", \"b\": \"[masked: private key]\", \"c\": [\"-----END x-----\", \"[masked: GitHub token]\"]}"
    );
}

/// Every shape, values, keys with and without an end, and what is nearly one.
fn everything() -> String {
    let mut text = String::from("start sk sk- -----BEG -----BEGIN x");
    for (at, shape) in SHAPES.iter().enumerate() {
        let least = shape.least.saturating_sub(at % 3 / 2);
        text.push_str(["\n", " ", "\\n", ", \"", "zq81nv02"][at % 5]);
        text.push_str(&sample(shape.start, least, shape.body));
        text.push_str(["", "\n    ", "\\nA1b2C3d4E5f6G7h8I9", "\""][at % 4]);
    }
    let begin = concat!("-----BEGIN PRIV", "ATE KEY-----");
    let long = format!("{}\\n", token("", 64)).repeat(150);
    let key = private_key("\n");
    let value = "hunter2-\"quoted\"/and more zq81nv02kx ";
    format!("{text}{key} {value}{begin}\\n{long}\\\", {value}{key}x{begin} MIIE, zq81nv02k")
}

#[test]
fn a_text_is_masked_alike_however_it_is_cut() {
    let (secrets, text) = (environment(), everything());
    let whole = secrets.masked(&text).into_owned();
    for length in (1..40).chain([63, 64, 65, 511, 1000, 4096, 8192, 9000]) {
        assert_eq!(cut(&secrets, &text, &[length]), whole, "pieces of {length}");
    }
    // Lengths that repeat late: every place of the text is cut in one of the passes.
    let mut seed = 7_usize;
    for _ in 0..40 {
        let lengths: Vec<usize> = (0..17)
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                1 + (seed >> 33) % [3, 30, 300, 3000][(seed >> 20) % 4]
            })
            .collect();
        assert_eq!(cut(&secrets, &text, &lengths), whole, "{lengths:?}");
    }
    assert!(!whole.contains("zq81nv02kx") && !whole.contains("MIIE"), "{whole}");
}

#[test]
fn little_is_held_back() {
    let secrets = environment();
    let mut masker = Masker::new(Arc::clone(&secrets));
    let (mut taken, mut given) = (0, 0);
    for piece in "a plain line, then sk-\n".repeat(2000).as_bytes().chunks(100) {
        taken += piece.len();
        given += masker.push(piece).len();
        assert!(taken - given < 64, "{taken} {given}");
    }
    let mut masker = Masker::new(secrets);
    let begin = concat!("-----BEGIN PRIV", "ATE KEY-----\n");
    masker.push(begin.as_bytes());
    for _ in 0..1000 {
        masker.push(token("", 64).as_bytes());
        assert!(masker.held() <= 9 * 1024);
    }
}
