"""What was said of recordings, as JSON lines and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from nomadspec.checkers.escaping import escape_line, write_json
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judgement, Ruling
from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.checkers.oracle.registry import TRACE
from nomadspec.checkers.report.defects import list_defects, render_defects
from nomadspec.checkers.report.table import bad, count_of, good, open_, render_table
from nomadspec.checkers.report.titles import name_with_title
from nomadspec.checkers.verdict import Verdict
from nomadspec.checkers.written_by import TOOL
from nomadspec.model.errors import EXIT_INTERNAL, EXIT_UNREADABLE, InputError
from nomadspec.model.specification.catalogue import list_titles

_MARKS: Final = {
    Ruling.ACCEPTED: good,
    Ruling.REJECTED: bad,
    Ruling.UNDECIDED: open_,
    Ruling.UNSUPPORTED: open_,
    Ruling.DEFECT: bad,
}
_SHOWN: Final = 160
"""So much of a value is shown in a line of text; ``--json`` has all of it."""


@dataclass(slots=True)
class Tally:
    """Counts answers, and keeps those that are no success."""

    by_file: dict[str, Counter[Ruling]] = field(default_factory=dict)
    refused: list[Judgement] = field(default_factory=list)
    unreadable: list[InputError] = field(default_factory=list)
    forgiven: Counter[str] = field(default_factory=Counter)
    remarks: Counter[str] = field(default_factory=Counter)
    defects: Counter[tuple[str, str]] = field(default_factory=Counter)
    shares: Counter[str] = field(default_factory=Counter)
    is_stopped: bool = False

    def add(self, answer: Judgement | InputError) -> None:
        """Count an answer."""
        if isinstance(answer, InputError):
            self.unreadable.append(answer)
            return
        self.by_file.setdefault(_place_of(answer), Counter())[answer.ruling] += 1
        self.forgiven.update(answer.forgiven)
        self.remarks.update(answer.notes)
        self.defects.update(answer.defects)
        self.shares.update(answer.shares)
        if answer.ruling != Ruling.ACCEPTED:
            self.refused.append(answer)

    @property
    def summary(self) -> dict[str, int]:
        """Count the answers of each kind."""
        whole = sum(self.by_file.values(), Counter())
        return {ruling.value: whole[ruling] for ruling in Ruling}

    @property
    def judged(self) -> int:
        """Count the recordings that were judged."""
        return sum(self.summary.values())

    @property
    def verdict(self) -> Verdict:
        """Give one verdict for all."""
        if self.summary[Ruling.REJECTED]:
            return Verdict.VIOLATED
        is_complete = not (self.refused or self.unreadable or self.is_stopped)
        return Verdict.HOLDS if is_complete and self.judged else Verdict.INCONCLUSIVE

    @property
    def exit_code(self) -> int:
        """Give the exit code: where this program failed, or could not read, counts before what it could."""
        if self.summary[Ruling.DEFECT]:
            return EXIT_INTERNAL
        return EXIT_UNREADABLE if self.unreadable else self.verdict.exit_code

    def data(self) -> dict[str, object]:
        """Give the last line of ``--json``."""
        return {
            "schema": "nomadspec/vectors/1",
            "tool": TOOL,
            "verdict": self.verdict.value,
            "summary": self.summary,
            "forgiven": dict(sorted(self.forgiven.items())),
            "remarks": dict(sorted(self.remarks.items())),
            "unreadable": [
                {"file": error.file, "at": error.at, "problem": error.problem} for error in self.unreadable
            ],
            "is_stopped": self.is_stopped,
            **({"defects": list_defects(self.defects)} if self.defects else {}),
            **({"shares": dict(sorted(self.shares.items()))} if self.shares else {}),
        }

    def render(self) -> str:
        """Write what was refused, then a row a file, then the sum."""
        parts = [describe(one) for one in self.refused if one.difference is not None]
        parts += self._reasons()
        parts += [f"{bad('unreadable')} {escape_line(str(error))}" for error in self.unreadable]
        if self.by_file:
            parts += ["", self._table()]
        parts += [
            f"  forgiven {times:,} times: {row} (docs/reference/deviations.md)"
            for row, times in sorted(self.forgiven.items())
        ]
        parts += [
            f"  allowed {times:,} times: {escape_line(remark)}"
            for remark, times in sorted(self.remarks.items())
        ]
        parts += [render_defects(self.defects)] if self.defects else []
        parts += [self._share_of(what) for what in ("entries", "fields") if self.shares]
        return "\n".join([*parts, "", self._sentence()]).lstrip("\n")

    def _share_of(self, what: str) -> str:
        """Say how much of the logs of clusters was derived, only checked, or taken as it came."""
        amounts = {kind: self.shares[f"{what} {kind}"] for kind in ("derived", "checked", "taken")}
        whole = max(sum(amounts.values()), 1)
        told = ", ".join(f"{number / whole:.0%} {kind}" for kind, number in amounts.items())
        return f"  of {sum(amounts.values()):,} {what} of logs: {told}"

    def _reasons(self) -> list[str]:
        """Say once what holds for many recordings of a file."""
        refused = [one for one in self.refused if one.difference is None]
        alike = Counter((one.ruling, one.file, one.reason) for one in refused)
        return [
            f"{_MARKS[ruling](ruling.value)} {escape_line(file)}, {count_of(number, 'recording')}: "
            f"{escape_line(reason)}"
            for (ruling, file, reason), number in alike.items()
        ]

    def _table(self) -> str:
        rows = [
            (escape_line(file), f"{counts[Ruling.ACCEPTED]:,}", f"{sum(counts.values()):,}")
            for file, counts in self.by_file.items()
        ]
        return render_table(("recordings", ">accepted", ">of"), rows)

    def _sentence(self) -> str:
        amounts = [f"{number:,} {name}" for name, number in self.summary.items() if number]
        mark = good if self.verdict is Verdict.HOLDS else bad if self.refused else open_
        stopped = " before it was interrupted" if self.is_stopped else ""
        unread = f"; {count_of(len(self.unreadable), 'place')} unreadable" if self.unreadable else ""
        judged = count_of(self.judged, "recording")
        return f"{mark(self.verdict.value)}: {judged} judged{stopped}: {', '.join(amounts) or 'none'}{unread}"


def _place_of(judgement: Judgement) -> str:
    """Give the file of a recording; a recording that is a folder belongs to the folder around it."""
    is_file = judgement.family != TRACE.family
    return judgement.file if is_file else str(Path(judgement.file).parent)


def difference_as_data(difference: Difference) -> dict[str, Any]:
    """Give one difference as data, with the title of its rule where it has one."""
    return {
        "path": difference.path,
        "recorded": plain(difference.recorded),
        "model": plain(difference.model),
        "rule": difference.rule,
        "title": list_titles().get(difference.rule),
    }


def line_of(judgement: Judgement) -> str:
    """Write a judgement as a line of JSON; where no difference can say it, the model's word is a sentence."""
    difference = judgement.difference
    said = difference.model if difference and not judgement.reason else judgement.reason or None
    data: dict[str, object] = {
        "file": judgement.file,
        "family": judgement.family,
        "id": judgement.id,
        "verdict": judgement.ruling.value,
        "path": difference.path if difference else None,
        "recorded": plain(difference.recorded) if difference else None,
        "model": plain(said),
        "rule": difference.rule if difference else None,
        "title": list_titles().get(difference.rule) if difference else None,
    }
    if judgement.others:
        data["others"] = [
            {
                "path": each.path,
                "recorded": plain(each.recorded),
                "model": plain(each.model),
                "rule": each.rule,
            }
            for each in judgement.others
        ]
    if judgement.gaps:
        data["gaps"] = list(judgement.gaps)
    if judgement.defects:
        data["defects"] = list_defects(judgement.defects)
    return write_json(data)


