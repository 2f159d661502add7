"""What the solver says, as text and as data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nomadspec.checkers.report.stories import data_of as story_data
from nomadspec.checkers.report.story_text import has_profile
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
from nomadspec.checkers.report.titles import find_titles_in, render_legend
from nomadspec.checkers.report.verdicts import tell_story, word_of
from nomadspec.checkers.trivial_properties import BY_DEFINITION
from nomadspec.checkers.verdict import (
    PROVED,
    Example,
    InductionGap,
    Proof,
    ProofResult,
    ProofRow,
    ProveReport,
    Reach,
    ReachMark,
    Reading,
    Verdict,
)
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model_promises import COUNTERS_FIT_THE_SCOPE, PROMISES
from nomadspec.model.language.story import Story

_KEPT: Final = "kept"
_MOST_ROWS: Final = 30
"""Of more rules than these only those are listed that do not keep a property."""
_MOST_NAMED: Final = 5
"""Where more than so many things can be any number, a result counts them; the scope names them all."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The report of one model, and the bounded model that it is about."""

    report: ProveReport
    bounded: BoundedModel | None
    """None for claims about functions, which have no worlds."""
    reference: str

    @property
    def profile(self) -> str:
        """The name of the profile that was asked about."""
        if self.bounded is not None:
            return self.bounded.profile.name
        return next((proof.about.profile for proof in self.report.proofs), "")


def require_unbounded(proved: Proved) -> Proved:
    """Leave the verdict open where something is not proved for any number, and say what.

    Only a scope gives counters an end, so nothing could be proved of that for any number.
    """
    report = proved.report
    lacking = [
        proof.property
        for proof in report.proofs
        if proof.result is not ProofResult.PROVED_UNBOUNDED and proof.property != COUNTERS_FIT_THE_SCOPE
    ]
    if not lacking or report.verdict is not Verdict.HOLDS:
        return proved
    note = f"Not proved for any number, as --require unbounded asks: {', '.join(lacking)}."
    return replace(proved, report=replace(report, verdict=Verdict.INCONCLUSIVE, notes=(*report.notes, note)))


def combine(verdicts: Sequence[Verdict]) -> Verdict:
    """Give the verdict of several runs: one violation is enough, one that is open leaves all open."""
    for verdict in (Verdict.VIOLATED, Verdict.INCONCLUSIVE, Verdict.NOT_REFUTED):
        if verdict in verdicts:
            return verdict
    return Verdict.HOLDS


def data_of(proved: Sequence[Proved]) -> dict[str, object]:
    """Write proofs as an object: docs/reference/json/prove.json says what its fields mean."""
    return {
        "verdict": combine([one.report.verdict for one in proved]).value,
        "seconds": round(sum(one.report.seconds for one in proved), 3),
        "results": [proof_data(proof, one) for one in proved for proof in one.report.proofs],
        "notes": [f"{one.reference}: {note}" for one in proved for note in one.report.notes],
        "titles": find_titles_in(*(proof.about.profile for one in proved for proof in one.report.proofs)),
    }


def proof_data(proof: Proof, proved: Proved) -> dict[str, object]:
    """Write one proof as data."""
    story = proof.story
    return {
        "property": proof.property,
        "model": proved.reference,
        "result": proof.result.value,
        "scope": proof.scope,
        "any": list(proof.reading.any),
        "fixed": dict(proof.reading.fixed),
        "by_definition": proof.is_by_definition,
        "seconds": round(proof.seconds, 3),
        "profile": proof.about.profile if _has_profile(proved) else None,
        "sizes": dict(proof.about.sizes),
        "lemmas": list(proof.lemmas),
        "rows": [
            {"rule": row.rule, "result": row.result, "seconds": round(row.seconds, 3)} for row in proof.rows
        ],
        "story": story_data(story, proved.bounded, proved.reference) if story and proved.bounded else None,
        "gap": _gap_data(proof.gap) if proof.gap else None,
        "example": _example_data(proof.example) if proof.example else None,
        "faults": [
            {"fault": row.rule, "noticed_by": row.result, "seconds": round(row.seconds, 3)}
            for row in proof.faults
        ],
    }


