"""The Hypothesis machine of a model, for pytest suites of one's own.

    TestCore = machine_of(find_model("core").at("small", profile="nomad-2.0")).TestCase

Each step draws a number, and checkers/stateful/choosing.py says which instance it means. The number 0 is
``rest``, which changes nothing: Hypothesis tries to put it in the place of every step that a failure might
not need. Where nothing else can happen a step begins the run again, so that the rest of it is not wasted.

A subclass drives a system of its own beside the model: it overrides ``begin_system``, ``drive`` and
``end_system``. A machine that was only made has not begun: that is the first rule of a run.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from nomadspec.checkers.requested_properties import find_asked_of_runs, list_but_lemmas
from nomadspec.checkers.stateful.aims import list_moods
from nomadspec.checkers.stateful.effort import find_effort
from nomadspec.checkers.stateful.moves import REST, Choice, Guide
from nomadspec.checkers.stateful.replaying import write_line
from nomadspec.checkers.stateful.violation import ViolationError
from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.language.model_promises import name_promise
from nomadspec.model.language.story import label_instance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nomadspec.checkers.stateful.aims import Aim, Wandering
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.story import Application
    from nomadspec.model.language.world import World

_MOST: Final = (1 << 12) - 1
"""The highest number that is drawn."""


class ModelMachine(RuleBasedStateMachine):
    """What the machines of all models have in common."""

    guide: ClassVar[Guide]
    effort: ClassVar[settings]

    def __init_subclass__(cls) -> None:
        """Give each machine, and each of its subclasses, the settings of its effort."""
        super().__init_subclass__()
        cls.TestCase.settings = cls.effort

    def __init__(self) -> None:
        """Stand in the first initial world; no run begins yet, so a subclass may still make its fields."""
        super().__init__()
        self._path: list[int] = []
        self._has_system = False
        self.guide.begin_run(self.effort.max_examples)
        self._first = self.guide.initial[0]
        self._stand_in(self._first)

    # for systems under test

    def begin_system(self, world: Value) -> None:
        """Override it to set up the system under test as an initial world is; nothing otherwise.

        It is called once for each run that begins, also where a run begins again in its midst.
        """

    def end_system(self) -> None:
        """Override it to put away what ``begin_system`` set up; nothing otherwise.

        It is called once for each ``begin_system`` that returned: before the next one, and after a run.
        """

    def drive(self, step: Application, world: Value) -> None:
        """Override it to let the system take the step, and compare it with the world after; else nothing."""

    # steps

    def begin_at(self, packed: int) -> None:
        """Begin the run in an initial world; what was set up for the one before it is put away first."""
        __tracebackhide__ = True
        self._end()
        self._first = packed
        self._path.clear()
        self._arrive(packed, None)
        with self._noting_steps():
            self.begin_system(self._show(packed))
        self._has_system = True

    def teardown(self) -> None:
        """Put away what was set up, when a run is over."""
        __tracebackhide__ = True
        self._end()

    def choose(self, number: int) -> Choice:
        """Say what a number means now."""
        if not number or not self._possible:
            return REST
        return self.guide.choose(number, self._possible, self._packed)

    def take(self, choice: Choice) -> None:
        """Let an instance happen, check the step and the world after it, and let the system do the same."""
        __tracebackhide__ = True
        if choice is REST:
            self.pause()
            return
        guide, before, position = self.guide, self._packed, choice.position
        self._path.append(position)
        try:
            after = guide.take(before, position)
        except ModelError as error:
            raise self._violation(name_promise(error)) from error
        wrong = guide.find_wrong_step(before, position, after)
        if wrong is not None:
            raise self._violation(wrong)
        self._arrive(after, position)
        self._drive(position, after)

    def pause(self) -> None:
        """Do nothing; where nothing else can happen, the run begins again."""
        if not self._possible:
            self.begin_at(self._first)

    @classmethod
    def replay(cls, *steps: str, start: str = "") -> None:
        """Take exactly these steps; raises what they raised when they were found."""
        machine = cls()
        beginning = machine.guide.find_beginning(start)
        choices = [machine.guide.find_choice(step) for step in steps]
        try:
            machine.begin_at(beginning)
            for choice in choices:
                if choice.position not in machine._possible:
                    raise UsageError(f"{choice} cannot happen there: after {len(machine._path)} steps.")
                machine.take(choice)
        finally:
            machine.teardown()

    def _drive(self, position: int, after: int) -> None:
        __tracebackhide__ = True
        if type(self).drive is ModelMachine.drive:
            return
        bounded = self.guide.bounded
        with self._noting_steps():
            self.drive(label_instance(bounded, bounded.instances[position]), self._show(after))

    def _end(self) -> None:
        """End the system under test, if there is one; what does not end well is not ended again."""
        __tracebackhide__ = True
        if not self._has_system:
            return
        self._has_system = False
        with self._noting_steps():
            self.end_system()

    def _noting_steps(self) -> ExitStack:
        """Make a context that adds the steps to whatever the system under test raises in it."""
        stack = ExitStack()
        stack.push(self._note_steps)
        return stack

    def _note_steps(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Add the steps to whatever the system under test raises, which goes on."""
        if isinstance(error, Exception):
            error.add_note("\n".join(self._tell()))

    def _tell(self) -> list[str]:
        """Tell the steps, as lines, for an error of the system under test."""
        texts = [self.guide.choices[position].text for position in self._path]
        steps = [f"{number:3} {text}" for number, text in enumerate(texts, 1)]
        start = self.guide.name_beginning(self._first)
        headline = "the model's steps:" if steps else "before the first step of the model:"
        return [headline, *steps, write_line(type(self), texts, start, None)]

    def _show(self, packed: int) -> World:
        return self.guide.bounded.world(self.guide.layout.unpack(packed))

    def _stand_in(self, packed: int) -> None:
        self._packed = packed
        self._possible = self.guide.list_possible(packed)

    def _arrive(self, packed: int, position: int | None) -> None:
        __tracebackhide__ = True
        self._stand_in(packed)
        wrong = self.guide.find_wrong(packed, position, self._possible)
        if wrong is not None:
            raise self._violation(wrong)

    def _violation(self, about: str) -> ViolationError:
        bounded = self.guide.bounded
        instances = [bounded.instances[position] for position in self._path]
        first, start = self.guide.layout.unpack(self._first), self.guide.name_beginning(self._first)
        write = partial(write_line, type(self), start=start, about=about)
        return ViolationError(bounded, about, first, instances, write)


