//! The words of reviewers, as lists: what they say a text lacks, what they mean by it, what is opposite to what.
//!
//! Words are written in their plain form; the lexicon brings them to their stems.

use super::class::Class;

/// Words that deny.
pub(super) const NOTHING: &[&str] = &[
    "not", "no", "never", "without", "nothing", "none", "nobody", "nowhere", "neither", "nor",
];

/// Words for saying: what is not said is missing.
pub(super) const SAYING: &str = "say state mention specify define describe explain document cover address name list \
    include provide tell give discuss cite indicate clarify detail note record identify set out spell declare announce \
    contain offer answer settle decide determine establish consider think treat deal stated";

/// Words that every sentence has, and words for the text itself.
pub(super) const STOP: &str = "a an the this that these those it its is are was were be been being am do does did done \
    has have had having can could may might must shall should will would to of in on at by for from with within into \
    onto about above below as or and but if then than so such too also very just only even still yet there here their \
    they them we us our you your he she his her who whom whose which what when where why how whether while because since \
    until unless though although any some all each every both either other another same own one ones more most much many \
    few less least several various however therefore thus hence per via between among across against over under up down \
    out off again ever always often usually currently already now later actually simply really quite rather get gets got \
    make makes made making let lets go goes going take takes put use uses used using happen happens happened occur occurs \
    mean means meant seem seems appear appears need needs needed want wants \
    section text document page chapter paragraph sentence statement part place spec specification prd story design \
    architecture plan requirement rule heading passage wording claim says said stating tells anything something \
    system product application app thing things way case cases fact example instance kind sort clear clearly explicit \
    explicitly exactly exact specific specifically given etc eg ie e g i \
    state mention specify define describe explain document cover address name list include provide tell give discuss \
    cite indicate clarify detail note identify declare contain answer consider stated defined anywhere";

/// A word that makes a claim of a kind and says nothing else.
pub(super) const CLASS_WORDS: &[(Class, &str)] = &[
    (
        Class::Missing,
        "missing lack lacks lacking absent absence omit omits omitted omission undefined unspecified unstated undocumented \
         unaddressed unmentioned unhandled uncovered gap silent incomplete forgets forgotten overlooks unanswered unknown \
         unlimited unbounded endless endlessly infinite infinitely forever indefinitely unvalidated unchecked",
    ),
    (
        Class::Contradiction,
        "contradict contradicts contradiction contradictory conflict conflicts conflicting inconsistent inconsistency \
         inconsistently mismatch mismatches disagree disagrees differ differs different discrepancy incompatible clash \
         clashes diverge diverges odds",
    ),
    (
        Class::Vague,
        "vague vaguely unclear ambiguous ambiguity ambiguously imprecise fuzzy subjective interpretation nebulous woolly \
         loosely unspecific handwavy",
    ),
    (
        Class::Untestable,
        "untestable unmeasurable immeasurable unverifiable unquantified unquantifiable unfalsifiable qualitative",
    ),
    (
        Class::Unfounded,
        "unfounded unsupported unjustified unsubstantiated unsourced assumption assumes assumed presumes unproven",
    ),
    (
        Class::Infeasible,
        "infeasible unfeasible unrealistic impossible unachievable unattainable unworkable impractical",
    ),
    (
        Class::Wrong,
        "wrong incorrect incorrectly wrongly false untrue inaccurate mistaken outdated stale obsolete erroneous",
    ),
    (
        Class::Duplicate,
        "duplicate duplicates duplicated duplication redundant redundancy twice verbatim",
    ),
    (
        Class::Excess,
        "unnecessary unneeded superfluous overengineered scope overkill",
    ),
    (
        Class::Style,
        "typo misspelt misspelled spelling grammar grammatical typographical misspelling",
    ),
    (Class::Broken, "broken dangling dead"),
];

/// A word that makes a claim of a kind and says what it is about as well.
pub(super) const KEPT_CLASS_WORDS: &[(Class, &str)] = &[
    (
        Class::Unsafe,
        "insecure unsafe vulnerable vulnerability injection attacker exploit plaintext cleartext unauthenticated \
         unauthorized unauthorised xss csrf spoof leak leaks exposed exposes unencrypted brute",
    ),
    (
        Class::Fault,
        "panic panics crash crashes unwrap deadlock hang hangs race overflow underflow segfault null nullpointer",
    ),
    (Class::Slow, "slow inefficient quadratic slowly"),
];