def render_all(proved: Sequence[Proved], *, in_full: bool) -> str:
    """Write proofs for people; in full with a row for each rule."""
    parts = []
    for one in proved:
        scopes = _list_scopes(one.report.proofs)
        shared = f": {scopes[0]}" if len(scopes) == 1 else ""
        profile = f", profile {one.profile}" if _has_profile(one) else ""
        head = render_paragraph(f"{strong(one.reference)}{profile}{shared}")
        parts.append("\n".join(filter(None, [head, render_legend(profile)])))
        parts.append(_render_table(one.report.proofs, with_scope=not shared))
        for proof in one.report.proofs:
            parts += _explain(proof, one.bounded, in_full=in_full)
        parts += [render_paragraph(note) for note in one.report.notes]
    verdict = combine([one.report.verdict for one in proved])
    summary = summarise([p for one in proved for p in one.report.proofs])
    parts.append(render_paragraph(f"{word_of(verdict)}  {summary}"))
    return "\n\n".join(parts)


def _has_profile(proved: Proved) -> bool:
    return proved.bounded is None or has_profile(proved.profile, proved.reference)


def _list_scopes(proofs: Sequence[Proof]) -> list[str]:
    """List what proofs are about; that counters fit the scope is always about that, which its result says."""
    is_alike = {COUNTERS_FIT_THE_SCOPE: ProofResult.PROVED_BOUNDED}
    others = [proof for proof in proofs if is_alike.get(proof.property) is not proof.result]
    return list(dict.fromkeys(proof.scope for proof in others or proofs))


def summarise(proofs: Sequence[Proof]) -> str:
    """Count the results of proofs in a sentence."""
    counts = Counter(describe_result(proof) for proof in proofs)
    order = [describe_result(proof) for result in ProofResult for proof in proofs if proof.result is result]
    words = [f"{counts[word]} {word}" for word in dict.fromkeys(order)]
    promises = sum(proof.property in PROMISES for proof in proofs)
    asked = [
        count_of(len(proofs) - promises, "property", "properties") if len(proofs) > promises else "",
        count_of(promises, "promise of the model", "promises of the model") if promises else "",
    ]
    return f"{' and '.join(filter(None, asked)) or '0 properties'}: {', '.join(words) or 'nothing to prove'}"


def describe_result(proof: Proof) -> str:
    """Say in words how a proof attempt ended: what could be any number, and what had a number."""
    if proof.is_by_definition and proof.result is ProofResult.PROVED_BOUNDED:
        return BY_DEFINITION
    if proof.result is ProofResult.PROVED_UNBOUNDED:
        return _describe_reading(proof.reading) + (f", {BY_DEFINITION}" if proof.is_by_definition else "")
    return {
        ProofResult.PROVED_BOUNDED: "proved in this scope",
        ProofResult.COUNTEREXAMPLE: "violated",
        ProofResult.NOT_INDUCTIVE: "not inductive",
        ProofResult.UNKNOWN: "undecided",
    }[proof.result]


def _describe_reading(reading: Reading) -> str:
    """Name what could be any number, or count it where that is much, and what had a number."""
    many = f"{len(reading.any)} sets and sizes" if reading.any else "number"
    names = reading.any if 0 < len(reading.any) <= _MOST_NAMED else (many,)
    fixed = ", ".join(f"{name}={value}" for name, value in reading.fixed.items())
    return f"proved for any {', '.join(names)}" + (f" ({fixed} fixed)" if fixed else "")


def paint_result(proof: Proof) -> str:
    """Write a result in its colour."""
    if proof.result in PROVED:
        return good(describe_result(proof))
    told = proof.result.value
    return bad(told) if proof.result is ProofResult.COUNTEREXAMPLE else open_(told)


def _render_table(proofs: Sequence[Proof], *, with_scope: bool) -> str:
    rows = [(proof.property, paint_result(proof), f"{proof.seconds:.2f}", proof.scope) for proof in proofs]
    headings = ("property", "result", ">seconds", "for")
    return (
        render_table(headings, rows)
        if with_scope
        else render_table(headings[:-1], [row[:-1] for row in rows])
    )


