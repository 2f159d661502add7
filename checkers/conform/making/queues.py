"""Sequences of operations on the eval broker and on blocked evals."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from nomadspec.model.cluster.codec import format_instant
from nomadspec.model.cluster.entities import NS_PER_S

_TYPES: Final = ("service", "batch", "system")
_NS_PER_MS: Final = 1_000_000
_START_S: Final = 946_684_800
_MOST_DELIVERED: Final = 8


def make_broker(random: Random) -> dict[str, Any]:
    """Make a broker and things to do with it; deliveries are named in the order in which they come.

    Between two operations two milliseconds pass, and three more where a dequeue may wait in vain.
    """
    maker = _BrokerMaker(random)
    operations = [{"op": "set-enabled", "enabled": True, "t_ms": 0}]
    now_ms = 0
    for _ in range(random.randrange(3, 25)):
        operation = maker.make(now_ms)
        now_ms += operation.get("ns", 0) // _NS_PER_MS + (5 if operation["op"] == "dequeue" else 2)
        operations.append({**operation, "t_ms": now_ms})
    return {
        "config": {
            "nack_timeout_ns": random.choice((5, 60)) * NS_PER_S,
            "initial_nack_delay_ns": random.choice((0, 1)) * NS_PER_S,
            "subsequent_nack_delay_ns": random.choice((0, 20)) * NS_PER_S,
            "delivery_limit": random.choice((1, 2, 3)),
        },
        "ops": operations,
    }


class _BrokerMaker:
    """Makes operations, remembering which evals there are and how many may have been delivered."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._evals: list[dict[str, Any]] = []
        self._dequeues = 0

    def make(self, now_ms: int) -> dict[str, Any]:
        """Make one operation."""
        makers: list[Callable[[int], dict[str, Any]]] = [
            *[self._enqueue] * 6,
            *[self._dequeue] * 6,
            *[self._return] * 6,
            self._enqueue_all,
            self._elapse,
            self._elapse,
            self._take,
            self._toggle,
        ]
        return self._random.choice(makers)(now_ms)

    def _make_eval(self, now_ms: int) -> dict[str, Any]:
        random, number = self._random, len(self._evals) + 1
        made: dict[str, Any] = {
            "ID": f"e{number:02}",
            "Namespace": random.choice(("default", "default", "crew")),
            "Priority": random.choice((20, 50, 50, 80)),
            "Type": random.choice(_TYPES),
            "TriggeredBy": "job-register",
            "JobID": f"job-{random.randrange(4)}",
            "Status": "pending",
            "CreateIndex": 100 + number,
            "ModifyIndex": 100 + number,
        }
        if random.random() < 0.1:
            made["Wait"] = random.choice((1, 30)) * NS_PER_S
        elif random.random() < 0.1:
            until_s = _START_S + now_ms // 1000 + random.choice((1, 30))
            made["WaitUntil"] = format_instant(until_s * NS_PER_S)
        self._evals.append(made)
        return made

    def _find_eval(self) -> str:
        known = [each["ID"] for each in self._evals] or ["e99"]
        return str(self._random.choice(known))

    def _token(self) -> str:
        if self._random.random() < 0.1 or not self._dequeues:
            return "bad-token"
        return f"T{self._random.randrange(1, min(self._dequeues, _MOST_DELIVERED) + 1)}"

    def _enqueue(self, now_ms: int) -> dict[str, Any]:
        if self._evals and self._random.random() < 0.1:
            return {"op": "enqueue", "eval": self._random.choice(self._evals)}
        return {"op": self._random.choice(("enqueue", "enqueue", "restore")), "eval": self._make_eval(now_ms)}

    def _enqueue_all(self, now_ms: int) -> dict[str, Any]:
        made = [self._make_eval(now_ms) for _ in range(self._random.randrange(1, 4))]
        by_job = {(each["Namespace"], each["JobID"]): each for each in made}
        by_type = {each["Type"]: each for each in by_job.values()}
        return {"op": "enqueue-all", "evals": [{"eval": each, "token": ""} for each in by_type.values()]}

    def _dequeue(self, _: int) -> dict[str, Any]:
        self._dequeues += 1
        wanted = self._random.choice((_TYPES, _TYPES, (*_TYPES, "_failed"), ("service",), ("_failed",)))
        return {"op": "dequeue", "schedulers": list(wanted)}

    def _return(self, _: int) -> dict[str, Any]:
        verb = self._random.choice(
            (
                "ack",
                "ack",
                "ack",
                "nack",
                "nack",
                "outstanding-reset",
                "pause-nack",
                "resume-nack",
                "outstanding",
            )
        )
        asked = {"op": verb, "eval": self._find_eval()}
        return asked if verb == "outstanding" else {**asked, "token": self._token()}

    def _elapse(self, _: int) -> dict[str, Any]:
        return {"op": "elapse", "ns": self._random.choice((1, 5, 21, 61)) * NS_PER_S}

    def _take(self, _: int) -> dict[str, Any]:
        if self._random.random() < 0.5:
            return {"op": "cancelable", "batch": self._random.randrange(1, 4)}
        return {"op": "drop-waiting", "eval": self._find_eval()}

    def _toggle(self, _: int) -> dict[str, Any]:
        return {"op": "set-enabled", "enabled": self._random.random() < 0.7}


