"""Judges what a cluster answered to those who asked it for something: the entries named have to be theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.partial.folder import read_part_shape
from nomadspec.checkers.oracle.reads.operator_requests import Asked, find_asked
from nomadspec.checkers.oracle.reads.reading import OK
from nomadspec.checkers.oracle.shape import Whole
from nomadspec.checkers.oracle.trace_replay import Replay


class _Request(msgspec.Struct, frozen=True):
    """What was sent."""

    method: str
    path: str
    body: Any = None


class _Response(msgspec.Struct, frozen=True):
    """What came back."""

    status: Whole | None = None
    body: Any = None


class _Action(msgspec.Struct, frozen=True):
    """One thing that was done to a cluster: a call, or something with a process."""

    kind: str = ""
    request: _Request | None = None
    response: _Response | None = None


class _Scenario(msgspec.Struct, frozen=True):
    """What is used of the description of a scenario here."""

    actions: tuple[_Action, ...] = ()


def compare_actions(folder: Path, replay: Replay, context: Context) -> Iterator[Difference]:
    """Compare what was asked for and answered with the entries that the answers name.

    Of a call that was refused, or got no answer, nothing is known.

    Spec: WIRE-049, WIRE-052, WIRE-065, WIRE-066, WIRE-073, WIRE-075.
    """
    told = read_part_shape(_Scenario, folder, "scenario.json", context) or _Scenario()
    calls = _Calls(replay, context)
    for at, action in enumerate(told.actions):
        request, response = action.request, action.response
        if request is None or response is None or response.status != OK:
            continue
        found = find_asked(request.method, request.path)
        if found is not None and isinstance(response.body, Mapping):
            body = request.body if isinstance(request.body, Mapping) else {}
            yield from calls.compare(*found, body, response.body, f"actions[{at}]")


class _Calls:
    """The entries of a log, by what names them in answers."""

    def __init__(self, replay: Replay, context: Context) -> None:
        self._replay = replay
        self._context = context
        self._steps = {step.typed.entry.index: step for step in replay.steps}
        self._gaps = replay.list_gaps()
        self._last = max(self._steps, default=0)

    def compare(
        self, asked: Asked, name: str, body: Mapping[str, Any], answer: Mapping[str, Any], path: str
    ) -> Iterator[Difference]:
        """Compare a call with the entry that the answer names, and its evaluations with those stored."""
        index = answer.get(asked.names)
        if isinstance(index, int) and self._is_seen(index):
            yield from self._compare_entry(asked, name, body, answer, index, path)
        made, created = answer.get("EvalIDs") or answer.get("EvalID"), answer.get("EvalCreateIndex")
        if not made or not isinstance(created, int) or not self._is_seen(created):
            return
        state = self._replay.find_state(created)
        for eval_id in made if isinstance(made, list) else [made]:
            entry = state.find_eval(str(eval_id))
            if entry is None or entry.create_index != created:
                model = entry.create_index if entry is not None else ABSENT
                yield Difference(f"{path}.response.body.EvalCreateIndex", created, model, asked.rule)

    def _is_seen(self, index: int) -> bool:
        """True if an index names an entry that the log should hold, and that the model knows."""
        if index > self._last:
            self._context.miss(f"the log after entry {self._last}, and what came of calls then")
        return 0 < index <= self._last and index not in self._gaps

    def _compare_entry(
        self,
        asked: Asked,
        name: str,
        body: Mapping[str, Any],
        answer: Mapping[str, Any],
        index: int,
        path: str,
    ) -> Iterator[Difference]:
        step = self._steps.get(index)
        if step is None or step.typed.type not in asked.types:
            model = (
                f"{index} is {step.typed.type if step else ABSENT}, not {' or '.join(sorted(asked.types))}"
            )
            yield Difference(f"{path}.response.body.{asked.names}", index, model, asked.rule)
            return
        for member, told, model in asked.say(name, body, answer, step.typed.entry.request):
            if told != model:
                yield Difference(f"{path}.request.{member}", told, model, asked.rule)
