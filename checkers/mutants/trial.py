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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.mutants.mutant import PROOFS, Fate, Judged, Mutant, list_mutants, shuffle_mutants
from nomadspec.checkers.mutants.parallel_map import do_each
from nomadspec.checkers.mutants.searching import (
    compare_in,
    find_left_out_in,
    find_overlooked_in,
    list_witnesses,
    make_any_scene,
)
from nomadspec.checkers.mutants.stages import Setting, list_stages
from nomadspec.checkers.mutants.step_proofs import Stage
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.smt.open_rows import do_keep, find_proved
from nomadspec.checkers.stopping import interruptible
from nomadspec.model.errors import ModelError
from nomadspec.model.specification.profiles import INTENDED

if TYPE_CHECKING:
    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.mutants.ledger import Ledger
    from nomadspec.checkers.progress import Progress
    from nomadspec.model.language.model import Model

Made = TypeVar("Made")

_ANY_NUMBER: Final = f"{PROOFS} for any number"
_EVERYTHING: Final = "the model"
"""In the ledger: who is not a mutant."""
_MOST_WITNESSES: Final = 12
"""By so many mutants of rules a mutant of a property is judged in a search: to overlook one is enough."""
_REFUSED: Final = "refused: "


@dataclass
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
    seconds: float = 0.0
    stopped_by: str | None = None
    """None where everything was tried, else ``time`` or ``interrupt``."""
    notes: list[str] = field(default_factory=list)

    @cached_property
    def stages(self) -> Mapping[str, Setting]:
        """In which settings the proofs are asked, by their titles."""
        return list_stages(self.model)

    def list_with(self, fate: Fate) -> list[Judged]:
        """List the mutants that met a fate."""
        return [one for one in self.judged if one.fate is fate]

    @property
    def score(self) -> float | None:
        """The share that was noticed, of those that may change anything; None where there are none of them.

        What was not decided yet counts as not noticed, so that a run that was cut says what is certain.
        """
        judged = len(self.judged) - len(self.list_with(Fate.EQUIVALENT))
        return len(self.list_with(Fate.KILLED)) / judged if judged else None