def _explain(proof: Proof, bounded: BoundedModel | None, *, in_full: bool) -> list[str]:
    parts = []
    if in_full and proof.rows:
        parts.append(render_table(("rule", "result", ">seconds"), _list_rows(proof.rows)))
        if proof.lemmas:
            parts.append(render_facts([("with", ", ".join(proof.lemmas))]))
    if proof.story is not None and bounded is not None:
        parts.append(tell_story(proof.story, bounded))
    if proof.faults:
        faults = [(row.rule, row.result, f"{row.seconds:.2f}") for row in proof.faults]
        parts.append(render_table(("fault in the model", "noticed by", ">seconds"), faults))
    if proof.example is not None:
        parts.append(_render_example(proof.property, proof.example))
    if proof.gap is not None:
        parts.append(_render_gap(proof.property, proof.gap))
    return parts


def _list_rows(rows: Sequence[ProofRow]) -> list[tuple[str, str, str]]:
    """List what each rule does to the property; of many rules those that keep it are counted."""
    kept = [row for row in rows if row.result == _KEPT] if len(rows) > _MOST_ROWS else []
    told = [(row.rule, row.result, f"{row.seconds:.3f}") for row in rows if row not in kept]
    total = sum(row.seconds for row in kept)
    return [*told, (count_of(len(kept), "rule"), _KEPT, f"{total:.3f}")] if kept else told


_ADVICE: Final = (
    "A lemma that excludes the world would help if the property is true; if it is false, more steps of "
    "`--bmc`, or `nomadspec explore`, show how."
)


def _render_gap(name: str, gap: InductionGap) -> str:
    """Show a step that the solver found, from a world that perhaps nothing leads to."""
    arguments = ", ".join(str(value) for value in gap.arguments.values())
    told = f"{gap.rule}({arguments})" if gap.rule else "the first world"
    after = gap.after or gap.before
    changed = [(cell, old, after[cell]) for cell, old in gap.before.items() if after[cell] != old]
    same = [(cell, str(old)) for cell, old in gap.before.items() if after[cell] == old]
    failure = gap.replay.failure if gap.replay is not None else None
    fails = [render_paragraph(f"The step fails: {failure.sentence}", 2)] if failure is not None else []
    lines = [
        f"{strong(f'{name} is not inductive')}: {told} breaks it in this world,",
        *fails,
        render_paragraph(f"{describe_reach(gap.reach)} {_ADVICE}", 2),
        render_facts([*[(cell, f"{old} -> {new}") for cell, old, new in changed], *same], indent=4),
    ]
    return "\n".join(lines)


def describe_reach(reach: Reach | None) -> str:
    """Say whether anything leads to the world of a gap."""
    if reach is None:
        return "which perhaps nothing leads to."
    if reach.mark is ReachMark.UNREACHABLE:
        return f"which nothing leads to: {count_of(reach.steps, 'step')} back there is no world left."
    looked = f"{count_of(reach.steps, 'step')} back there is no initial world yet"
    return f"which perhaps nothing leads to: {looked}."


def _render_example(name: str, example: Example) -> str:
    """Show values for which a claim does not hold, and the objects that they make."""
    values = [(value_name, str(value)) for value_name, value in example.values.items() if value]
    objects = [
        (what, json.dumps(one, ensure_ascii=False, separators=(", ", ": ")))
        for what, one in example.objects.items()
    ]
    heading = strong(f"{name} does not hold") + f": {example.part}. What is not named is 0."
    return "\n".join(
        [heading, render_facts(values, indent=4), *([render_facts(objects, 4)] if objects else [])]
    )


def _example_data(example: Example) -> Mapping[str, object]:
    return {"part": example.part, "values": dict(example.values), "objects": dict(example.objects)}


def _gap_data(gap: InductionGap) -> Mapping[str, object]:
    return {
        "before": dict(gap.before),
        "rule": gap.rule,
        "arguments": dict(gap.arguments),
        "after": dict(gap.after),
        "reach": {"mark": gap.reach.mark.value, "steps": gap.reach.steps} if gap.reach else None,
    }


def find_story(proved: Sequence[Proved]) -> tuple[Story, BoundedModel, str] | None:
    """Find the first story that shows a violation, with the model that it is about and its reference."""
    for one in proved:
        for proof in one.report.proofs:
            if proof.story is not None and one.bounded is not None:
                return proof.story, one.bounded, one.reference
    return None
