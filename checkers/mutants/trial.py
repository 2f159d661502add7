"""Trying mutants: one published search after another, the cheapest first, until each is noticed.

A mutant is *killed* when a search no longer finds what it must (a property is violated, a violation that is
known is gone, a world that must be reached is not), or when a step breaks a property that was proved. A
mutant of a property is also killed when it overlooks a mutant of a rule that the property as it is written
notices. It is *equivalent* when no search stores other worlds and all proofs end as before. Otherwise it
*survives*: something is not checked. Counts that differ kill nobody: they say that a model has changed,
not that it is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.checkers.mutants.large import LargeScene
from nomadspec.checkers.mutants.mutant import Fate, Judged, Mutant
from nomadspec.checkers.mutants.proofs import Results, are_cheap, list_lost, prove_all
from nomadspec.checkers.mutants.scene import MOST_WORLDS, Difference, Effect, Scene, make_scene
from nomadspec.checkers.mutants.side_by_side import do_each
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.mutants.ledger import Ledger
    from nomadspec.checkers.progress import Progress
    from nomadspec.model.model import Model

AnyScene: TypeAlias = "Scene | LargeScene"

PROOFS: Final = "proofs"
"""The title of what the solver proves."""
_MOST_WITNESSES: Final = 12
"""By so many mutants of rules a mutant of a property is judged in a search: to overlook one is enough."""
_MADE_TRUE: Final = "property made true"
_REFUSED: Final = "refused: "


@dataclass(slots=True)
class Trial:
    """The mutants of a model, and the searches that judge them."""

    reference: str
    """How the model was asked for."""
    model: Model
    searches: tuple[Published, ...]
    judged: list[Judged]
    drawn_from: int | None = None
    """Of how many mutants these are a sample; None where they are all that were asked for."""
    seed: int = 0
    asks_proofs: bool = False
    seconds: float = 0.0
    stopped_by: str | None = None
    """None where everything was tried, else ``time`` or ``interrupt``."""
    notes: list[str] = field(default_factory=list)

    def list_with(self, fate: Fate) -> list[Judged]:
        """List the mutants that met a fate."""
        return [one for one in self.judged if one.fate is fate]

    @property
    def score(self) -> float | None:
        """The share that was noticed of those that change anything; None where nothing was judged."""
        killed, survived = len(self.list_with(Fate.KILLED)), len(self.list_with(Fate.SURVIVED))
        return killed / (killed + survived) if killed + survived else None


@dataclass(slots=True)
class Court:
    """Tries the mutants of a trial."""

    trial: Trial
    ledger: Ledger
    progress: Progress
    workers: int = 1
    deadline: float | None = None

    def sit(self) -> None:
        """Try all, until time is up or somebody interrupts."""
        began = time.monotonic()
        try:
            for entry in self.trial.searches:
                if not is_large(entry):
                    self._try_on(entry)
            self._try_proofs()
            for entry in self.trial.searches:
                if is_large(entry):
                    self._try_on(entry)
            self._close()
        except TimeoutError:
            self.trial.stopped_by = "time"
        except KeyboardInterrupt:
            self.trial.stopped_by = "interrupt"
        self.trial.seconds = time.monotonic() - began

    def _try_on(self, entry: Published) -> None:
        """Try what is left on one search, which is made only where something in it is not known."""
        waiting = self._list_open()
        scene = _Late(self.trial.model, entry)
        rules = [one for one in waiting if not one.mutant.part.is_property]
        self._compare_all(entry, scene, rules)
        noticed = [one for one in rules if one.by == entry.title and not _is_refused(one)]
        properties = [one for one in waiting if one.mutant.part.is_property]
        self._compare_all(entry, scene, properties)
        self._confront(entry, scene, [one for one in properties if one.fate is Fate.UNDECIDED], noticed)
        if scene.has_drifted:
            self.trial.notes.append(
                f"{entry.title} stores {scene.get().distinct:,} worlds, and {entry.distinct:,} are "
                "published: bring the manifest up to date."
            )

    def _compare_all(self, entry: Published, scene: _Late, ones: Sequence[Judged]) -> None:
        def compare(one: Judged) -> Difference:
            return _compare(scene.get(), one.mutant)

        for one, difference in self._ask(entry.title, ones, compare, scene):
            one.effects[entry.title] = difference.effect.value
            if difference.names:
                _kill(one, entry.title, difference.names)

    def _confront(
        self, entry: Published, scene: _Late, properties: Sequence[Judged], noticed: Sequence[Judged]
    ) -> None:
        """Let mutants of properties look at mutants of rules that the properties as written notice."""

        def overlook(one: Judged) -> Difference:
            shown = _list_shown(one, noticed)
            missed = next((other.name for other in shown if _overlooks(scene, one.mutant, other)), None)
            return Difference(Effect.NONE, frozenset([missed] if missed else []))

        asked = [one for one in properties if _list_shown(one, noticed)]
        for one, difference in self._ask(f"{entry.title}, mutants", asked, overlook, scene):
            if difference.names:
                _kill(one, f"{entry.title}, where it overlooks", difference.names)

    def _try_proofs(self) -> None:
        waiting = self._list_open()
        if not self.trial.asks_proofs or not waiting:
            return
        usual = prove_all(self.trial.model)

        def compare(one: Judged) -> Difference:
            with swapped(one.mutant.part.function, one.mutant.edit.definition):
                return _compare_proofs(usual, prove_all(self.trial.model))

        for one, difference in self._ask(PROOFS, waiting, compare, None):
            one.effects[PROOFS] = difference.effect.value
            if difference.names:
                _kill(one, PROOFS, difference.names)
        self._confront_proofs(usual, waiting)

    def _confront_proofs(self, usual: Results, waiting: Sequence[Judged]) -> None:
        """Let mutants of properties look at mutants of rules that only the proofs have noticed."""
        noticed = [one for one in waiting if one.by == PROOFS and not one.mutant.part.is_property]

        def overlook(one: Judged) -> Difference:
            shown = _list_shown(one, noticed)
            lost = (other.name for other in shown if _loses(self.trial.model, usual, one.mutant, other))
            missed = next(lost, None)
            return Difference(Effect.NONE, frozenset([missed] if missed else []))

        left = [one for one in self._list_open() if one.mutant.part.is_property]
        properties = [one for one in left if _list_shown(one, noticed)]
        for one, difference in self._ask(f"{PROOFS}, mutants", properties, overlook, None):
            if difference.names:
                _kill(one, f"{PROOFS}, where it overlooks", difference.names)

    def _close(self) -> None:
        """Judge what nothing noticed: a mutant that changes nothing is no mistake."""
        for one in self._list_open():
            is_same = Effect.WORLDS.value not in one.effects.values() and self.trial.asks_proofs
            is_equivalent = (
                is_same and one.effects.get(PROOFS) == Effect.NONE and not one.mutant.part.is_property
            )
            one.fate = Fate.EQUIVALENT if is_equivalent else Fate.SURVIVED

    def _ask(
        self, title: str, ones: Sequence[Judged], answer: Callable[[Judged], Difference], scene: _Late | None
    ) -> Iterator[tuple[Judged, Difference]]:
        """Give what is known of each, and find out the rest."""
        left = []
        for one in ones:
            known = self.ledger.find(one.mutant.name, title)
            if known is None:
                left.append(one)
            else:
                yield one, known
        if left and scene is not None:
            self._look_at_clock(title)
            scene.get()
        for one, difference in do_each(left, answer, self.workers):
            self.ledger.note(one.mutant.name, title, difference)
            yield one, difference
            self._look_at_clock(title)

    def _look_at_clock(self, title: str) -> None:
        decided = sum(one.fate is not Fate.UNDECIDED for one in self.trial.judged)
        self.progress.update(title, decided, len(self.trial.judged))
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TimeoutError

    def _list_open(self) -> list[Judged]:
        return [one for one in self.trial.judged if one.fate is Fate.UNDECIDED]


class _Late:
    """A scene that is made when it is looked at first."""

    def __init__(self, model: Model, entry: Published) -> None:
        self._model = model
        self._entry = entry
        self._scene: AnyScene | None = None

    @property
    def has_drifted(self) -> bool:
        """Whether it was made, and has other worlds than are published."""
        published = self._entry.distinct
        return self._scene is not None and published is not None and self._scene.distinct != published

    def get(self) -> AnyScene:
        """Give the scene."""
        if self._scene is None:
            is_kept = not is_large(self._entry)
            self._scene = (
                make_scene(self._model, self._entry) if is_kept else LargeScene(self._entry, self._model)
            )
        return self._scene


def is_large(entry: Published) -> bool:
    """Tell whether a published search has too many worlds to be kept."""
    return (entry.distinct or 0) > MOST_WORLDS


def _compare(scene: AnyScene, mutant: Mutant) -> Difference:
    with swapped(mutant.part.function, mutant.edit.definition):
        try:
            return scene.compare(mutant.part)
        except ModelError as complaint:
            return Difference(Effect.WORLDS, frozenset({_REFUSED + str(complaint).partition("\n")[0]}))


def _list_shown(one: Judged, noticed: Sequence[Judged]) -> list[Mutant]:
    """List mutants of rules that the property which a mutant is made of has noticed."""
    (name,) = one.mutant.part.properties
    return [other.mutant for other in noticed if name in other.noticed][:_MOST_WITNESSES]


def _overlooks(scene: _Late, mutant: Mutant, other: Mutant) -> bool:
    """Tell whether a mutant of a property does not notice a mutant of a rule, or later than the property."""
    if mutant.edit.kind == _MADE_TRUE:
        return True
    (name,) = mutant.part.properties
    with swapped(other.part.function, other.edit.definition):
        try:
            seen = scene.get().find_first(other.part, name)
            with swapped(mutant.part.function, mutant.edit.definition):
                return scene.get().find_first(other.part, name) != seen
        except ModelError:
            return False


def _loses(model: Model, usual: Results, mutant: Mutant, other: Mutant) -> bool:
    """Tell whether the proof of a mutant of a property goes through for a mutant of a rule."""
    (name,) = mutant.part.properties
    with ExitStack() as both:
        both.enter_context(swapped(other.part.function, other.edit.definition))
        both.enter_context(swapped(mutant.part.function, mutant.edit.definition))
        return name not in list_lost(usual, prove_all(model))


def _compare_proofs(usual: Results, found: Results) -> Difference:
    lost = list_lost(usual, found)
    return Difference(Effect.NONE if found == usual else Effect.STEPS, frozenset(lost))


def _kill(one: Judged, by: str, names: Iterable[str]) -> None:
    one.fate, one.by, one.noticed = Fate.KILLED, by, tuple(sorted(names))


def _is_refused(one: Judged) -> bool:
    return any(name.startswith(_REFUSED) for name in one.noticed)


def try_mutants(
    trial: Trial, ledger: Ledger, progress: Progress, *, workers: int, seconds: float | None
) -> None:
    """Try the mutants of a trial, and note in it what becomes of each."""
    deadline = None if seconds is None else time.monotonic() + seconds
    trial.asks_proofs = are_cheap(trial.model)
    Court(trial, ledger, progress, workers, deadline).sit()
