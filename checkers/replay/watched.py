"""What was seen of a running cluster, as text and as data."""

from __future__ import annotations

from collections import Counter
from typing import Any

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes
from nomadspec.checkers.escaping import escape_line
from nomadspec.checkers.replay.entry_sentences import shorten_id
from nomadspec.checkers.replay.watching import Seen, Watch
from nomadspec.checkers.report.judging import describe_difference, difference_as_data
from nomadspec.checkers.report.table import bad, count_of, open_
from nomadspec.checkers.report.titles import name_with_title


def tell_seen(seen: Seen) -> str:
    """Write a line of the stream as a line of text, and what is wrong in it below."""
    told = [
        f"{event.topic.lower()} {_name(event.payload.get(event.topic), event.key)}"
        for event in seen.batch.events
    ]
    kind = seen.batch.events[0].type if seen.batch.events else ""
    head = f"{seen.batch.index or 0:>8}  {kind}: {', '.join(told)}"
    wrong = [f"{bad('impossible')} {describe_difference(each)}" for each in seen.wrong]
    return "\n".join([escape_line(head), *wrong])


def _name(row: object, key: str) -> str:
    """Name an object, with its status where it has one."""
    if not isinstance(row, dict):
        return shorten_id(key)
    status = row.get("ClientStatus") or row.get("Status") or ""
    return f"{row.get('Name') or shorten_id(key)} {status}".strip()


def data_of(watch: Watch) -> dict[str, Any]:
    """Write it as an object: docs/reference/json/replay-follow.json says what its fields mean."""
    stream = watch.stream
    return {
        "address": str(watch.address),
        "verdict": watch.verdict.value,
        "first": stream.first,
        "last": stream.last if stream.first is not None else None,
        "lines": stream.lines,
        "gaps": [{"from": since, "to": until} for since, until in stream.gaps],
        "breaks": list(watch.breaks),
        "stopped_by": watch.stopped_by,
        "differences": [difference_as_data(each) for each in watch.wrong],
        "remarks": dict(sorted(Counter(watch.context.notes).items())),
    }


def render(watch: Watch) -> str:
    """Write how it ended: what was seen, what was not, and the verdict."""
    stream = watch.stream
    parts = [f"  broke off: {escape_line(each)}" for each in watch.breaks]
    parts += [f"  a gap: inconclusive from index {since} to {until}" for since, until in stream.gaps]
    parts += [
        f"  remarked on {times:,} times: {escape_line(each)}"
        for each, times in sorted(Counter(watch.context.notes).items())
    ]
    mark = bad if watch.wrong else open_
    shown = (
        f"from index {stream.first} to {stream.last}" if stream.first is not None else "and nothing in them"
    )
    told = "something impossible was seen" if watch.wrong else "nothing impossible was seen"
    parts.append(
        f"{mark(watch.verdict.value)}: {count_of(stream.lines, 'line')} of {watch.address}, {shown}: {told}; "
        f"decisions cannot be judged without a log ({escape_line(watch.stopped_by or 'interrupted')})"
    )
    return "\n".join(parts)


def outcomes_of(watch: Watch, seconds: float, text: str) -> Outcomes:
    """List a case for each thing that is impossible, or one for the stream where there is none."""
    where = str(watch.address)
    cases = [
        Case(
            where,
            each.path,
            Outcome.FAILED,
            f"{each.path} ({name_with_title(each.rule)})",
            describe_difference(each),
        )
        for each in watch.wrong
    ]
    if not cases:
        why = "nothing impossible was seen; decisions cannot be judged without a log"
        cases = [Case(where, "event stream", Outcome.SKIPPED, why)]
    return Outcomes("nomadspec replay --follow", watch.verdict, seconds, cases, text)
