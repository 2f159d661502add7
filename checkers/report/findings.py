"""Findings as text and as data: how severe each is, whom it hits, and how it is replayed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from nomadspec.checkers.all_findings import Known
from nomadspec.checkers.report.beliefs import render_beliefs
from nomadspec.checkers.report.finding_beliefs import compute_last_look
from nomadspec.checkers.report.searching import find_by_words, list_words
from nomadspec.checkers.report.selecting import select
from nomadspec.checkers.report.table import (
    bad,
    find_width,
    join_names,
    render_facts,
    render_paragraph,
    render_table,
    strong,
)
from nomadspec.checkers.report.titles import find_titles, list_facts, list_ids_in, name_with_title
from nomadspec.invariants.known_finding import SEVERITIES, Severity
from nomadspec.model.errors import NothingFoundError, UsageError

if TYPE_CHECKING:
    from nomadspec.checkers.report.beliefs import Beliefs
    from nomadspec.checkers.report.histories import Lived

_SEARCHED = "its text, properties, quirks, IDs or their titles"
_NOT_SEEN = "Found in the model; not observed by us on a real cluster."


def find_known(known: Sequence[Known], wanted: str) -> list[Known]:
    """Find findings by IDs, properties, quirks or severities, or by words; what nothing bears is refused."""

    def find_named(name: str) -> list[Known]:
        named = [one for one in known if name == one.id]
        named = named or [one for one in known if name in {*one.violates, *_list_cures(one)}]
        return named or [one for one in known if name == one.impact.severity.value]

    def find_like(words: str) -> list[Known]:
        return find_by_words(known, words, _list_texts)

    def refuse(missing: str) -> NoReturn:
        if find_titles([missing]):
            raise UsageError(
                f"No finding is about {name_with_title(missing)}; `nomadspec rules {missing}` and "
                f"`nomadspec properties {missing}` show what is."
            )
        raise NothingFoundError("finding", missing, [x.id for x in known], _SEARCHED, "nomadspec findings")

    return select(wanted, find_named, find_like, refuse).things


def findings_data(known: Iterable[Known]) -> list[dict[str, object]]:
    """Write findings as objects: docs/reference/json/findings.json says what their fields mean."""
    return [
        {
            "id": one.id,
            "title": one.title,
            "severity": one.impact.severity.value,
            "harm": one.impact.harm,
            "loss": one.impact.loss.name.lower().replace("_", "-"),
            "lasts": one.impact.lasts.name.lower().replace("_", "-"),
            "who": one.impact.who,
            "hits": one.impact.hits,
            "happens": one.happens,
            "conditions": list(one.conditions),
            "shown_in": list(one.shown_in),
            "violates": list(one.violates),
            "cure": one.cure and one.cure.id,
            "beside": [quirk.id for quirk in one.beside],
            "spec": list(one.spec),
            "commands": list(one.commands),
        }
        for one in known
    ]


def titles_data(known: Iterable[Known]) -> dict[str, str]:
    """Write what the IDs say that findings name: of rules that admit them, and of what would be mended."""
    return find_titles(
        spec_id for one in known for spec_id in (*one.spec, *_list_cures(one), *_list_mentioned(one))
    )


def render_list(known: Sequence[Known]) -> str:
    """Write findings for people, a line or two each, what replays them, and what the grades mean."""
    rows = [(one.id, one.impact.severity.value, one.impact.harm, one.impact.who) for one in known]
    table = render_table(("id", "severity", "harm", "who is hit"), rows, indent=0)
    commands = [
        (one.id, command) for one in sorted(known, key=lambda one: one.id) for command in one.commands
    ]
    replays = render_table(("id", "replay"), commands, indent=0, is_wrapped=False)
    return "\n\n".join([table, replays, *_explain(known)])


def render_known(one: Known, lived: Lived | None = None, beliefs: Beliefs | None = None) -> str:
    """Write one finding in full, with its history, or with what is believed at its decisive step."""
    impact = one.impact
    mentioned = [spec_id for spec_id in _list_mentioned(one) if spec_id not in {*one.spec, *_list_cures(one)}]
    facts = [
        ("severity", f"{impact.severity.value}: {impact.loss.value}; {impact.lasts.value}"),
        ("harm", impact.harm),
        ("who is hit", impact.hits),
        ("what happens", one.happens),
        *[("conditions", "; ".join(one.conditions)) for _ in one.conditions[:1]],
        ("shown in", join_names(one.shown_in)),
        ("violates", ", ".join(one.violates)),
        *_list_cure_facts(one),
        *[("intended", one.cure.intended) for _ in _list_cures(one)[:1] if one.cure],
        *list_facts(one.spec, "admitted by"),
        *[fact for _ in mentioned[:1] for fact in list_facts(mentioned, "mentioned")],
    ]
    commands = [("replay", command) for command in one.commands]
    title = render_paragraph(f"{strong(one.id)}: {one.title}")
    whole = f"{title}\n{render_facts(facts, commands=commands)}"
    parts = [whole, *(_render_lived(lived) if lived else [])]
    parts += [render_beliefs(beliefs)] if beliefs else []
    return "\n\n".join([*parts, _NOT_SEEN])


def _render_lived(lived: Lived) -> Iterator[str]:
    """Write a history, then what the scheduler sees as it looks for the last time."""
    lines = [line for told in lived.lines for line in _wrap_line(told)]
    lines += [render_paragraph(f"{bad('VIOLATED')}  {problem}", indent=2) for problem in lived.problems]
    lines += [f"  {lived.verdict_of_cure}"]
    yield "\n".join(lines)
    shown = compute_last_look(lived)
    yield render_beliefs(shown, f"What the scheduler is shown at step {shown.step}")


def _wrap_line(line: str) -> list[str]:
    """Wrap a line of a history; what goes on stands further in."""
    return textwrap.wrap(
        f"  {line}",
        find_width(),
        subsequent_indent=" " * 9,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _explain(known: Iterable[Known]) -> Iterator[str]:
    """Say what the grades mean that are shown."""
    shown = {one.impact.severity for one in known}
    rows = [
        (severity.value, f"{loss.value}; {lasts.value}")
        for (loss, lasts), severity in SEVERITIES.items()
        if severity in shown and severity is not Severity.LOW
    ]
    if Severity.LOW in shown:
        rows.append((Severity.LOW.value, "everything else: a record that says what is not so, a short delay"))
    yield render_table(("severity", "means"), sorted(rows, key=lambda row: Severity(row[0]).rank), indent=0)
    yield "`nomadspec findings ID` shows one whole. " + _NOT_SEEN


def _list_cures(one: Known) -> list[str]:
    return [quirk.id for quirk in (one.cure, *one.beside) if quirk]


def _list_mentioned(one: Known) -> list[str]:
    """List the IDs that stand in sentences of a finding."""
    intended = [one.cure.intended] if one.cure else []
    return list_ids_in(" ".join([one.title, one.happens, one.impact.hits, *one.conditions, *intended]))


def _list_cure_facts(one: Known) -> list[tuple[str, str]]:
    cures = _list_cures(one)
    return list_facts(cures, "cured by") if cures else [("cured by", "nothing that is modelled")]


def _list_texts(one: Known) -> list[str]:
    reasons = [one.title, one.happens, one.impact.harm, one.impact.hits, *one.conditions, *_list_cures(one)]
    reasons += [*one.shown_in, *one.violates]
    return list_words(one.id, reasons, one.spec)
