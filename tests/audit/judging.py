"""What the package says of a random model, compared with what brute force says: every difference, as text."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from nomadspec.checkers.explore import explore
from nomadspec.checkers.verdict import ExploreReport, ProofResult, ProveReport
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.story import DEADLOCK, Application, Story
from tests.audit.brute import (
    Graph,
    Label,
    TooLargeError,
    World,
    count_orbits,
    has_fair_stay,
    is_promise_kept,
    search,
)
from tests.audit.described import Described, Property

SHORT = frozenset({"none", "symmetry"})
"""The reductions under which stories are shortest ones."""


def check_drawn(model: Described, differences: list[str], text: str) -> None:
    """Fail with the differences and the model's text, where there are any."""
    assert not differences, f"seed {model.seed}:\n  " + "\n  ".join(differences) + f"\n\n{text}"


def compare_search(graph: Graph, report: ExploreReport) -> list[str]:
    """Compare a search that went on after violations: counts, verdicts, stories, promises and deadlock."""
    found = {finding.property: finding.story for finding in report.findings}
    differences = list(_compare_counts(graph, report))
    for prop in graph.brute.model.properties:
        if prop.kind == "eventually":
            differences += [] if prop.name in report.not_checked else _compare_promise(graph, prop, found)
        else:
            story = report.reached.get(prop.name) if prop.kind == "sometimes" else found.get(prop.name)
            differences += _compare_story(graph, prop.name, graph.find_shortest(prop), story, report, prop)
    differences += _compare_story(graph, DEADLOCK, graph.find_stuck(), found.get(DEADLOCK), report, None)
    return differences


def _compare_counts(graph: Graph, report: ExploreReport) -> Iterator[str]:
    plain = (len(graph.far), graph.generated, graph.depth)
    got = (report.distinct, report.generated, report.depth)
    if report.stopped_by is not None:
        yield f"stopped by {report.stopped_by}"
    if report.reduction == "none" and got != plain:
        yield f"distinct, generated, depth are {got}, but {plain} by brute force"
    if report.reduction == "symmetry" and got != count_orbits(graph):
        yield f"orbits, steps, depth are {got}, but {count_orbits(graph)} by brute force"
    if report.distinct > plain[0]:
        yield f"{report.distinct} worlds, but there are only {plain[0]}"


def _compare_story(
    graph: Graph,
    name: str,
    length: int | None,
    story: Story | None,
    report: ExploreReport,
    prop: Property | None,
) -> Iterator[str]:
    if (story is None) != (length is None):
        yield f"{name}: the search says {_say(story)}, brute force {'nothing' if length is None else length}"
        return
    if story is None or length is None:
        return
    if report.reduction in SHORT and len(story.steps) != length:
        yield f"{name}: its story has {len(story.steps)} steps, the shortest {length}"
    worlds = play(graph, story)
    if worlds is None:
        yield f"{name}: its story is not possible: {[str(step) for step in story.steps]}"
    elif not _ends_as_told(graph, prop, worlds, story):
        yield f"{name}: its story does not show it: {[str(step) for step in story.steps]}"


def _say(story: Story | None) -> str:
    return "nothing" if story is None else f"{len(story.steps)} steps"


def _ends_as_told(graph: Graph, prop: Property | None, worlds: Sequence[World], story: Story) -> bool:
    brute = graph.brute
    if prop is None:
        is_over = brute.rest is not None and brute.rest(worlds[-1], worlds[-1], {})
        return not brute.list_steps(worlds[-1]) and not is_over
    if prop.kind == "step":
        return len(worlds) > 1 and not brute.holds(
            prop.flag, worlds[-2], worlds[-1], {"by": story.steps[-1].rule}
        )
    return brute.holds(prop.flag, worlds[-1]) is (prop.kind == "sometimes")


def play(graph: Graph, story: Story) -> list[World] | None:
    """Take the steps of a story by brute force; None where one is not possible."""
    first = graph.brute.starts.get(None if story.start is None else _read_step(graph, story.start))
    if first is None:
        return None
    worlds = [first]
    for step in story.steps:
        label = _read_step(graph, step)
        after = dict(graph.brute.list_steps(worlds[-1])).get(label)
        if after is None:
            return None
        worlds.append(after)
    return worlds


def _read_step(graph: Graph, step: Application) -> Label:
    model = graph.brute.model
    rule = next(one for one in (*model.rules, *model.starts) if one.title == step.rule)
    return step.rule, tuple(_read_argument(graph, step.arguments[name], of) for name, of in rule.arguments)


