"""What became of mutants, as text and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from nomadspec.checkers.mutants.difference import Effect
from nomadspec.checkers.mutants.mutant import PROOFS, Fate, Judged
from nomadspec.checkers.mutants.trial import Trial
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
from nomadspec.checkers.report.verdicts import describe_stop, word_of
from nomadspec.checkers.verdict import Verdict

_ROOT: Final = Path(__file__).resolve().parents[2]
_LONGEST: Final = 300
_SHOWN_FATES: Final = (Fate.SURVIVED, Fate.EQUIVALENT)


def judge_trial(trial: Trial, target: float) -> Verdict:
    """Give the verdict: whether enough was noticed, of everything or of a sample."""
    if trial.stopped_by is not None or trial.score is None:
        return Verdict.INCONCLUSIVE
    if trial.score * 100 < target:
        return Verdict.VIOLATED
    return Verdict.NOT_REFUTED if trial.drawn_from is not None else Verdict.HOLDS


def data_of(trials: Iterable[Trial], target: float, verdict: Verdict) -> dict[str, object]:
    """Write trials as an object: docs/reference/json/mutants.json says what its fields mean."""
    return {
        "verdict": verdict.value,
        "target": target,
        "results": [_trial_data(trial, target) for trial in trials],
    }


def _trial_data(trial: Trial, target: float) -> dict[str, object]:
    return {
        "model": trial.reference,
        "verdict": judge_trial(trial, target).value,
        "score": None if trial.score is None else round(100 * trial.score, 2),
        "seconds": round(trial.seconds, 3),
        "stopped_by": trial.stopped_by,
        "drawn_from": trial.drawn_from,
        "seed": trial.seed,
        "searches": [entry.title for entry in trial.searches],
        "proofs": list(trial.stages),
        "notes": list(trial.notes),
        "counts": {fate.value: len(trial.list_with(fate)) for fate in Fate},
        "mutants": [_mutant_data(one) for one in trial.judged],
    }


def _mutant_data(one: Judged) -> dict[str, object]:
    part, edit = one.mutant.part, one.mutant.edit
    return {
        "name": one.mutant.name,
        "of": "property" if part.is_property else "rule",
        "concerns": list(part.properties if part.is_property else part.rules),
        "file": show_file(part.file),
        "line": edit.line,
        "kind": edit.kind,
        "before": edit.before,
        "after": edit.after,
        "fate": one.fate.value,
        "by": one.by or None,
        "noticed": list(one.noticed),
        "tried": dict(one.effects),
    }


def render_trials(trials: Iterable[Trial], target: float, *, in_full: bool) -> str:
    """Write trials for people: counts by kind of mistake, and every survivor."""
    parts = []
    for trial in trials:
        parts.append(render_paragraph(f"{strong(trial.reference)}: {_describe_court(trial)}"))
        parts.append(_render_kinds(trial))
        for fate in (*_SHOWN_FATES, *((Fate.KILLED,) if in_full else ())):
            parts += _render_fate(trial, fate)
        parts += [render_paragraph(note) for note in trial.notes]
        parts.append(_render_verdict(trial, target))
    return "\n\n".join(parts)


def _describe_court(trial: Trial) -> str:
    judges = count_of(len(trial.searches), "search", "searches")
    drawn = ""
    if trial.drawn_from is not None:
        drawn = f", drawn from {trial.drawn_from:,} with the seed {trial.seed}"
    return f"{count_of(len(trial.judged), 'mutant')}{drawn}, judged by {judges} and the proofs"


def _render_kinds(trial: Trial) -> str:
    counts: dict[tuple[str, str], Counter[Fate]] = {}
    for one in trial.judged:
        of = "properties" if one.mutant.part.is_property else "rules"
        counts.setdefault((of, one.mutant.edit.kind), Counter())[one.fate] += 1
    fates = [fate for fate in Fate if fate is not Fate.UNDECIDED or trial.list_with(fate)]
    rows = [
        (of, kind, *(str(found[fate]) for fate in fates))
        for (of, kind), found in sorted(counts.items(), reverse=True)
    ]
    return render_table(("in", "mistake", *(f">{fate.value}" for fate in fates)), rows)


def _render_fate(trial: Trial, fate: Fate) -> list[str]:
    ones = trial.list_with(fate)
    if not ones:
        return []
    paint = {Fate.SURVIVED: bad, Fate.EQUIVALENT: open_, Fate.KILLED: good}[fate]
    return ["\n\n".join([paint(f"{fate.value}:"), *[_render_one(one) for one in ones]])]


def _render_one(one: Judged) -> str:
    part, edit = one.mutant.part, one.mutant.edit
    concerns = part.properties if part.is_property else part.rules
    facts = [
        ("before", _shorten(edit.before)),
        ("after", _shorten(edit.after)),
        ("in", f"{', '.join(concerns)}"),
        ("noticed" if one.fate is Fate.KILLED else "tried", describe_trial_of(one)),
    ]
    title = f"  {show_file(part.file)}:{edit.line}: {edit.kind} in {strong(part.name)}"
    return f"{title}\n{render_facts(facts, indent=4)}"


def describe_trial_of(one: Judged) -> str:
    """Say what noticed a mutant, or what did not."""
    if one.fate is Fate.KILLED:
        return f"{one.by}: {', '.join(one.noticed)}"
    proofs = {title: effect for title, effect in one.effects.items() if title.startswith(PROOFS)}
    searches = {title: effect for title, effect in one.effects.items() if title not in proofs}
    found = Counter(searches.values())
    words = {
        Effect.NONE: "the very same",
        Effect.STEPS: "the same worlds by other steps"
        if not one.mutant.part.is_property
        else "the same verdict",
        Effect.WORLDS: "other worlds, nothing amiss",
    }
    told = [f"{found[effect]} {what}" for effect, what in words.items() if found[effect]]
    if proofs:
        is_known = set(proofs.values()) == {Effect.NONE}
        told.append("all proofs as before" if is_known else "no proof is known to be lost")
    return f"{count_of(len(searches), 'search', 'searches')}: {', '.join(told)}"


def _render_verdict(trial: Trial, target: float) -> str:
    counts = {fate: len(trial.list_with(fate)) for fate in Fate}
    told = [f"{counts[fate]} {fate.value}" for fate in Fate if counts[fate]]
    least = "at least " if counts[Fate.UNDECIDED] else ""
    score = "nothing was judged" if trial.score is None else f"{least}{100 * trial.score:.1f} % were noticed"
    sentence = f"{score} (target {target:g} %): {', '.join(told)}, in {trial.seconds:,.1f} s"
    if trial.stopped_by is not None:
        sentence += f"; {describe_stop(trial.stopped_by)}"
    return render_paragraph(f"{word_of(judge_trial(trial, target))}  {sentence}")


def show_file(path: str) -> str:
    """Name a file as people find it: from the project's folder, or as the user named it."""
    file = Path(path)
    return str(file.relative_to(_ROOT)) if file.is_relative_to(_ROOT) else path


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