/// What a denied word claims.
pub(super) const DENIED: &[(Class, &str)] = &[
    (Class::Vague, "clear precise specific concrete unambiguous obvious"),
    (
        Class::Contradiction,
        "match agree align fit correspond equal consistent compatible tally",
    ),
    (Class::Wrong, "true correct accurate right hold"),
    (Class::Broken, "exist resolve found"),
    (
        Class::Unfounded,
        "justify support back substantiate source evidence rationale justification basis citation",
    ),
];

/// What is untestable or infeasible where it cannot be done, or is not …able.
pub(super) const UNABLE: &[(Class, &str)] = &[
    (
        Class::Untestable,
        "test measure verify check prove quantify falsify demonstrate measurable testable verifiable",
    ),
    (
        Class::Infeasible,
        "meet keep achieve reach deliver finish feasible possible realistic work achievable attainable guarantee",
    ),
];

/// Words that mean something only together: the kind of claim, and what it is about.
pub(super) const PHRASES: &[(&str, Option<Class>, Option<&str>)] = &[
    ("open to interpretation", Some(Class::Vague), None),
    ("can mean anything", Some(Class::Vague), None),
    ("could mean anything", Some(Class::Vague), None),
    ("left open", Some(Class::Missing), None),
    ("leaves open", Some(Class::Missing), None),
    ("left out", Some(Class::Missing), None),
    ("fails to", Some(Class::Missing), None),
    ("out of date", Some(Class::Wrong), None),
    ("out of scope", Some(Class::Excess), None),
    ("at odds", Some(Class::Contradiction), None),
    ("rule each other out", Some(Class::Contradiction), None),
    ("both be true", Some(Class::Contradiction), None),
    ("leads nowhere", Some(Class::Broken), None),
    ("points nowhere", Some(Class::Broken), None),
    ("no such", Some(Class::Broken), None),
    ("no longer", None, None),
    ("how long", None, Some("duration")),
    ("how many", None, Some("limit")),
    ("how often", None, Some("limit")),
    ("how much", None, Some("amount")),
    ("how fast", None, Some("speed")),
    ("who is", None, Some("owner")),
    ("who", None, Some("owner")),
    ("whose", None, Some("owner")),
    ("at the same time", None, Some("concurrent")),
    ("at the same moment", None, Some("concurrent")),
    ("at once", None, Some("concurrent")),
    ("side by side", None, Some("concurrent")),
    ("give up", None, Some("limit")),
    ("gives up", None, Some("limit")),
    ("upper bound", None, Some("limit")),
    ("sign in", None, Some("login")),
    ("signed in", None, Some("login")),
    ("log in", None, Some("login")),
    ("logged in", None, Some("login")),
    ("log out", None, Some("logout")),
    ("plain text", Some(Class::Unsafe), Some("encryption")),
    ("clear text", Some(Class::Unsafe), Some("encryption")),
    ("roll back", None, Some("undo")),
    ("rolled back", None, Some("undo")),
    ("go wrong", None, Some("failure")),
    ("goes wrong", None, Some("failure")),
    ("acceptance criteria", None, Some("criterion")),
    ("acceptance criterion", None, Some("criterion")),
    ("success criteria", None, Some("criterion")),
    ("response time", None, Some("speed")),
    ("single point of failure", None, Some("spof")),
];

