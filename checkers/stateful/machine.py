"""The Hypothesis machine of a model: a rule for each of its rules, for pytest suites of one's own.

    TestCore = machine_of(find_model("core").at("small")).TestCase

Each step draws a rule that can happen and one of its instances that can. The draw is an index into *all*
instances of the rule, not into those that can happen just now, so that it means the same after earlier steps
were left out. ``rest`` can always happen and changes nothing: a terminal world is no error, and Hypothesis
tries to put it in the place of every step that a failure might not need. Both make for short stories.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from nomadspec.checkers.asked import find_asked
from nomadspec.checkers.stateful.effort import find_effort
from nomadspec.checkers.stateful.moves import Choice, Guide
from nomadspec.checkers.stateful.violation import ViolationError
from nomadspec.model.errors import UsageError
from nomadspec.model.story import DEADLOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hypothesis.strategies import SearchStrategy

    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.property import Property

_SHARED_NAME: Final = "happens"
"""Hypothesis leaves functions out of a run by their names. In a protocol most steps need an earlier one, so a
run without some rules seldom gets far: with one name for all, none is left out."""


class ModelMachine(RuleBasedStateMachine):
    """What the machines of all models have in common."""

    guide: ClassVar[Guide]
    effort: ClassVar[settings]
    strategies: ClassVar[Mapping[str, SearchStrategy[Choice]]]

    def __init_subclass__(cls) -> None:
        """Give each machine, and each of its subclasses, the settings of its effort."""
        super().__init_subclass__()
        cls.TestCase.settings = cls.effort

    def __init__(self) -> None:
        """Begin a run in the first initial world."""
        super().__init__()
        self._strategies: dict[str, SearchStrategy[Choice]] = {}
        self._path: list[int] = []
        self.guide.begin_run(self.effort.max_examples)
        self.begin_at(self.guide.initial[0])

    def list_possible(self, name: str) -> SearchStrategy[Choice]:
        """Give the strategy that draws an instance of a rule which can happen now."""
        strategy = self._strategies.get(name)
        if strategy is None:
            strategy = self._strategies[name] = self.strategies[name].filter(self._is_possible)
        return strategy

    def can_happen(self, name: str) -> bool:
        """Tell whether some instance of a rule can happen now."""
        return name in self._rules

    def begin_at(self, packed: int) -> None:
        """Begin the run in an initial world."""
        __tracebackhide__ = True
        self._first = packed
        self._path.clear()
        self._arrive(packed, None)

    def take(self, choice: Choice) -> None:
        """Let an instance happen, and check the step and the world after it."""
        __tracebackhide__ = True
        guide, before, position = self.guide, self._packed, choice.position
        self._path.append(position)
        after = guide.take(before, position)
        wrong = guide.find_wrong_step(before, position)
        if wrong is not None:
            raise self._violation(wrong)
        self._arrive(after, position)

    def pause(self) -> None:
        """Do nothing; where nothing else can happen, the run begins again."""
        if not self._possible:
            self.begin_at(self._first)

    def _is_possible(self, choice: Choice) -> bool:
        return choice.position in self._possible

    def _arrive(self, packed: int, position: int | None) -> None:
        __tracebackhide__ = True
        self._packed = packed
        self._possible = self.guide.list_possible(packed)
        self._rules = self.guide.rules_of(self._possible)
        wrong = self.guide.find_wrong(packed, position, self._possible)
        if wrong is not None:
            raise self._violation(wrong)

    def _violation(self, about: str) -> ViolationError:
        bounded = self.guide.bounded
        instances = [bounded.instances[position] for position in self._path]
        return ViolationError(bounded, about, self.guide.layout.unpack(self._first), instances)


def machine_of(
    bounded: BoundedModel,
    *,
    properties: Iterable[Property | str] | None = None,
    effort: str = "fast",
    swarm: bool = False,
    name: str | None = None,
    module: str = __name__,
) -> type[ModelMachine]:
    """Make the machine that checks properties (by default all but lemmas, and deadlock) of a bounded model.

    With ``swarm`` each run leaves some rules out, as Hypothesis does by itself. The class calls itself
    ``name`` in ``module``.
    """
    title = name or _title(bounded)
    guide = Guide(bounded, find_asked(bounded, list_usual(bounded) if properties is None else properties))
    rules = [each.name for each in bounded.model.rules if guide.choices_of(each.name)]
    members: dict[str, Any] = {
        "__doc__": f"A machine that takes the steps of {bounded.model.name}, {bounded.model.about}.",
        "__module__": module,
        "__qualname__": title,
        "guide": guide,
        "effort": find_effort(effort),
        "strategies": {each: st.sampled_from(guide.choices_of(each)) for each in rules},
        "rest": _make_rest(title, swarm=swarm),
    }
    for each in rules:
        if hasattr(ModelMachine, each):
            raise UsageError(f"The rule {each} has a name that Hypothesis uses itself: rename it.")
        members[each] = _make_rule(each, title, swarm=swarm)
    if len(guide.initial) > 1:
        members["begin"] = _make_begin(guide, title)
    return type(title, (ModelMachine,), members)


def list_usual(bounded: BoundedModel) -> list[Property | str]:
    """List what is checked without a wish: lemmas would hide the property that they help to prove."""
    return [*(prop for prop in bounded.model.properties if not prop.is_lemma), DEADLOCK]


def _make_rule(name: str, title: str, *, swarm: bool) -> Callable[..., None]:
    def happens(self: ModelMachine, what: Choice) -> None:
        __tracebackhide__ = True
        self.take(what)

    def can_happen(self: ModelMachine) -> bool:
        return self.can_happen(name)

    drawn = st.runner().flatmap(lambda machine: machine.list_possible(name))
    named = _named(happens, title, name if swarm else _SHARED_NAME)
    return precondition(can_happen)(rule(what=drawn)(named))


def _make_rest(title: str, *, swarm: bool) -> Callable[..., None]:
    def rest(self: ModelMachine) -> None:
        __tracebackhide__ = True
        self.pause()

    return rule()(_named(rest, title, "rest" if swarm else _SHARED_NAME))


def _make_begin(guide: Guide, title: str) -> Callable[..., None]:
    def begin(self: ModelMachine, at: Choice) -> None:
        __tracebackhide__ = True
        self.begin_at(guide.initial[at.position])

    return initialize(at=st.sampled_from(guide.beginnings))(_named(begin, title, "begin"))


def _named(function: Callable[..., None], title: str, name: str) -> Callable[..., None]:
    function.__name__ = name
    function.__qualname__ = f"{title}.{name}"
    return function


def _title(bounded: BoundedModel) -> str:
    """Make a class name of the model and the scope: ``CoreUnchecked``."""
    words = re.findall(r"[A-Za-z0-9]+", f"{bounded.model.name} {bounded.scope}")
    title = "".join(word[0].upper() + word[1:] for word in words)
    return title if title.isidentifier() else f"Model{title}"
