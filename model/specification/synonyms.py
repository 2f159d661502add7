"""Words that mean the same to whoever looks for a rule: Nomad's own first, then other people's."""

from typing import Final

SYNONYMS: Final[tuple[tuple[str, ...], ...]] = (
    ("deployment", "rollout"),
    ("all at once", "gang"),
    ("preempt", "preemption", "evict", "victim", "foe", "drive out"),
    ("priority", "urgent", "urgency"),
    ("oversubscribed", "oversubscription", "overfull", "overcommit", "capacity"),
    ("ineligible", "closed"),
    ("disconnect", "silent", "unknown", "max-disconnect-timeout"),
    ("lost after", "max client disconnect", "max-disconnect-timeout", "unknown"),
    ("heartbeat", "silence"),
    ("reconnect", "comes back"),
    ("initializing", "starting", "boots"),
    ("in-place update", "in place", "amend", "takeover", "bulk", "growth"),
    ("plan rejection", "rejected node", "strikes"),
    ("reject", "refuse", "refusal"),
    ("unhandled trigger", "misfit"),
    ("core eval", "garbage", "gc", "collect", "chores", "doomed", "system gc", "force-gc"),
    ("external trigger", "occasion"),
    ("blocked eval", "tracker", "queued-allocs"),
    ("follow-up", "failed-follow-up"),
    ("pending", "behind"),
    ("outstanding", "unacked"),
    ("cancelable", "superseded"),
    ("delivery limit", "gives up"),
    ("plan attempts", "attempt limit", "gives up", "max-plan-attempts"),
    ("evaluate plan", "judge", "verdict"),
    ("entry", "log entry", "raft", "raft log"),
    ("in flight", "under way", "pipeline"),
    ("stale", "follower", "lag", "behind"),
    ("migrate", "drain", "leaving", "moves", "node-drain"),
    ("node goes", "node-update"),
    ("stop job", "purge job", "stopped job", "job-deregister", "deregister"),
    ("stops an allocation", "alloc-stop"),
    ("desired status", "stops an alloc", "stopped alloc", "was to stop", "evict", "preempt"),
    ("modify index", "create index", "index"),
    ("registers", "job-register", "registration"),
    ("leader election", "election", "leadership", "lose leader", "gain leader", "new leader"),
    ("canceled", "cancelled", "cancellation"),
    ("fail deployment", "progress deadline"),
    ("nack timeout", "nack timer", "expire delivery"),
    ("allocation failed", "alloc-failure"),
    ("allocation", "alloc", "instance"),
    ("placement", "slot"),
    ("evaluation", "eval"),
    ("parameterized", "dispatch"),
    ("periodic", "cron"),
    ("constraint", "feasib"),
    ("rank", "score", "binpack"),
    ("rollback", "auto-revert", "revert"),
    ("lost", "node down"),
)
"""Each line holds words of one meaning: who looks for one of them finds the others too."""


_ENDINGS: Final = ("ations", "ation", "ions", "ion", "ings", "ing", "ies", "ed", "s")
_SHORTEST: Final = 4
"""A stem of fewer letters begins words of other meanings: ``speed`` is nothing of a specification."""


def list_meanings(word: str) -> tuple[str, ...]:
    """List a word, its stem, and all that mean the same; any of them is found where a word begins with it."""
    found = dict.fromkeys(_list_forms(word))
    known = {*found, *_list_singulars(_join(word))}
    for group in SYNONYMS:
        if any(_join(each) in known for each in group):
            found |= dict.fromkeys(group)
    return tuple(found)


def is_phrase(words: str) -> bool:
    """True if these are several words that have a meaning of their own."""
    known = {*_list_forms(words), *_list_singulars(_join(words))}
    return any(_join(each) in known for group in SYNONYMS for each in group)


def _list_forms(word: str) -> tuple[str, ...]:
    """List a word, and its stem, with and without an e: ``preempted`` is found by ``preempt``."""
    said = _join(word)
    ending = next((each for each in _ENDINGS if said.endswith(each)), "")
    stem = said.removesuffix(ending)
    if not ending or said.endswith(("ss", "eed")) or len(stem.rpartition(" ")[2]) < _SHORTEST:
        return (said,)
    single = (stem[:-1],) if stem[-1] == stem[-2] and stem[-1] in "glnpt" else ()
    return (said, stem, *single, f"{stem}e")


def _list_singulars(said: str) -> tuple[str, ...]:
    """List what words are the plural of: ``occasion`` for ``occasions``, ``entry`` for ``entries``."""
    if said.endswith("ies"):
        return (f"{said.removesuffix('ies')}y",)
    return (said.removesuffix("s"),) if said.endswith("s") and not said.endswith("ss") else ()


def _join(words: str) -> str:
    """Write words that are joined by hyphens or underscores with spaces."""
    return words.replace("-", " ").replace("_", " ")