def make_blocked(random: Random) -> dict[str, Any]:
    """Make blocked evals and things to do with them."""
    maker = _BlockedMaker(random)
    first = {"op": "set-enabled", "enabled": True}
    return {"ops": [first, *(maker.make() for _ in range(random.randrange(3, 25)))]}


class _BlockedMaker:
    """Makes operations, with indexes that grow."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._index = 50
        self._evals = 0

    def make(self) -> dict[str, Any]:
        """Make one operation."""
        random = self._random
        self._index += random.randrange(1, 4)
        if random.random() < 0.45:
            return {"op": "block", "eval": self._make_eval()}
        return random.choice(self._list_others())

    def _list_others(self) -> list[dict[str, Any]]:
        random, index = self._random, self._index
        node_class = random.choice(("v1:1", "v1:2", "v1:3"))
        return [
            {"op": "unblock", "class": node_class, "index": index},
            {"op": "unblock", "class": node_class, "index": index},
            {"op": "unblock-quota", "quota": "gold", "index": index},
            {
                "op": "unblock-class-and-quota",
                "class": node_class,
                "quota": random.choice(("", "gold")),
                "index": index,
            },
            {"op": "unblock-node", "node": random.choice(("n1", "n2"))},
            {"op": "unblock-resources", "resources": ["vol-1"], "index": index},
            {"op": "unblock-failed"},
            {"op": "untrack", "job": f"job-{random.randrange(3)}", "namespace": "default"},
            {"op": "get-duplicates"},
            {"op": "elapse", "ns": random.choice((1, 900)) * NS_PER_S},
            {"op": "drain-broker"},
            {"op": "set-enabled", "enabled": random.random() < 0.7},
        ]

    def _make_eval(self) -> dict[str, Any]:
        random = self._random
        self._evals += 1
        made: dict[str, Any] = {
            "ID": f"b{self._evals:02}",
            "Namespace": random.choice(("default", "default", "crew")),
            "Priority": 50,
            "Type": random.choice(("service", "batch", "system")),
            "TriggeredBy": random.choice(("queued-allocs", "queued-allocs", "max-plan-attempts")),
            "JobID": f"job-{random.randrange(3)}",
            "Status": "blocked",
            "SnapshotIndex": self._index - random.choice((0, 1, 6)),
            "CreateIndex": self._index,
            "ModifyIndex": self._index,
        }
        if made["Type"] == "system":
            made["NodeID"] = random.choice(("n1", "n2"))
        if random.random() < 0.3:
            made["EscapedComputedClass"] = True
        else:
            known = random.sample(("v1:1", "v1:2", "v1:3"), random.randrange(1, 3))
            made["ClassEligibility"] = {each: random.random() < 0.5 for each in known}
        if random.random() < 0.15:
            made["QuotaLimitReached"] = "gold"
        return made
