//! The shapes of tokens: what one begins with in, how far it goes out.
//!
//! Every decision needs only a bounded number of bytes, so that a text that comes in pieces is judged like the whole.

use super::run::{Measured, measure};

/// How many characters of a token decide whether it is one.
pub(super) const WINDOW: usize = 256;
/// The most bytes between a name and its value.
const GAP: usize = 12;

/// One shape of a secret: what it starts with and what follows.
#[derive(Debug)]
pub(super) struct Shape {
    /// What it is called in the text that takes its place.
    pub(super) name: &'static str,
    /// What it starts with.
    pub(super) start: &'static str,
    /// The fewest characters that follow.
    pub(super) least: usize,
    /// What they may be.
    pub(super) body: Body,
    /// What may stand before it.
    pub(super) edge: Edge,
}

/// What the characters after the start may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Letters and digits, a digit among them.
    Plain,
    /// Capital letters and digits.
    Capital,
    /// Hexadecimal digits.
    Hex,
    /// Hexadecimal digits, exactly as many as the fewest: more are something else.
    HexOnly,
    /// Letters, digits, `-` and `_`; at least one digit among them, so that words with hyphens are none.
    Dashed,
    /// The same with dots: several parts in one token.
    Dotted,
    /// What base64 and percent signs are written with.
    Base64,
    /// The end of an address.
    Path,
    /// Three parts with dots between them, of the lengths that one kind of token has.
    Parts,
    /// A value of base64 after the name of its variable, a sign, and maybe quotes.
    Named,
}

/// What may stand before a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// Anything: nothing else is written so.
    Any,
    /// No letter, digit or `_`.
    Word,
    /// A digit.
    Digit,
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No secret.
    Nothing,
    /// It cannot be told before more of the text is there.
    More,
    /// A secret.
    Secret {
        /// How many bytes before it are part of the match and may be read.
        skip: usize,
        /// How many bytes it has.
        length: usize,
        /// What it goes on with where the text ends inside it.
        open: Option<Open>,
    },
}

/// What a secret goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// More characters of a token.
    Token(Body),
    /// More lines of a private key.
    Block,
}

const fn shape(name: &'static str, start: &'static str, least: usize, body: Body, edge: Edge) -> Shape {
    Shape {
        name,
        start,
        least,
        body,
        edge,
    }
}

use Body::{Base64, Capital, Dashed, Dotted, Hex, HexOnly, Named, Parts, Path, Plain};
use Edge::{Any, Digit, Word};

