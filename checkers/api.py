"""What scripts and notebooks call: the engines by one name each, with results that show themselves.

Stable means: these names, their parameters and the fields of ``data()`` change only with the first number of
the version; what an engine returns as ``report`` may grow. Everything else of the package may change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.checked_texts_on_disk import CheckedTextsOnDisk
from nomadspec.checkers.diagrams.dag import render_events
from nomadspec.checkers.diagrams.evals.build import build_dag
from nomadspec.checkers.diagrams.evals.drawing import render_dag
from nomadspec.checkers.diagrams.evals.sources import read_history
from nomadspec.checkers.diagrams.lifecycle import render_lifecycle
from nomadspec.checkers.diagrams.story_events import events_of
from nomadspec.checkers.escaping import escape_markup
from nomadspec.checkers.explore import explore as run_explorer
from nomadspec.checkers.oracle.limits import LIMITS
from nomadspec.checkers.pages.page import Page, write_page
from nomadspec.checkers.pages.table_pages import make_schedule_page
from nomadspec.checkers.pages.timeline_pages import make_scenario_page, make_story_page
from nomadspec.checkers.pages.worlds import Table, WorldShown, tabulate_cells, tabulate_objects
from nomadspec.checkers.report.candidates import survey
from nomadspec.checkers.report.exploring import Explored
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.report.proving import Proved, data_of, render_all
from nomadspec.checkers.report.replaying import Told, replay_file
from nomadspec.checkers.report.scenario import Played
from nomadspec.checkers.report.scheduling import Scheduled
from nomadspec.checkers.report.simulating import Simulated
from nomadspec.checkers.scenario.language import parse_lines, read_scenario
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.scenario.run import Run
from nomadspec.checkers.scheduling.case import read_case
from nomadspec.checkers.simulate import simulate as run_simulator
from nomadspec.checkers.smt import prove as run_solver
from nomadspec.model.errors import UnknownNameError, UsageError
from nomadspec.model.language.checked_texts import find_checked_texts, keeping_checked_texts
from nomadspec.model.language.claim import judge
from nomadspec.model.language.model import Model
from nomadspec.model.language.story import replay as replay_story
from nomadspec.model.lifecycle.catalogue import find_lifecycle
from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile

if TYPE_CHECKING:
    from nomadspec.checkers.diagrams.evals.drawing import Frames
    from nomadspec.checkers.verdict import Proof
    from nomadspec.model.language.bounded import BoundedModel

__all__ = [
    "dag",
    "explore",
    "lifecycle",
    "load_model",
    "prove",
    "replay",
    "scenario",
    "schedule",
    "simulate",
]

_HEIGHT: Final = 620
_STYLED: Final = re.compile("\x1b\\[([0-9]+)m")
_STYLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "1": "font-weight:bold",
        "2": "opacity:.75",
        "31": "color:#d64541",
        "32": "color:#1f9468",
        "33": "color:#b07d1b",
    }
)
"""How what a terminal shows by its codes looks in a notebook; readable on light and on dark."""


class Brief:
    """Writes itself in a few words, where its fields would be pages."""

    def __repr__(self) -> str:
        """Name it."""
        return f"<nomadspec {type(self).__name__}>"


class Picture(Brief):
    """An SVG that shows itself in Jupyter."""

    def __init__(self, svg: bytes) -> None:
        """Keep it."""
        self.svg = svg.decode()

    def _repr_svg_(self) -> str:
        return self.svg.replace("<svg", '<svg style="max-width:100%;height:auto"', 1)


class Exploration(Brief, Explored):
    """What a search found: ``report`` is all of it, ``replay()`` its story."""

    def replay(self) -> StoryShown:
        """Replay the story of what is wrong, else of what was reached."""
        story = self.story()
        if story is None:
            raise UsageError("There is no story: nothing is wrong, and nothing was asked to be reached.")
        replayed = replay_story(story, self.bounded)
        return StoryShown(story, self.bounded, replayed, judge(story, replayed))

    @property
    def worlds(self) -> list[WorldShown]:
        """The worlds from which the search starts; ``replay().worlds`` are those of its story."""
        starts = [tabulate_cells(self.bounded.describe(cells)) for _, cells in self.bounded.starts]
        return [
            WorldShown(f"first world {at}", tables, hides_empty=True) for at, tables in enumerate(starts, 1)
        ]

    def _repr_html_(self) -> str:
        return _show_text(self.render())


class Walks(Brief, Simulated):
    """What random walks found."""

    def _repr_html_(self) -> str:
        return _show_text(self.render())


class Proofs(Brief, Proved):
    """What the solver says of each property; ``find(name)`` is one of them."""

    def find(self, name: str) -> Proof:
        """Find the proof of a property."""
        for proof in self.report.proofs:
            if proof.property == name:
                return proof
        raise UnknownNameError("property", name, (proof.property for proof in self.report.proofs))

    def data(self) -> dict[str, object]:
        """Give what ``--json`` prints."""
        return data_of([self])

    def render(self) -> str:
        """Give the text for a terminal."""
        return render_all([self], in_full=False)

    def _repr_html_(self) -> str:
        return _show_text(self.render())


class StoryShown(Brief, Told):
    """A story that was replayed: in Jupyter a page to step through; ``picture()`` is what caused what."""

    @property
    def worlds(self) -> list[WorldShown]:
        """The first world, and the world after each step."""
        if self.replay is None:
            raise UsageError(self.judgement.sentence)
        tables = [tabulate_cells(self.bounded.describe(cells)) for cells in self.replay.worlds]
        titles = [f"after step {at}: {step}" for at, step in enumerate(self.story.steps, 1)]
        return _chain(["first world", *titles], tables, hides_empty=True)

    def page(self) -> Page:
        """Make the page that ``nomadspec story --html`` writes."""
        return make_story_page(self)

    def picture(self) -> Picture:
        """Draw which step caused which."""
        if self.replay is None:
            raise UsageError(self.judgement.sentence)
        return Picture(render_events(events_of(self.story, self.replay, self.judgement), "svg"))

    def _repr_html_(self) -> str:
        return _show_page(self.page())


class ScenarioShown(Brief, Played):
    """A scenario that was played: in Jupyter a page to step through."""

    @property
    def worlds(self) -> list[WorldShown]:
        """The cluster before the first event, and after each."""
        states = [world.state for world in (self.run.origin, *(self.run.worlds or ()))]
        titles = [f"after event {at}: {event.what}" for at, event in enumerate(self.run.events, 1)]
        tables = [tabulate_objects(state) for state in states]
        return _chain(["first world", *titles], tables, hides_empty=False)

    def _repr_html_(self) -> str:
        return _show_page(make_scenario_page(self, None))


class Decision(Brief, Scheduled):
    """What a scheduler did with an evaluation; ``outcome.reasons`` says why. In Jupyter: plans and scores."""

    def _repr_html_(self) -> str:
        return _show_page(make_schedule_page(self))


def explore(  # noqa: PLR0913 -- each is a choice that callers make by name
    model: Model | str,
    scope: str | None = None,
    *,
    profile: str | None = None,
    sizes: Mapping[str, int] | None = None,
    properties: Iterable[str] | None = None,
    reduction: str = "none",
    max_seconds: float | None = None,
    max_states: int | None = None,
) -> Exploration:
    """Visit every world of a scope and check the properties, by default all.

    Here and below a model that asks for quirks, as the kernel does, needs a profile or a scope that has one.
    """
    bounded = _bind(model, scope, profile, sizes)
    report = run_explorer(
        bounded,
        properties=None if properties is None else list(properties),
        reduction=reduction,
        max_seconds=max_seconds,
        max_states=max_states,
    )
    name = _name(model)
    return Exploration(report, bounded, name, f"nomadspec explore --model {name} --scope {bounded.scope}")


def simulate(
    model: Model | str,
    scope: str | None = None,
    *,
    seed: int,
    walks: int = 200,
    profile: str | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Walks:
    """Walk at random and check every step."""
    bounded = _bind(model, scope, profile, sizes)
    report = run_simulator(bounded, seed=seed, walks=walks)
    name = _name(model)
    again = f"nomadspec simulate --model {name} --scope {bounded.scope} --seed {seed} --walks {walks}"
    return Walks(report, bounded, name, again)


def prove(
    model: Model | str,
    properties: Iterable[str] | None = None,
    *,
    profile: str | None = None,
    max_seconds: float | None = None,
) -> Proofs:
    """Prove properties with the solver, for any number of everything where that is possible."""
    bounded = _bind(model, None, profile, None)
    names = None if properties is None else list(properties)
    return Proofs(run_solver(bounded, properties=names, max_seconds=max_seconds), bounded, _name(model))


def replay(path: str | Path) -> StoryShown:
    """Replay the story of a file."""
    told = replay_file(Path(path))
    return StoryShown(told.story, told.bounded, told.replay, told.judgement)


def scenario(source: str | Path, *, profile: str) -> ScenarioShown:
    """Play a scenario: a file, or its text where it has several lines."""
    is_text = isinstance(source, str) and "\n" in source
    text = str(source) if is_text else read_scenario(Path(source))
    name = "scenario" if is_text else str(source)
    folder = Path() if is_text else Path(source).parent
    chosen = find_profile(profile)
    run = play_lines(parse_lines(text, name), chosen, run=Run(chosen, folder, worlds=[]))
    return ScenarioShown(name, text.split("\n"), run)


def dag(path: str | Path, *, profile: str, frames: Frames = "job") -> Picture:
    """Draw what caused each evaluation of a scenario, a recording or a cluster, by job or component."""
    history = read_history(Path(path), find_profile(profile), LIMITS)
    return Picture(render_dag(build_dag(history), "svg", frames))


def schedule(path: str | Path, eval_id: str | None = None, *, profile: str) -> Decision:
    """Process one evaluation as the scheduler does, with its reasons."""
    chosen = find_profile(profile)
    case = read_case(Path(path), eval_id)
    case = case if chosen.quirks == NOMAD_2_0.quirks else case.freed()
    outcome = case.run(with_reasons=True, profile=chosen)
    found = survey(case.snapshot, case.evaluation)
    return Decision(case.evaluation, case.scheduler, outcome, found, case.lacks_job, case.node_names)


def lifecycle(name: str, *, profile: str) -> Picture:
    """Draw the lifecycle of an evaluation, an allocation, a node, a deployment or a job."""
    return Picture(render_lifecycle(find_lifecycle(name), find_profile(profile), "svg"))


def _bind(
    model: Model | str, scope: str | None, profile: str | None, sizes: Mapping[str, int] | None
) -> BoundedModel:
    found = load_model(model) if isinstance(model, str) else model
    with keeping_checked_texts(find_checked_texts() or CheckedTextsOnDisk()):
        return found.at(scope, sizes=sizes or {}, profile=profile)


def _name(model: Model | str) -> str:
    return model if isinstance(model, str) else model.name


def _chain(
    titles: Iterable[str], tables: Sequence[Mapping[str, Table]], *, hides_empty: bool
) -> list[WorldShown]:
    """Show worlds one after another, each with the one before it."""
    pairs = zip(titles, tables, [{}, *tables[:-1]], strict=True)
    return [WorldShown(*one, hides_empty=hides_empty) for one in pairs]


def _show_text(text: str) -> str:
    """Write a text as HTML with the colours that it has on a terminal."""
    parts, opened = [], 0
    for at, part in enumerate(_STYLED.split(text)):
        if at % 2 == 0:
            parts.append("\n".join(map(escape_markup, part.split("\n"))))
        elif part in _STYLES:
            parts.append(f'<span style="{_STYLES[part]}">')
            opened += 1
        else:
            parts.append("</span>" * opened)
            opened = 0
    return f"<pre>{''.join(parts)}{'</span>' * opened}</pre>"


def _show_page(page: Page) -> str:
    """Put a page into a frame of its own, so that nothing of it reaches the notebook."""
    inner = write_page(page).decode().replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe title="{escape_markup(page.title)}" srcdoc="{inner}" sandbox="allow-scripts" '
        f'style="width:100%;height:{_HEIGHT}px;border:1px solid #888;box-sizing:border-box"></iframe>'
    )
