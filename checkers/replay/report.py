"""The story of a recorded cluster as text, as data, as cases for CI and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from click import unstyle

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes, Place, name_file
from nomadspec.checkers.escaping import escape_line, shorten_ids
from nomadspec.checkers.oracle.explain.derived_share import Share
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.checkers.pages.page import Page, PageStep
from nomadspec.checkers.replay.story import Event, Impossible, Story, list_differences
from nomadspec.checkers.report.defects import list_defects, render_defects
from nomadspec.checkers.report.judging import describe_difference, difference_as_data, shorten
from nomadspec.checkers.report.table import (
    bad,
    count_of,
    good,
    open_,
    render_facts,
    render_paragraph,
    render_table,
    strong,
)
from nomadspec.checkers.report.titles import name_with_title
from nomadspec.model.cluster.entities.scalar import NS_PER_S

_GROUPS: Final = {
    None: "outside the model",
    Share.DERIVED: "derived by the model",
    Share.CHECKED: "checked by the model",
    Share.TAKEN: "external input",
}
"""What the model had to do with an entry."""

_MARKS: Final = {Ruling.ACCEPTED: good, Ruling.REJECTED: bad, Ruling.DEFECT: bad}
_MOST_TOLD: Final = 8
"""What follows from the first difference may be hundreds: so many are told."""
_SHARES: Final = ("derived", "checked", "taken")


@dataclass(frozen=True, slots=True)
class Told:
    """A story, ready to be shown."""

    story: Story
    shows_all: bool = True
    """Whether the text has all entries, or only those that are wrong."""

    @property
    def exit_code(self) -> int:
        """Give the exit code, which is that of ``vectors check`` for the same folder."""
        return self.story.judgement.exit_code

    # --- data ---

    def data(self) -> dict[str, Any]:
        """Write it as an object: docs/reference/json/replay.json says what its fields mean."""
        judgement = self.story.judgement
        return {
            "folder": str(self.story.folder),
            "verdict": judgement.verdict.value,
            "ruling": judgement.ruling.value,
            "reason": judgement.reason,
            "impossible": _data_of_impossible(self.story.impossible),
            "differences": [difference_as_data(each) for each in list_differences(judgement)],
            "defects": list_defects(judgement.defects),
            "gaps": list(judgement.gaps),
            "remarks": list(judgement.notes),
            "forgiven": dict(sorted(judgement.forgiven.items())),
            "shares": dict(sorted(judgement.shares.items())),
            "events": [self._data_of_event(each) for each in self.story.events],
        }

    def _data_of_event(self, event: Event) -> dict[str, Any]:
        return {
            "index": event.index,
            "seconds": self._seconds(event),
            "actor": event.actor,
            "what": event.what,
            "share": event.share,
            "is_wrong": bool(event.wrong),
        }

    def _seconds(self, event: Event) -> float:
        """Give when an entry was asked for, since the first that tells a time."""
        start_ns = next((each.at_ns for each in self.story.events if each.at_ns), 0)
        return round(max(event.at_ns - start_ns, 0) / NS_PER_S, 3)

    # --- text ---

    def render(self) -> str:
        """Write the timeline, what is impossible, and the verdict."""
        judgement = self.story.judgement
        parts = [self._timeline(), _render_impossible(self.story.impossible), self._others()]
        parts += [render_defects(judgement.defects)]
        parts += ["\n".join(f"  left out: {escape_line(gap)}" for gap in judgement.gaps)]
        return "\n\n".join(part for part in (*parts, self._sentence()) if part)

    def _timeline(self) -> str:
        shown = [each for each in self.story.events if self.shows_all or each.wrong]
        rows = [
            (
                bad("!") if each.wrong else "",
                f"{self._seconds(each):.3f} s",
                str(each.index),
                each.actor,
                each.share or "",
                escape_line(each.what),
            )
            for each in shown
        ]
        return render_table(("", ">time", ">index", "by", "judged", "what"), rows) if rows else ""

    def _others(self) -> str:
        first = self.story.impossible
        rest = [
            each
            for each in list_differences(self.story.judgement)
            if first is None or each is not first.difference
        ]
        told = [f"also {describe_difference(each)}" for each in rest[:_MOST_TOLD]]
        if len(rest) > len(told):
            told.append(f"and {len(rest) - len(told):,} more: `--json` and `--html` show all")
        return "\n".join(render_paragraph(shorten_ids(one)) for one in told)

    def _sentence(self) -> str:
        judgement = self.story.judgement
        mark = _MARKS.get(judgement.ruling, open_)
        told = f": {escape_line(judgement.reason)}" if judgement.reason else ""
        counted = [f"{judgement.shares.get(f'entries {share}', 0):,} {share}" for share in _SHARES]
        entries = count_of(len(self.story.events), "entry", "entries")
        return f"{mark(judgement.ruling.value)}  {entries}: {', '.join(counted)}{told}"

    # --- CI and browser ---

    def outcomes(self, seconds: float) -> Outcomes:
        """List a case for each difference, and one for the log where there is none."""
        judgement = self.story.judgement
        cases = list(self._list_cases())
        return Outcomes("nomadspec replay", judgement.verdict, seconds, cases, unstyle(self.render()))

    def _list_cases(self) -> Iterator[Case]:
        judgement, place = self.story.judgement, Place(name_file(self.story.folder))
        run = f"nomadspec replay {self.story.folder}"
        for each in list_differences(judgement):
            why = unstyle(describe_difference(each))
            yield Case(place.file, each.path, Outcome.FAILED, why, place=place, reproduce=run)
        if not list_differences(judgement):
            is_accepted = judgement.ruling is Ruling.ACCEPTED
            outcome = Outcome.PASSED if is_accepted else Outcome.ERROR
            entries = count_of(len(self.story.events), "entry", "entries")
            yield Case(place.file, entries, outcome, judgement.reason, place=place, reproduce=run)

    def page(self, picture: bytes = b"", about: str = "") -> Page:
        """Show the timeline in the browser, with the graph of evaluations where there is one."""
        steps = [self._page_step(each) for each in self.story.events]
        judgement = self.story.judgement
        text, named = unstyle(self.render()), f"{len(steps):,} entries of the log"
        return Page(
            str(self.story.folder),
            judgement.verdict.value,
            named,
            text,
            steps=steps,
            picture=picture,
            picture_about=about,
            wrong="The model does not allow this.",
        )

    def _page_step(self, event: Event) -> PageStep:
        notes = [shorten_ids(unstyle(describe_difference(each))) for each in event.wrong]
        group = _GROUPS[event.share]
        at = f"{self._seconds(event):.3f} s, index {event.index}"
        return PageStep(event.what, event.actor, (), (), notes, at, group, is_wrong=bool(event.wrong))


def _render_impossible(found: Impossible | None) -> str:
    """Write the first impossible step: what was recorded and allowed, by which rule, and what failed."""
    if found is None:
        return ""
    difference = found.difference
    where = f"entry {found.index}" if found.index is not None else difference.path
    facts = [
        ("field", found.field or "the entry"),
        ("recorded", shorten(difference.recorded)),
        ("allowed", shorten(difference.model)),
        ("rule", name_with_title(difference.rule)),
        *(("tried", f"{candidate.what}: {candidate.why}") for candidate in found.candidates),
    ]
    told = render_facts([(name, shorten_ids(escape_line(fact))) for name, fact in facts])
    return f"{strong(f'The first step that is impossible: {escape_line(where)}')}\n{told}"


def _data_of_impossible(found: Impossible | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "index": found.index,
        "field": found.field,
        **difference_as_data(found.difference),
        "candidates": [{"what": each.what, "why": each.why} for each in found.candidates],
    }