def machine_of(
    bounded: BoundedModel,
    *,
    properties: Iterable[Property | str] | None = None,
    effort: str = "fast",
    swarm: bool = False,
    aims: bool = True,
    name: str | None = None,
    module: str = __name__,
) -> type[ModelMachine]:
    """Make the machine that checks properties (by default all but lemmas, and deadlock) of a bounded model.

    Half of the runs draw something that is seldom met and aim at it, and others go where they have not been;
    without ``aims`` none does. With
    ``swarm`` each run draws how much each rule counts. The class calls itself ``name`` in ``module``.
    """
    title = name or _title(bounded)
    asked = find_asked_of_runs(bounded, list_but_lemmas(bounded) if properties is None else properties)
    guide = Guide(bounded, asked)
    members: dict[str, Any] = {
        "__doc__": f"A machine that takes the steps of {bounded.model.name}, {bounded.model.about}.",
        "__module__": module,
        "__qualname__": title,
        "guide": guide,
        "effort": find_effort(effort),
        "begin": _make_begin(guide, title),
        "happens": _make_rule(title),
    }
    if swarm:
        members["mood"] = _make_mood(title)
    if aims:
        members["aim"] = _make_aim(guide, title)
    return type(title, (ModelMachine,), members)


def _make_rule(title: str) -> Callable[..., None]:
    def happens(self: ModelMachine, what: Choice) -> None:
        __tracebackhide__ = True
        self.take(what)

    drawn = st.tuples(st.runner(), st.integers(0, _MOST)).map(lambda both: both[0].choose(both[1]))
    return rule(what=drawn)(_named(happens, title, "happens"))


def _make_begin(guide: Guide, title: str) -> Callable[..., None]:
    def begin(self: ModelMachine, at: Choice = guide.beginnings[0]) -> None:
        __tracebackhide__ = True
        self.begin_at(guide.initial[at.position])

    if len(guide.initial) == 1:
        return initialize()(_named(begin, title, "begin"))
    return initialize(at=st.sampled_from(guide.beginnings))(_named(begin, title, "begin"))


def _make_mood(title: str) -> Callable[..., None]:
    def mood(self: ModelMachine, number: int) -> None:
        self.guide.set_mood(number)

    return initialize(number=st.integers(0, _MOST))(_named(mood, title, "mood"))


def _make_aim(guide: Guide, title: str) -> Callable[..., None]:
    def aim(self: ModelMachine, at: Aim | Wandering | None) -> None:
        self.guide.set_aim(at)

    return initialize(at=st.sampled_from(list_moods(guide.aims)))(_named(aim, title, "aim"))


def _named(function: Callable[..., None], title: str, name: str) -> Callable[..., None]:
    function.__name__ = name
    function.__qualname__ = f"{title}.{name}"
    return function


def _title(bounded: BoundedModel) -> str:
    """Make a class name of the model and the scope: ``CoreUnchecked``."""
    words = re.findall(r"[A-Za-z0-9]+", f"{bounded.model.name} {bounded.scope}")
    title = "".join(word[0].upper() + word[1:] for word in words)
    return title if title.isidentifier() else f"Model{title}"