def plain(value: Any) -> Any:  # noqa: ANN401 -- whatever JSON can hold
    """Give a value that JSON can hold: nothing at all becomes null."""
    if value is ABSENT:
        return None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, msgspec.Struct):
        return write_plain(value)
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def describe(judgement: Judgement) -> str:
    """Write a judgement as a line of text."""
    name = escape_line(f"{judgement.file} {judgement.id}".rstrip())
    head = f"{_MARKS[judgement.ruling](judgement.ruling.value)} {name}"
    difference = judgement.difference
    if judgement.reason or difference is None:
        return f"{head}: {escape_line(judgement.reason)}" if judgement.reason else head
    return "\n".join([f"{head}: {describe_difference(difference)}", *list_further(judgement)])


def list_further(judgement: Judgement) -> list[str]:
    """Write what differs beside the first difference, and what was left out, a line each."""
    further = [f"  also {describe_difference(each)}" for each in judgement.others]
    return further + [f"  left out: {escape_line(gap)}" for gap in judgement.gaps]


def describe_difference(difference: Difference) -> str:
    """Write one difference as a line of text."""
    rule = f" ({name_with_title(difference.rule)})" if difference.rule else ""
    return (
        f"{escape_line(difference.path)}: recorded {shorten(difference.recorded)}, "
        f"model {shorten(difference.model)}{rule}"
    )


def shorten(value: object) -> str:
    """Write a value in one line that is not too long."""
    text = "nothing" if value is ABSENT else write_json(plain(value))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
