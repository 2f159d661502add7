"""``nomadspec mutants``: make small mistakes in rules and properties, and see whether the checks notice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from nomadspec.checkers.cli.choice import (
    complete_property,
    complete_rule,
    complete_scope,
    is_large,
    load_models,
    model_option,
)
from nomadspec.checkers.cli.numbers import FiniteRange, WholeRange
from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from nomadspec.checkers.mutants.trial import Trial
    from nomadspec.checkers.progress import Progress
    from nomadspec.model.language.model import Model

_TARGET: Final = 95.0


@dataclass(frozen=True, slots=True)
class Asked:
    """Which mutants are to be tried, on what, and how: what the options of the verb say."""

    model: str | None
    scopes: tuple[str, ...]
    rules: tuple[str, ...]
    properties: tuple[str, ...]
    sample: int | None
    seed: int
    time: float | None
    workers: int
    resume: Path | None

    def choose(self) -> dict[str, Model]:
        """Load the model that was named, or all but the large ones."""
        models = load_models(self.model)
        if self.model is not None:
            return models
        if self.scopes or self.rules or self.properties or self.resume:
            raise UsageError("--scope, --rule, --property and --resume need --model NAME.")
        return {name: model for name, model in models.items() if not is_large(model)}

    def try_model(self, name: str, model: Model, progress: Progress) -> Trial:
        """Try the mutants of one model."""
        from nomadspec.checkers.mutants.ledger import Ledger, compute_identity
        from nomadspec.checkers.mutants.mutant import Judged, list_mutants, sample_mutants
        from nomadspec.checkers.mutants.parts import list_parts
        from nomadspec.checkers.mutants.searches import list_searches
        from nomadspec.checkers.mutants.trial import Trial, try_mutants

        searches = list_searches(model, self.scopes)
        wanted = list_mutants(model, self.rules, self.properties)
        chosen = wanted if self.sample is None else sample_mutants(wanted, self.sample, self.seed)
        drawn_from = len(wanted) if len(chosen) < len(wanted) else None
        trial = Trial(name, model, searches, [Judged(one) for one in chosen], drawn_from, self.seed)
        ledger = Ledger(self.resume, compute_identity(list_parts(model), searches) if self.resume else "")
        try_mutants(trial, ledger, progress, workers=self.workers, seconds=self.time)
        ledger.close()
        trial.notes += [ledger.problem] if ledger.problem else []
        return trial


@click.command(name="mutants")
@model_option(is_required=False)
@click.option(
    "--scope",
    "-s",
    "scopes",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_scope,
    help="Judge mutants by searches of this scope only; repeatable.  [default: all published]",
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_rule,
    help="Mutate this rule and the functions that it calls; repeatable.",
)
@click.option(
    "--property",
    "-p",
    "properties",
    multiple=True,
    metavar="ID",
    shell_complete=complete_property,
    help="Mutate this property; repeatable.",
)
@click.option("--sample", type=WholeRange(1), metavar="N", help="Try N random mutants.")
@click.option(
    "--seed",
    type=WholeRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Random seed of the sample.",
)
@click.option(
    "--target",
    type=FiniteRange(0, 100),
    default=_TARGET,
    show_default=True,
    metavar="PERCENT",
    help="Percentage of the mutants that must be noticed, equivalent ones not counted.",
)
@click.option(
    "--time", type=FiniteRange(0, min_open=True), metavar="S", help="Stop after S seconds per model."
)
@click.option(
    "--workers",
    type=WholeRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of processes.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Save results to FILE, and skip the mutants that FILE already has.",
)
@click.option("--full", is_flag=True, help="List the noticed mutants too, with the check that noticed each.")
@takes_screen
def command(screen: Screen, target: float, *, full: bool, **options: Any) -> int:
    """Make small mistakes in rules and properties, one at a time, and see whether the checks notice.

    A mistake drops a condition, flips a comparison or a quantifier, is off by one, swaps values, leaves out
    an effect, or makes a property true. It is noticed if a published search or a proof then ends
    differently. A mutant is equivalent if every search stores the same worlds and every proof ends as
    before. The others survive, and are listed. Large models are only mutated if you name them with --model.

    Exit code: 0 if the target was reached, 1 if not, 4 if not all mutants were tried.

    \b
    Examples:
      nomadspec mutants --model 2pc
      nomadspec mutants --model core --rule Dequeue --full
      nomadspec mutants --model kernel --sample 100 --workers 2 --resume kernel.mutants
      nomadspec mutants --model my_shop.py:SHOP --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.loading import blaming_own, naming_file
    from nomadspec.checkers.report.mutants import data_of, judge_trial, render_trials
    from nomadspec.checkers.report.proving import combine

    asked = Asked(**options)
    trials = []
    with screen.progress() as progress:
        for name, model in asked.choose().items():
            with blaming_own(name), naming_file(name):
                trials.append(asked.try_model(name, model, progress))
    verdict = combine([judge_trial(trial, target) for trial in trials])
    screen.show(
        "mutants",
        data_of(trials, target, verdict),
        lambda: render_trials(trials, target, in_full=full),
        verdict.exit_code,
    )
    return verdict.exit_code
