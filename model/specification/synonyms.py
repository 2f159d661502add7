"""Words that mean the same to whoever looks for a rule: Nomad's own first, then other people's."""

from typing import Final

SYNONYMS: Final[tuple[tuple[str, ...], ...]] = (
    ("deployment", "rollout"),
    ("all at once", "gang"),
    ("preempt", "preemption", "evict", "victim", "foe", "drive out"),
    ("priority", "urgent", "urgency"),
    ("oversubscribed", "overfull", "overcommit", "capacity"),
    ("ineligible", "closed"),
    ("disconnect", "silent", "unknown", "max-disconnect-timeout"),
    ("heartbeat", "silence"),
    ("reconnect", "comes back"),
    ("initializing", "starting", "boots"),
    ("in-place update", "in place", "amend", "takeover", "bulk", "growth"),
    ("plan rejection", "rejected node", "strikes"),
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
    ("in flight", "under way", "pipeline"),
    ("stale", "follower", "lag", "behind"),
    ("migrate", "drain", "leaving", "moves", "node-drain"),
    ("node goes", "node-update"),
    ("stop job", "purge job", "stopped job", "job-deregister"),
    ("stops an allocation", "alloc-stop"),
    ("registers", "job-register"),
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


def list_meanings(word: str) -> tuple[str, ...]:
    """List a word and all that mean the same."""
    found = dict.fromkeys([word])
    for group in SYNONYMS:
        if any(word in {each, f"{each}s"} for each in group):
            found |= dict.fromkeys(group)
    return tuple(found)