/// Every shape. Where another text might begin alike, a word has to begin there.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    shape("GitHub token", "github_pat_", 30, Dashed, Any),
    shape("GitHub token", "ghp_", 30, Plain, Any),
    shape("GitHub token", "gho_", 30, Plain, Any),
    shape("GitHub token", "ghu_", 30, Plain, Any),
    shape("GitHub token", "ghs_", 30, Plain, Any),
    shape("GitHub token", "ghr_", 30, Plain, Any),
    shape("GitLab token", "glpat-", 20, Dashed, Any),
    shape("GitLab token", "glrt-", 20, Dashed, Word),
    shape("GitLab token", "gldt-", 20, Dashed, Word),
    shape("GitLab token", "glptt-", 20, Dashed, Word),
    shape("GitLab token", "glcbt-", 20, Dashed, Word),
    shape("Stripe key", "sk_live_", 16, Plain, Any),
    shape("Stripe key", "sk_test_", 16, Plain, Any),
    shape("Stripe key", "rk_live_", 16, Plain, Any),
    shape("Stripe key", "rk_test_", 16, Plain, Any),
    shape("Stripe key", "whsec_", 24, Base64, Any),
    shape("model key", "sk-", 20, Dashed, Word),
    shape("model key", "gsk_", 40, Plain, Word),
    shape("model key", "xai-", 40, Plain, Word),
    shape("model key", "pplx-", 40, Plain, Word),
    shape("model key", "r8_", 35, Plain, Word),
    shape("Hugging Face token", "hf_", 30, Plain, Word),
    shape("AWS key id", "AKIA", 16, Capital, Word),
    shape("AWS key id", "ASIA", 16, Capital, Word),
    shape("AWS secret", "aws_secret_access_key", 40, Named, Any),
    shape("AWS secret", "AWS_SECRET_ACCESS_KEY", 40, Named, Any),
    shape("AWS secret", "SecretAccessKey", 40, Named, Any),
    shape("AWS secret", "secretAccessKey", 40, Named, Any),
    shape("AWS secret", "aws_session_token", 40, Named, Any),
    shape("AWS secret", "AWS_SESSION_TOKEN", 40, Named, Any),
    shape("AWS secret", "SessionToken", 100, Named, Any),
    shape("Google key", "AIza", 35, Dashed, Word),
    shape("Google token", "ya29.", 20, Dashed, Word),
    shape("Google secret", "GOCSPX-", 24, Dashed, Any),
    shape("Azure key", "AccountKey", 40, Named, Any),
    shape("Azure key", "SharedAccessKey", 40, Named, Any),
    shape("Azure signature", "?sig=", 40, Base64, Any),
    shape("Azure signature", "&sig=", 40, Base64, Any),
    shape("DigitalOcean token", "dop_v1_", 60, Hex, Any),
    shape("DigitalOcean token", "doo_v1_", 60, Hex, Any),
    shape("DigitalOcean token", "dor_v1_", 60, Hex, Any),
    shape("Slack token", "xoxa-", 10, Dashed, Any),
    shape("Slack token", "xoxb-", 10, Dashed, Any),
    shape("Slack token", "xoxc-", 10, Dashed, Any),
    shape("Slack token", "xoxd-", 10, Base64, Any),
    shape("Slack token", "xoxe-", 10, Dashed, Any),
    shape("Slack token", "xoxe.xox", 10, Dashed, Any),
    shape("Slack token", "xoxp-", 10, Dashed, Any),
    shape("Slack token", "xoxr-", 10, Dashed, Any),
    shape("Slack token", "xoxs-", 10, Dashed, Any),
    shape("Slack token", "xapp-", 10, Dashed, Word),
    shape("Slack webhook", "hooks.slack.com/services/", 20, Path, Any),
    shape("Slack webhook", "hooks.slack.com/workflows/", 20, Path, Any),
    shape("Discord webhook", "discord.com/api/webhooks/", 20, Path, Any),
    shape("Discord webhook", "discordapp.com/api/webhooks/", 20, Path, Any),
    shape("Discord token", "MT", 0, Parts, Word),
    shape("Discord token", "Mj", 0, Parts, Word),
    shape("Discord token", "Mz", 0, Parts, Word),
    shape("Discord token", "ND", 0, Parts, Word),
    shape("Discord token", "NT", 0, Parts, Word),
    shape("Discord token", "Nj", 0, Parts, Word),
    shape("Discord token", "Nz", 0, Parts, Word),
    shape("Discord token", "OD", 0, Parts, Word),
    shape("Discord token", "OT", 0, Parts, Word),
    shape("Telegram token", ":AA", 32, Dashed, Digit),
    shape("npm token", "npm_", 36, Plain, Word),
    shape("PyPI token", "pypi-", 50, Dashed, Word),
    shape("RubyGems key", "rubygems_", 40, Hex, Any),
    shape("Docker token", "dckr_pat_", 20, Dashed, Any),
    shape("SendGrid key", "SG.", 40, Dotted, Word),
    shape("Mailgun key", "key-", 32, HexOnly, Word),
    shape("Twilio key", "SK", 32, HexOnly, Word),
    shape("Vault token", "hvs.", 24, Dashed, Word),
    shape("Vault token", "hvb.", 24, Dashed, Word),
    shape("Vault token", "hvr.", 24, Dashed, Word),
    shape("Terraform token", ".atlasv1.", 40, Dashed, Any),
    shape("Shopify token", "shpat_", 32, Hex, Any),
    shape("Shopify token", "shpss_", 32, Hex, Any),
    shape("Shopify token", "shpca_", 32, Hex, Any),
    shape("Shopify token", "shppa_", 32, Hex, Any),
    shape("Linear key", "lin_api_", 32, Plain, Any),
    shape("Notion token", "ntn_", 40, Plain, Word),
    shape("Notion token", "secret_", 40, Plain, Word),
    shape("Fly token", "fm2_", 40, Base64, Word),
    shape("Fly token", "fm1r_", 40, Base64, Word),
    shape("Fly token", "fo1_", 40, Base64, Word),
    shape("Doppler token", "dp.pt.", 40, Plain, Word),
    shape("Doppler token", "dp.st.", 40, Dotted, Word),
    shape("Doppler token", "dp.ct.", 40, Plain, Word),
    shape("Doppler token", "dp.sa.", 40, Plain, Word),
    shape("Databricks token", "dapi", 32, Hex, Word),
    shape("Figma token", "figd_", 40, Dashed, Word),
    shape("Netlify token", "nfp_", 36, Plain, Word),
    shape("Heroku token", "HRKU-", 36, Dashed, Word),
    shape("Postman key", "PMAK-", 50, Dashed, Word),
    shape("PlanetScale token", "pscale_tkn_", 30, Dashed, Any),
    shape("PlanetScale token", "pscale_pw_", 30, Dashed, Any),
    shape("Supabase token", "sbp_", 40, Hex, Word),
    shape("Sentry token", "sntrys_", 40, Base64, Any),
    shape("Grafana token", "glsa_", 32, Dashed, Word),
    shape("New Relic key", "NRAK-", 27, Capital, Word),
    shape("Tailscale key", "tskey-", 20, Dashed, Word),
    shape("Square token", "sq0atp-", 22, Dashed, Any),
    shape("Square token", "sq0csp-", 22, Dashed, Any),
    shape("age key", "AGE-SECRET-KEY-1", 50, Capital, Any),
    shape("Atlassian token", "ATATT3", 60, Base64, Word),
    shape("signed token", "eyJ", 30, Dotted, Word),
];