/// Words for the same thing.
pub(super) const GROUPS: &[(&str, &str)] = &[
    (
        "limit",
        "limit limits maximum max cap caps bound bounds bounded ceiling end ends ending stop stops terminate terminates \
         finish unlimited unbounded endless endlessly infinite infinitely forever indefinitely quota",
    ),
    ("minimum", "minimum min floor"),
    (
        "duration",
        "duration timeout deadline period interval delay wait ttl lifetime lifespan",
    ),
    (
        "owner",
        "owner owns own responsible responsibility accountable accountability assignee approver approves",
    ),
    (
        "failure",
        "error errors failure fail fails failing failed exception fault faults outage down unavailable unreachable",
    ),
    (
        "concurrent",
        "concurrent concurrently concurrency simultaneous simultaneously parallel race",
    ),
    (
        "metric",
        "number figure metric metrics threshold target quantity measure measurable measurement quantify quantified numeric \
         benchmark value kpi",
    ),
    ("reason", "reason rationale justification justify basis motivation"),
    ("source", "source citation cite evidence proof study research survey"),
    (
        "user",
        "user users customer customers person people client clients visitor member",
    ),
    ("admin", "admin administrator administrators superuser"),
    (
        "store",
        "save saves saved saving store stores stored storage persist persists persistence persisted",
    ),
    (
        "remove",
        "delete deletes deleted deletion remove removes removal erase erased erasure purge purged",
    ),
    (
        "change",
        "change changes changed update updates updated modify modifies modified modification edit edits edited editing",
    ),
    (
        "create",
        "create creates created creation add adds added insert inserted",
    ),
    (
        "send",
        "send sends sent transmit transmits deliver delivered delivery post",
    ),
    (
        "login",
        "login logon signin authenticate authenticates authenticated authentication auth unauthenticated credential credentials",
    ),
    (
        "permission",
        "permission permissions authorization authorisation authorize authorized privilege privileges role roles access \
         unauthorized unauthorised",
    ),
    (
        "encryption",
        "encrypt encrypts encrypted encryption plaintext cleartext unencrypted tls",
    ),
    (
        "check",
        "verify verifies verified verification validate validates validated validation unvalidated unchecked sanitize sanitise sanitized",
    ),
    (
        "retry",
        "retry retries retried retrying attempt attempts reattempt repeat repeats repeated",
    ),
    (
        "speed",
        "fast faster slow slowly performance latency speed quick quickly responsive response",
    ),
    ("cost", "cost costs price prices budget expense expensive pricing money"),
    (
        "load",
        "load traffic volume throughput scale scales scaling scalability",
    ),
    ("recover", "recover recovers recovery restore restores backup backups"),
    ("audit", "log logs logged logging audit trace traces tracing"),
    (
        "notify",
        "notify notifies notified notification notifications alert alerts alerted warn warns warning inform informs informed",
    ),
    ("format", "format formats schema structure"),
    ("version", "version versions versioning release releases"),
    ("migrate", "migrate migrates migration upgrade upgrades"),
    (
        "link",
        "link links url reference references referenced refers refer href",
    ),
    (
        "import",
        "import imports imported importing upload uploads uploaded ingest ingestion importer",
    ),
    ("export", "export exports exported download downloads downloaded"),
    ("input", "input inputs parameter parameters argument arguments"),
    ("result", "return returns result results output outputs reply replies"),
    ("default", "default defaults fallback"),
    ("order", "order orders sequence ordering sort sorted"),
    ("undo", "rollback undo revert reverts reverted"),
    (
        "retention",
        "retention retain retains retained keep keeps kept expire expires expired expiry expiration",
    ),
    ("term", "term word phrase adjective expression"),
    ("empty", "empty blank null nil zero"),
    ("criterion", "criterion criteria"),
    (
        "dependency",
        "dependency dependencies depend depends prerequisite prerequisites relies",
    ),
    (
        "language",
        "language languages locale locales translation translated localization localisation i18n",
    ),
    ("accessibility", "accessibility accessible a11y wcag"),
    ("token", "token tokens secret secrets apikey"),
    ("personal", "personal pii private privacy gdpr"),
    ("stakeholder", "stakeholder stakeholders"),
    ("test", "test tests tested testing"),
    ("date", "date dates timestamp timestamps"),
    ("row", "row rows record records line lines entry entries"),
    ("offline", "offline disconnected"),
    ("queue", "queue queues queued backlog"),
    ("screen", "screen screens view dialog"),
];

/// Words that are the opposite of each other.
pub(super) const OPPOSITES: &[(&str, &str)] = &[
    (
        "increase increases grow grows rise rises",
        "decrease decreases shrink shrinks reduce reduces",
    ),
    ("before precede precedes", "after follow follows"),
    ("maximum max most upper ceiling", "minimum min least lower floor"),
    (
        "allow allows allowed permit permits permitted",
        "forbid forbids forbidden prohibit prohibits deny denies denied disallow",
    ),
    ("synchronous synchronously sync", "asynchronous asynchronously async"),
    ("optional", "mandatory required compulsory"),
    ("read reads reading", "write writes writing"),
    ("enable enables enabled", "disable disables disabled"),
    ("public", "private"),
    ("long longer", "short shorter"),
    ("many", "few"),
    ("start starts begin begins", "end ends stop stops finish"),
    ("import imports upload", "export exports download"),
    ("encrypt encrypted", "decrypt decrypted"),
    ("login", "logout"),
    ("success succeed succeeds", "failure fail fails"),
    ("create created creation", "delete deleted deletion remove removed"),
    ("old older", "new newer"),
    ("early earlier", "late"),
    ("high higher", "low"),
];
