//! What `bmad.toml` lets agents be and do in, whether a person agreed to it out: before a run, and before every call.

use super::hooks;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::{Call, Driver, Turn, Wait, Workspace};
use crate::machine::{Failure as Refused, FailureKind};
use crate::model::SETTINGS;
use crate::os::trust::Trust;
use crate::project::{Engaged, Staffed, engaged};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something about agents, and whether somebody trusts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct EngagedAgent {
    /// What it is.
    pub(in crate::cli) own: Engaged,
    /// What is trusted.
    pub(in crate::cli) seal: String,
    /// Whether it is.
    pub(in crate::cli) is_trusted: bool,
}

/// Where a project is, and where it is kept what a person trusts in it.
#[derive(Clone, Copy)]
pub(super) struct Home<'a> {
    pub(super) root: &'a Path,
    /// The folder that runs are kept in, where the person named one.
    pub(super) state: Option<&'a Path>,
}

/// Lists what the settings of a project say about agents that somebody has to trust.
pub(super) fn found(staffed: &Staffed, home: Home<'_>, session: &Session<'_>) -> Result<Vec<EngagedAgent>, Failure> {
    let all = engaged(staffed);
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let trusted = Trust::of(&super::open_store(home.state, home.root, session)?).seals();
    let host = session.host();
    let each = all.into_iter().map(|own| {
        let seal = own.seal(home.root, &*host);
        EngagedAgent {
            is_trusted: trusted.contains(&seal),
            own,
            seal,
        }
    });
    Ok(each.collect())
}

/// Refuses to go on where one of these agents is what it is by settings that nobody trusts. Whom the person named
/// themselves they trust.
pub(super) fn check(
    staffed: &Staffed,
    specs: &[String],
    typed: Option<&str>,
    home: Home<'_>,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let is_asked = |own: &Engaged| specs.iter().any(|spec| own.concerns(spec));
    let is_typed = |own: &Engaged| typed.is_some_and(|spec| own.is_typed(spec));
    let all = found(staffed, home, session)?;
    let first = all
        .iter()
        .find(|it| !it.is_trusted && is_asked(&it.own) && !is_typed(&it.own));
    let Some(EngagedAgent { own, .. }) = first else {
        return Ok(());
    };
    let says = crate::cli::brief::short(&session.secrets.masked_loosely(&own.says).replace('\n', ", "));
    let trust = hooks::trust(SETTINGS, home.state);
    let mut failure = Failure::usage(format!(
        "{}: `{}`: nobody trusted this in this project: `{says}`",
        own.place, own.key
    ));
    if let Some(key) = asked_later(own, staffed, specs) {
        failure = failure.with_hint(format!("`{key}` lets it be asked, whoever is asked first"));
    }
    Err(failure
        .with_hint(format!("`{trust}` shows what it starts and allows, and trusts it"))
        .with_hint(format!("where nobody can be asked, as in CI: `{trust} --yes`"))
        .with_hint("nothing was started"))
}

/// Returns the setting by which an agent is asked that is not the first one.
fn asked_later<'a>(own: &Engaged, staffed: &'a Staffed, specs: &[String]) -> Option<&'a str> {
    let at = specs.iter().position(|spec| own.concerns(spec)).filter(|at| *at > 0)?;
    let named = staffed.named.iter().find(|named| named.agent == specs[at])?;
    Some(&named.key)
}

/// Returns what is set about agents without what nobody trusts.
pub(super) fn trusted(staffed: &Staffed, home: Home<'_>, session: &Session<'_>) -> Result<Staffed, Failure> {
    let all = found(staffed, home, session)?;
    let is_refused = |name: &str| all.iter().any(|it| !it.is_trusted && it.own.is_table(name));
    let mut rest = Staffed {
        staff: staffed.staff.clone(),
        ..Staffed::default()
    };
    rest.staff.agents.retain(|(name, _)| !is_refused(name));
    Ok(rest)
}

/// Looks at what is trusted again whenever an agent is about to be called: a script may have changed since the run began.
pub(super) struct Watch {
    all: Vec<Engaged>,
    typed: Option<String>,
    trust: Trust,
    root: PathBuf,
    host: Arc<dyn Workspace>,
    hint: String,
}

impl Watch {
    pub(super) fn over(
        staffed: &Staffed,
        typed: Option<&str>,
        home: Home<'_>,
        session: &Session<'_>,
    ) -> Result<Arc<Self>, Failure> {
        Ok(Arc::new(Self {
            all: engaged(staffed),
            typed: typed.map(str::to_owned),
            trust: Trust::of(&super::open_store(home.state, home.root, session)?),
            root: home.root.to_path_buf(),
            host: session.host(),
            hint: hooks::trust(SETTINGS, home.state),
        }))
    }

    /// Returns the agent of a spec so that it is called only as long as what it is by is trusted.
    pub(super) fn guard(self: &Arc<Self>, spec: &str, driver: Box<dyn Driver>) -> Arc<dyn Driver> {
        let is_typed = |own: &Engaged| self.typed.as_deref().is_some_and(|spec| own.is_typed(spec));
        let concerned = self.all.iter().filter(|own| own.concerns(spec) && !is_typed(own));
        let own: Vec<Engaged> = concerned.cloned().collect();
        match own.is_empty() {
            true => Arc::from(driver),
            false => Arc::new(Guarded {
                inner: driver,
                own,
                watch: Arc::clone(self),
            }),
        }
    }
}

/// An agent that is called only as long as what it is by is trusted.
struct Guarded {
    inner: Box<dyn Driver>,
    own: Vec<Engaged>,
    watch: Arc<Watch>,
}

impl Guarded {
    fn refusal(&self) -> Option<Refused> {
        let trusted = self.watch.trust.seals();
        let is_refused = |own: &&Engaged| !trusted.contains(&own.seal(&self.watch.root, &*self.watch.host));
        let own = self.own.iter().find(is_refused)?;
        Some(Refused {
            kind: FailureKind::Denied,
            message: format!(
                "{}: `{}` or a script that it starts changed since somebody trusted it; `{}` shows and trusts it",
                own.place, own.key, self.watch.hint
            ),
        })
    }
}

impl Driver for Guarded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn works_on_files(&self) -> bool {
        self.inner.works_on_files()
    }

    fn runs_hooks(&self) -> bool {
        self.inner.runs_hooks()
    }

    fn counts(&self) -> bool {
        self.inner.counts()
    }

    fn own_files(&self) -> Vec<PathBuf> {
        self.inner.own_files()
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        match self.refusal() {
            Some(refused) => Box::pin(std::future::ready(Call::from(Err(refused)))),
            None => self.inner.perform(turn),
        }
    }
}