impl Shape {
    /// Judges a text that begins with the start of this shape; `last` says that no more of it comes.
    pub(super) fn judge(&self, text: &[u8], last: bool) -> Verdict {
        let body = &text[self.start.len()..];
        match self.body {
            Parts => parts(text, last),
            Named => self.named(body, last),
            Plain | Capital | Hex | HexOnly | Dashed | Dotted | Base64 | Path => {
                self.token(measure(body, self.body, self.least, last), 0, self.start.len())
            }
        }
    }

    /// Judges what was measured; `before` bytes of the match are part of the secret, `skip` are not.
    fn token(&self, measured: Measured, skip: usize, before: usize) -> Verdict {
        let Measured {
            length, count, open, ..
        } = measured;
        if self.body == HexOnly {
            return match (count == self.least, open) {
                (true, false) => secret(skip, before + length, None),
                (_, true) if count <= self.least => Verdict::More,
                (_, true | false) => Verdict::Nothing,
            };
        }
        let enough = count >= self.least && measured.is_made(self.body);
        match (enough, open) {
            (true, open) => secret(skip, before + length, open.then_some(Open::Token(self.run()))),
            (false, true) if count < WINDOW => Verdict::More,
            (false, true | false) => Verdict::Nothing,
        }
    }

    fn run(&self) -> Body {
        match self.body {
            Named => Base64,
            body => body,
        }
    }

    fn named(&self, rest: &[u8], last: bool) -> Verdict {
        let is_gap = |byte: &&u8| b" \t\"'\\:=>".contains(byte);
        let gap = rest.iter().take(GAP).take_while(is_gap).count();
        if gap == rest.len() && !last {
            return Verdict::More;
        }
        if !rest[..gap].iter().any(|byte| matches!(byte, b':' | b'=')) {
            return Verdict::Nothing;
        }
        let measured = measure(&rest[gap..], Base64, self.least, last);
        self.token(measured, self.start.len() + gap, 0)
    }
}

const fn secret(skip: usize, length: usize, open: Option<Open>) -> Verdict {
    Verdict::Secret { skip, length, open }
}

/// Judges a token of three parts: 23 to 28 characters, 6, and 27 to 38.
fn parts(text: &[u8], last: bool) -> Verdict {
    const LONGEST: usize = 28 + 1 + 6 + 1 + 38;
    let fits = |byte: &&u8| fits(**byte, Dotted);
    let length = text.iter().take(LONGEST + 1).take_while(fits).count();
    if length == text.len() && length <= LONGEST && !last {
        return Verdict::More;
    }
    let lengths: Vec<usize> = text[..length].split(|byte| *byte == b'.').map(<[u8]>::len).collect();
    match lengths[..] {
        [23..=28, 6, 27..=38] => secret(0, length, None),
        _ => Verdict::Nothing,
    }
}

/// Says whether a byte may be part of a token.
pub(super) fn fits(byte: u8, body: Body) -> bool {
    let plain = byte.is_ascii_alphanumeric();
    match body {
        Plain => plain,
        Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        Hex | HexOnly => byte.is_ascii_hexdigit(),
        Dashed => plain || matches!(byte, b'-' | b'_'),
        Dotted | Parts => plain || matches!(byte, b'-' | b'_' | b'.'),
        Base64 | Named => plain || matches!(byte, b'-' | b'_' | b'+' | b'/' | b'=' | b'%'),
        Path => plain || matches!(byte, b'-' | b'_' | b'/'),
    }
}
