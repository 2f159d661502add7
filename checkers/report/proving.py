"""What the solver says, as text and as data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Final

from nomadspec.checkers.report.stories import data_of as story_data
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
from nomadspec.checkers.report.verdicts import tell_story, word_of
from nomadspec.checkers.verdict import (
    Example,
    InductionGap,
    Proof,
    ProofResult,
    ProveReport,
    Reach,
    ReachMark,
    Verdict,
)
from nomadspec.model.bounded import BoundedModel
from nomadspec.model.story import Story

PROVED: Final = frozenset({ProofResult.PROVED_UNBOUNDED, ProofResult.PROVED_BOUNDED})


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
    }


def proof_data(proof: Proof, proved: Proved) -> dict[str, object]:
    """Write one proof as data."""
    story = proof.story
    return {
        "property": proof.property,
        "model": proved.reference,
        "result": proof.result.value,
        "scope": proof.scope,
        "seconds": round(proof.seconds, 3),
        "profile": proof.about.profile,
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
        scopes = list(dict.fromkeys(proof.scope for proof in one.report.proofs))
        shared = f": {scopes[0]}" if len(scopes) == 1 else ""
        parts.append(f"{strong(one.reference)}, profile {one.profile}{shared}")
        parts.append(_render_table(one.report.proofs, with_scope=not shared))
        for proof in one.report.proofs:
            parts += _explain(proof, one.bounded, in_full=in_full)
        parts += [fill(note, 100) for note in one.report.notes]
    verdict = combine([one.report.verdict for one in proved])
    parts.append(f"{word_of(verdict)}  {summarise([p for one in proved for p in one.report.proofs])}")
    return "\n\n".join(parts)


def summarise(proofs: Sequence[Proof]) -> str:
    """Count the results of proofs in a sentence."""
    counts = {result: sum(proof.result is result for proof in proofs) for result in ProofResult}
    words = [f"{counts[result]} {describe_result(result)}" for result in ProofResult if counts[result]]
    return f"{count_of(len(proofs), 'property', 'properties')}: {', '.join(words) or 'nothing to prove'}"


def describe_result(result: ProofResult) -> str:
    """Say in words how a proof attempt ended."""
    return {
        ProofResult.PROVED_UNBOUNDED: "proved without bounds",
        ProofResult.PROVED_BOUNDED: "proved within bounds",
        ProofResult.COUNTEREXAMPLE: "violated",
        ProofResult.NOT_INDUCTIVE: "not inductive",
        ProofResult.UNKNOWN: "undecided",
    }[result]


def paint_result(result: ProofResult) -> str:
    """Write a result in its colour."""
    if result in PROVED:
        return good(result.value)
    return bad(result.value) if result is ProofResult.COUNTEREXAMPLE else open_(result.value)


def _render_table(proofs: Sequence[Proof], *, with_scope: bool) -> str:
    rows = [
        (proof.property, paint_result(proof.result), f"{proof.seconds:.2f}", proof.scope) for proof in proofs
    ]
    headings = ("property", "result", ">seconds", "for")
    return (
        render_table(headings, rows)
        if with_scope
        else render_table(headings[:-1], [row[:-1] for row in rows])
    )


def _explain(proof: Proof, bounded: BoundedModel | None, *, in_full: bool) -> list[str]:
    parts = []
    if in_full:
        rows = [(row.rule, row.result, f"{row.seconds:.3f}") for row in proof.rows]
        parts.append(render_table(("rule", "result", ">seconds"), rows))
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


_ADVICE: Final = (
    "A lemma that excludes the world would help if the property is true; if it is false, more steps of "
    "`--bmc`, or `nomadspec explore`, show how."
)


def _render_gap(name: str, gap: InductionGap) -> str:
    """Show a step that the solver found, from a world that perhaps nothing leads to."""
    arguments = ", ".join(str(value) for value in gap.arguments.values())
    told = f"{gap.rule}({arguments})" if gap.rule else "the first world"
    changed = [(cell, old, gap.after[cell]) for cell, old in gap.before.items() if gap.after[cell] != old]
    same = [(cell, str(old)) for cell, old in gap.before.items() if gap.after[cell] == old]
    lines = [
        f"{strong(f'{name} is not inductive')}: {told} breaks it in this world,",
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