@dataclass
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
            with interruptible():
                self._try_stages()
                for entry in self.trial.searches:
                    self._try_on(entry)
                self._try_any_number()
                self._close()
        except TimeoutError:
            self.trial.stopped_by = "time"
        except KeyboardInterrupt:
            self.trial.stopped_by = "interrupt"
        self.trial.seconds = time.monotonic() - began

    def _try_on(self, entry: Published) -> None:
        """Try what is left on one search, which is made only where something in it is not known."""
        waiting = self._list_open()
        scene = Late(lambda: make_any_scene(self.trial.model, entry))
        rules = [one for one in waiting if not one.mutant.part.is_property]
        properties = self._list_properties()
        for ones in (rules, properties):
            self._compare(entry.title, ones, lambda mutant: compare_in(scene.get(), mutant), scene)
        self._confront(
            f"{entry.title}, rules left out",
            self._list_properties(),
            lambda mutant: find_left_out_in(scene.get(), mutant),
            scene,
        )
        noticed = [one for one in self.trial.list_with(Fate.KILLED) if not one.mutant.part.is_property]

        def find_overlooked(mutant: Mutant) -> str | None:
            witnesses = list_witnesses(scene.get(), mutant, self._witnesses)
            return find_overlooked_in(scene.get(), mutant, [*_list_shown(mutant, noticed), *witnesses])

        self._confront(f"{entry.title}, mutants", self._list_properties(), find_overlooked, scene)
        if scene.is_made and entry.distinct not in {None, scene.get().distinct}:
            self.trial.notes.append(
                f"{entry.title} stores {scene.get().distinct:,} worlds, and {entry.distinct:,} are "
                "published: bring the manifest up to date."
            )

    def _try_stages(self) -> None:
        """Try what is left on what is proved in each setting, which is proved once and noted."""
        stages = {
            title: Late(partial(self._make_stage, title, setting))
            for title, setting in self.trial.stages.items()
        }
        for title, stage in stages.items():
            self._try_stage(title, stage)
        for title, stage in stages.items():
            self._show_mistakes(title, stage)

    def _try_stage(self, title: str, stage: Late[Stage]) -> None:
        self._compare(title, self._list_open(), lambda mutant: stage.get().compare(mutant), stage)
        self._confront(
            f"{title}, slips", self._list_properties(), lambda mutant: stage.get().find_slip(mutant), stage
        )

    def _show_mistakes(self, title: str, stage: Late[Stage]) -> None:
        """Show mutants of properties what the mutants of rules do in a setting."""
        self._confront(
            f"{title}, mutants",
            self._list_properties(),
            lambda mutant: stage.get().find_overlooked(mutant, self._witnesses),
            stage,
        )

    def _try_any_number(self) -> None:
        """See whether mutants of rules that change nothing so far leave the proofs for any number alone."""
        bounded = self.trial.model.at(profile=INTENDED.name)
        proved = Late(lambda: self._recall(_ANY_NUMBER, lambda: find_proved(bounded)))

        def compare(mutant: Mutant) -> Difference:
            with swapped(mutant.part.function, mutant.edit.definition):
                is_kept = do_keep(bounded, mutant.part.rules, proved.get())
            return Difference(Effect.NONE if is_kept else Effect.STEPS)

        self._compare(_ANY_NUMBER, [one for one in self._list_open() if one.is_untouched], compare, proved)

    @cached_property
    def _witnesses(self) -> list[Mutant]:
        """List the mutants of rules, sampled or not, in an order that says nothing."""
        rules = [one for one in list_mutants(self.trial.model) if not one.part.is_property]
        return shuffle_mutants(rules, self.trial.seed)

    def _make_stage(self, title: str, setting: Setting) -> Stage:
        made: list[Stage] = []

        def prove() -> Collection[str]:
            made.append(Stage(self.trial.model, setting))
            return made[0].steps.proved

        proved = self._recall(title, prove)
        return made[0] if made else Stage(self.trial.model, setting, proved)

    def _recall(self, title: str, prove: Callable[[], Collection[str]]) -> frozenset[str]:
        """Give what is proved of the model itself; what was proved before is in the ledger."""
        known = self.ledger.find(_EVERYTHING, title)
        if known is None:
            known = Difference(Effect.NONE, frozenset(prove()))
            self.ledger.note(_EVERYTHING, title, known)
        return known.names

    def _compare(
        self, title: str, ones: Sequence[Judged], compare: Callable[[Mutant], Difference], judge: Late[Any]
    ) -> None:
        for one, difference in self._ask(title, ones, compare, judge):
            one.effects[title] = difference.effect.value
            if difference.names:
                _kill(one, title, difference.names)

    def _confront(
        self,
        title: str,
        properties: Sequence[Judged],
        find_overlooked: Callable[[Mutant], str | None],
        judge: Late[Any],
    ) -> None:
        """Let mutants of properties look at mistakes in rules that the properties as written notice."""

        def overlook(mutant: Mutant) -> Difference:
            missed = find_overlooked(mutant)
            return Difference(Effect.NONE, frozenset([missed] if missed else []))

        for one, difference in self._ask(title, properties, overlook, judge):
            if difference.names:
                _kill(one, f"{title}, where it overlooks", difference.names)

    def _close(self) -> None:
        """Judge what nothing noticed: a mutant that changes nothing is no mistake."""
        for one in self._list_open():
            one.fate = Fate.EQUIVALENT if one.is_untouched else Fate.SURVIVED

    def _ask(
        self, title: str, ones: Sequence[Judged], answer: Callable[[Mutant], Difference], judge: Late[Any]
    ) -> Iterator[tuple[Judged, Difference]]:
        """Give what is known of each, and find out the rest."""
        left = []
        for one in ones:
            known = self.ledger.find(one.mutant.name, title)
            if known is None:
                left.append(one)
            else:
                yield one, known
        if left:
            self._look_at_clock(title)
            judge.get()
        for one, difference in do_each(left, lambda one: _refusing(answer, one.mutant), self.workers):
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

    def _list_properties(self) -> list[Judged]:
        """List the mutants of properties that nothing has noticed."""
        return [one for one in self._list_open() if one.mutant.part.is_property]


class Late(Generic[Made]):
    """Something that is made when it is looked at first."""

    def __init__(self, make: Callable[[], Made]) -> None:
        """Keep how it is made."""
        self._make = make
        self._made: list[Made] = []

    @property
    def is_made(self) -> bool:
        """True if anybody has looked at it."""
        return bool(self._made)

    def get(self) -> Made:
        """Give it."""
        if not self._made:
            self._made.append(self._make())
        return self._made[0]


def _refusing(answer: Callable[[Mutant], Difference], mutant: Mutant) -> Difference:
    """Answer for a mutant; what the engine refuses to run is noticed by it."""
    try:
        return answer(mutant)
    except ModelError as complaint:
        return Difference(Effect.WORLDS, frozenset({_REFUSED + str(complaint).partition("\n")[0]}))


def _list_shown(mutant: Mutant, noticed: Sequence[Judged]) -> list[Mutant]:
    """List mutants of rules that the property which a mutant is made of has noticed."""
    (name,) = mutant.part.properties
    return [other.mutant for other in noticed if name in other.noticed][:_MOST_WITNESSES]


def _kill(one: Judged, by: str, names: Iterable[str]) -> None:
    one.fate, one.by, one.noticed = Fate.KILLED, by, tuple(sorted(names))


def try_mutants(
    trial: Trial, ledger: Ledger, progress: Progress, *, workers: int, seconds: float | None
) -> None:
    """Try the mutants of a trial, and note in it what becomes of each."""
    deadline = None if seconds is None else time.monotonic() + seconds
    Court(trial, ledger, progress, workers, deadline).sit()
