"""``nomadspec prove``: prove properties with a solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from nomadspec.checkers.cli.choice import (
    Choice,
    bounding_options,
    complete_property,
    is_large,
    load_models,
    model_option,
)
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.numbers import FiniteRange, WholeRange
from nomadspec.checkers.cli.screen import Screen, takes_screen, tell
from nomadspec.checkers.cli.story_out import check_place, keep_story
from nomadspec.invariants.catalogue import RESOURCES
from nomadspec.model.errors import UnknownNameError, UsageError

_DEFAULT_BMC_STEPS: Final = 8
_DEFAULT_SEED: Final = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be proved, and where: what the options of the verb say."""

    wanted: str | None
    model: str | None
    scope: str | None
    sizes: Sequence[tuple[str, int]]
    profile: str | None

    def choose(self) -> list[Choice]:
        """List what is asked about: one model, or all that have the property, or all but large ones."""
        if self.model is None and (self.scope or self.sizes):
            raise UsageError("--scope and --set need --model NAME.")
        if self.model == RESOURCES and (self.scope or self.sizes):
            raise UsageError(f"{RESOURCES} has neither scopes nor sizes: leave out --scope and --set.")
        return [Choice(name, self.scope, dict(self.sizes), self.profile) for name in self._list_names()]

    def _list_names(self) -> list[str]:
        from nomadspec.checkers.smt.promise_proofs import list_promises
        from nomadspec.model.language.model_promises import is_promise_of_models

        claims = _list_claims() if self.model in {None, RESOURCES} else []
        models = {} if self.model == RESOURCES else load_models(self.model)
        if self.wanted is None:
            named = [name for name, model in models.items() if self.model is not None or not is_large(model)]
            return named if self.model != RESOURCES else [RESOURCES]
        if self.model in models and is_promise_of_models(self.wanted):
            return [*models]
        promising = [
            name
            for name, model in models.items()
            if self.wanted in list_promises(model.world.schema) and not is_large(model)
        ]
        found = promising or [
            name for name, model in models.items() if self.wanted in {prop.name for prop in model.properties}
        ]
        found += [RESOURCES] if self.wanted in claims else []
        if not found:
            known = [prop.name for model in models.values() for prop in model.properties]
            raise UnknownNameError(
                f"property of {self.model}" if self.model else "property",
                self.wanted,
                dict.fromkeys([*known, *claims]),
            )
        return found


def _list_claims() -> list[str]:
    from nomadspec.invariants.cluster.resources.claims import CLAIMS

    return [claim.name for claim in CLAIMS]


@click.command(name="prove")
@click.argument("wanted", metavar="[PROPERTY]", required=False, shell_complete=complete_property)
@model_option(is_required=False)
@bounding_options
@click.option(
    "--bmc",
    type=WholeRange(0),
    default=_DEFAULT_BMC_STEPS,
    show_default=True,
    metavar="K",
    help="If a proof fails, look for a violation within K steps of the start.",
)
@click.option(
    "--time", type=FiniteRange(0, min_open=True), metavar="S", help="Stop after S seconds per model."
)
@click.option(
    "--bounded-only", is_flag=True, help="Prove within the scope only, not for any number of jobs, nodes, ..."
)
@click.option(
    "--require",
    type=click.Choice(["unbounded"]),
    help="Exit with 4 unless every proof is for any number of jobs, nodes, ...",
)
@click.option(
    "--seed",
    type=WholeRange(0, 2**31 - 1),
    default=_DEFAULT_SEED,
    show_default=True,
    metavar="N",
    help="Random seed of the solver; the results do not depend on it.",
)
@click.option(
    "--workers",
    type=WholeRange(1),
    metavar="N",
    help="Number of solver processes; 1 with --emit-smt2 or --cross-check.  "
    "[default: the number of processors]",
)
@click.option(
    "--emit-smt2",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write each query to DIR as SMT-LIB 2.6, for other solvers.",
)
@click.option("--cross-check", is_flag=True, help="Repeat every query with cvc5, if it is installed.")
@click.option(
    "--faults",
    is_flag=True,
    help="Inject faults into the resource functions, and show which check notices each.",
)
@click.option(
    "--story-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the story of the first counterexample to FILE.",
)
@click.option(
    "--draw",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the first counterexample, else the first step that breaks a property: .svg, .png, .mmd, "
    ".dot or .graphml.",
)
@takes_screen
def command(
    screen: Screen,
    wanted: str | None,
    story_out: Path | None,
    draw: Path | None,
    require: str | None,
    **given: Any,
) -> int:
    """Prove PROPERTY, or every `always` and `step` property, with an SMT solver.

    Each property is first proved for any number of jobs, nodes and so on, then within the scope. Where both
    proofs fail, a violation is searched for, from the initial worlds and back from the failing step. The
    model's own promises (values stay in their domains, counters within the scope, queues in order) are proved
    too. Without PROPERTY and --model, large models are left out, and so is `resources` (which allocations fit
    on a node): name them.

    Exit code: 0 if everything is proved; 1 if a reachable violation was found; 4 otherwise, for example if
    a step breaks a property in a world that may be unreachable.

    \b
    Examples:
      nomadspec prove
      nomadspec prove no_node_is_oversubscribed
      nomadspec prove --model core --profile X-01 --bmc 10 --draw found.svg
      nomadspec prove --model resources --profile intended
      nomadspec prove --model core --profile intended --require unbounded
      nomadspec prove managers_agree --emit-smt2 questions --cross-check
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.cli.proving import Means, draw_first, find_format
    from nomadspec.checkers.report.proving import combine, data_of, find_story, render_all, require_unbounded
    from nomadspec.checkers.report.table import join_names
    from nomadspec.model.language.model_promises import PROMISES

    check_place(story_out)
    form = find_format(draw)
    places = {name: given.pop(name) for name in ("model", "scope", "sizes", "profile")}
    means = Means(**given)
    choices = Asked(wanted, **places).choose()
    with screen.progress() as progress:
        proved = means.prove_all(choices, wanted, progress)
    if require is not None:
        proved = [require_unbounded(one) for one in proved]
    asked = [proof.property for one in proved for proof in one.report.proofs]
    if wanted is None and PROMISES.keys() >= set(asked):
        names = join_names([one.reference for one in proved])
        raise UsageError(f"{names} has no `always` or `step` property, so there is nothing to prove.")
    data = {**data_of(proved), "seed": means.seed, "questions": means.list_questions()}

    def keep() -> None:
        found = find_story(proved)
        if found is not None:
            keep_story(story_out, *found)
        elif story_out is not None:
            tell(f"wrote no {story_out}: there is no story to tell")

    return finish(
        screen,
        "prove",
        data,
        lambda: render_all(proved, in_full=wanted is not None),
        combine([one.report.verdict for one in proved]).exit_code,
        means.tell_files,
        lambda: draw_first(proved, draw, form),
        keep,
    )