def _read_argument(graph: Graph, told: object, of: str) -> int | tuple[object, ...]:
    if isinstance(told, Mapping):
        return tuple(told.values())
    label = graph.brute.model.find_set(of).label
    return int(str(told).removeprefix(label)) - 1


def _compare_promise(graph: Graph, prop: Property, found: Mapping[str, Story | None]) -> Iterator[str]:
    is_kept = is_promise_kept(graph, prop)
    if is_kept == (prop.name in found):
        yield f"{prop.name}: brute force says that it is {'kept' if is_kept else 'broken'}, the search not"
    story = found.get(prop.name)
    if is_kept or story is None:
        return
    worlds = play(graph, story)
    if worlds is None or story.loop is None:
        yield f"{prop.name}: its lasso is not possible: {[str(step) for step in story.steps]}"
        return
    members = [graph.brute.model.find_set(of).label for _, of in prop.arguments]
    case = {
        name: int(text.removeprefix(label)) - 1
        for (name, _), label, text in zip(prop.arguments, members, story.case, strict=True)
    }
    loop = worlds[story.loop :]
    if loop[0] != loop[-1] or any(graph.brute.holds(prop.flag, world, env=case) for world in loop):
        yield f"{prop.name}: its lasso does not go round without the goal"
    elif not has_fair_stay(graph, set(loop)):
        yield f"{prop.name}: its lasso is not fair: {[str(step) for step in story.steps]}"


def explore_whole(bounded: BoundedModel, reduction: str = "none", **options: object) -> ExploreReport:
    """Search all of a scope, whatever is violated; promises too, which a reduction would leave out."""
    names = [*(prop.name for prop in bounded.model.properties), DEADLOCK]
    chosen = {"engine": "interpreted", "properties": names, **options}
    return explore(bounded, reduction=reduction, stop_at_first=False, **chosen)  # type: ignore[arg-type]  # the caller's


def explore_in_parts(bounded: BoundedModel, folder: Path, worlds: int) -> ExploreReport:
    """Search a scope that is stopped after so many worlds, kept in a file, and resumed from that."""
    path = folder / f"{bounded.model.name}.kept"
    explore_whole(bounded, max_states=worlds, checkpoint=path)
    return explore_whole(bounded, checkpoint=path, resume=path.exists())


def compare_proofs(graphs: Mapping[str, Graph], drawn: Model, report: ProveReport) -> list[str]:
    """Compare proofs with graphs of several sizes, ``scope`` and others: what is proved is never violated.

    A proof that names the sizes of its scope speaks of these only.
    """
    differences = []
    for proof in (one for one in report.proofs if one.property not in PROMISES):
        prop = next(one for one in graphs["scope"].brute.model.properties if one.name == proof.property)
        is_open = proof.result is ProofResult.PROVED_UNBOUNDED
        if is_open or proof.result is ProofResult.PROVED_BOUNDED:
            asked = graphs if is_open else {"scope": graphs["scope"]}
            wrong = {name: graph.find_shortest(prop) for name, graph in asked.items()}
            differences += [
                f"{prop.name} is {proof.result.value}, but violated after {length} steps in {name}"
                for name, length in wrong.items()
                if length is not None
            ]
        if proof.result is ProofResult.COUNTEREXAMPLE and proof.story is not None:
            worlds = play(graphs["scope"], proof.story) if _is_of_scope(drawn, proof.story) else None
            if worlds is not None and not _ends_as_told(graphs["scope"], prop, worlds, proof.story):
                differences.append(f"{prop.name} has a counterexample that does not violate it")
            if worlds is None and _is_of_scope(drawn, proof.story):
                differences.append(f"{prop.name} has a counterexample that is not possible")
    return differences


def search_larger(model: Described, graph: Graph, most: int) -> dict[str, Graph]:
    """Search a model in its scope and in larger ones, as far as these have no more worlds than one wants.

    Only what a proof reads as any number grows: sets of interchangeable ids and bounds of counters.
    """
    graphs = {"scope": graph}
    for more in (-1, 1, 2):
        lengths = {one.name: one.length + more for one in model.sets if not one.is_index}
        lengths |= {name: number + more for name, number in model.sizes.items()}
        with suppress(TooLargeError):
            graphs[f"a scope larger by {more}"] = search(model.with_sizes(lengths), most)
    return graphs


def _is_of_scope(drawn: Model, story: Story) -> bool:
    return dict(story.sizes) == drawn.at().sizes
