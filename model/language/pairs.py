"""What step properties say of each instance, found from one text over the cells of both worlds.

A step property that is traced for an instance knows what the step writes and which rule made it. A scope has
hundreds of instances, and most of them leave most cells alone. So the text is traced over cells of the world
before and cells of the world after, once for each way in which the instances answer what it asks of the rule;
for an instance, only the parts are built anew that read a cell which the step writes or its guard settles.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Never

from nomadspec.model.errors import ModelError, StyleError
from nomadspec.model.language.property import By, Kind, expect_rules
from nomadspec.model.language.questions import Asking
from nomadspec.model.language.term import Term
from nomadspec.model.language.term_substitution import Others, Recast
from nomadspec.model.language.trace import blaming, trace_cells
from nomadspec.model.language.value_wording import say

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from nomadspec.model.language.frame import FiniteFrame
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.trace import TracedInstance
    from nomadspec.model.language.world import World


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that a text asks of the rule of a step."""

    kind: str
    what: Any = None

    def answer(self, by: By) -> Any:  # noqa: ANN401 -- whatever was asked for
        """Answer it for a step."""
        match self.kind:
            case "is":
                return by.rule.name in self.what
            case "argument":
                return by[self.what]
        return by.arguments


class _Arguments(tuple[Any, ...]):
    """The arguments of a step as a text sees them."""

    __slots__ = ()

    def __contains__(self, asked: object) -> Never:
        """Refuse: these are values, and the name of an argument is none of them."""
        raise StyleError(
            "it asks what is among by.arguments, which are values without names: ask for the rule, "
            "by.is_(begin), and then for the argument, by['job']."
        )

    def __eq__(self, other: object) -> bool:
        """True if they equal others; one value alone they never do."""
        if isinstance(other, tuple) and not any(isinstance(one, str) for one in other):
            return super().__eq__(other)
        raise StyleError(f"it compares by.arguments with {say(other)}: ask for one of them, by['job'].")

    def __ne__(self, other: object) -> bool:
        """True if they differ from others."""
        return not self == other

    __hash__ = tuple.__hash__


class Heard(Asking, By):
    """The rule of a step, which remembers what it was asked."""

    def __init__(self, by: By) -> None:
        """Answer as somebody else would."""
        object.__setattr__(self, "_by", by)
        object.__setattr__(self, "heard", {})

    heard: dict[Ask, Any]
    _by: By

    @property
    def rule(self) -> Rule:
        """Refuse to give the rule: to compare its name with that of no rule would hold, whatever happens."""
        raise StyleError("it asks for by.rule, which is not compared with anything; write by.is_(the_rule).")

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Give the arguments."""
        self._note(Ask("arguments"))
        return _Arguments(self._by.arguments)

    def is_(self, *rules: Rule) -> bool:
        """True if the step was made by one of the rules."""
        expect_rules(rules)
        return bool(self._note(Ask("is", frozenset(rule.name for rule in rules))))

    def __getitem__(self, name: str) -> Value:
        """Give an argument by its name."""
        return self._note(Ask("argument", name))

    def __eq__(self, other: object) -> Never:
        """Refuse: a step is no rule, so that it would equal none, whatever happens."""
        raise StyleError(f"it compares the step with {say(other)}, which no step is; write by.is_(the_rule).")

    def __hash__(self) -> Never:
        """Refuse: among rules and names it would never be found."""
        raise StyleError("it looks for the step among others, where no step is; write by.is_(the_rule).")

    def __contains__(self, asked: object) -> Never:
        """Refuse: a step holds nothing."""
        raise StyleError(f"it asks whether {say(asked)} is in the step; write by.is_(the_rule).")

    def _note(self, ask: Ask) -> Any:  # noqa: ANN401 -- whatever was asked for
        answer = ask.answer(self._by)
        self.heard[ask] = answer
        return answer


@dataclass(slots=True)
class Heeded:
    """What was made of a text, by the answers that it was given: what is asked next follows from those."""

    asks: Ask | None = None
    made: Any = None
    is_made: bool = False
    by_answer: dict[Any, Heeded] = field(default_factory=dict)

    def find(self, by: By) -> Heeded:
        """Find what was made where the answers are those of a step; it may not be made yet."""
        found = self
        while found.asks is not None:
            found = found._follow(found.asks.answer(by))
        return found

    def keep(self, heard: Mapping[Ask, Any], made: Any) -> Heeded:  # noqa: ANN401 -- whatever is made of texts
        """Keep what was made, for all who answer alike; gives where it is kept."""
        at = self
        for ask, answer in heard.items():
            at.asks = ask
            at = at._follow(answer)
        at.made, at.is_made = made, True
        return at

    def list_rules(self) -> set[str]:
        """List the names of the rules that the text asked for."""
        asked = self.asks.what if self.asks is not None and self.asks.kind == "is" else ()
        return set(asked).union(*(found.list_rules() for found in self.by_answer.values()))

    def _follow(self, answer: Any) -> Heeded:  # noqa: ANN401 -- whatever was answered
        # a flag is not the number that it equals
        return self.by_answer.setdefault((type(answer), answer), Heeded())


class PairTexts:
    """The step properties of a scope as terms over two worlds, traced when they are first asked for."""

    def __init__(
        self,
        world: type[World],
        frame: FiniteFrame,
        cells: Sequence[Value],
        both: Sequence[Value] | None = None,
    ) -> None:
        """Give both worlds cells of their own; what is said of an instance is in the cells of the model."""
        self._world = world
        self._frame = frame
        self._cells = cells
        self._both = trace_cells(frame, worlds=2) if both is None else both
        self._recast = Recast((*cells, *cells))
        self._heeded: dict[str, Heeded] = {}
        self._others: dict[int, Others] = {}

    def without(self, names: Collection[str], instances: Collection[int]) -> PairTexts:
        """Give the same without what is known of some properties and instances, which are others now."""
        rest: PairTexts = copy(self)
        rest._heeded = {name: known for name, known in self._heeded.items() if name not in names}
        rest._others = {number: known for number, known in self._others.items() if number not in instances}
        return rest

    def is_in_style(self, prop: Property, traced: TracedInstance) -> bool:
        """True if the text was traced already for all who answer as an instance does."""
        heeded = self._heeded.get(prop.name)
        found = None if heeded is None else heeded.find(By(traced.instance.rule, traced.instance.arguments))
        return found is not None and found.made is not None

    def expect_style(self, prop: Property, traced: TracedInstance) -> None:
        """Raise a ModelError where the text of a property is not in style for an instance."""
        if self._find(prop, traced) is None:
            self._trace_alone(prop, traced)

    def expect_known(self, prop: Property, names: Collection[str]) -> None:
        """Raise a StyleError where a property asks for a rule that the model does not have: no step is it."""
        asked = self._heeded[prop.name].list_rules() if prop.name in self._heeded else set()
        for name in sorted(asked.difference(names)):
            raise StyleError(
                f"by.is_ is asked for the rule {name}, which the model does not have, so that no step is "
                "ever it: add it to the rules, leave it out here, or leave the property out of this model."
            )

    def read(self, prop: Property, traced: TracedInstance) -> Value:
        """Say what a property says of an instance where its guard holds, with what this settles."""
        flag = self._find(prop, traced)
        if flag is None:
            return self._trace_alone(prop, traced)
        return self._recast.read_where(flag, self._list_others(traced))

    def read_apart(self, prop: Property, traced: TracedInstance) -> Value:
        """Say what a property says of any two worlds, were an instance between them, in cells of both.

        An ``always`` speaks of the world after. None where the text needs to know what the instance writes.
        """
        return self._find(prop, traced)

    def _find(self, prop: Property, traced: TracedInstance) -> Value:
        """Find what was traced for all who answer as an instance does; None where it was no use."""
        by = By(traced.instance.rule, traced.instance.arguments)
        heeded = self._heeded.setdefault(prop.name, Heeded())
        found = heeded.find(by)
        if not found.is_made:
            heard = Heard(by)
            flag = self._trace(prop, heard)
            found = heeded.keep(heard.heard, flag)
        return found.made

    def _trace(self, prop: Property, by: By) -> Value:
        """Trace a property; None where it is only in style for who knows what a step writes."""
        count = len(self._cells)
        try:
            with blaming(f"Property {prop.name}", prop.file, prop.line):
                before, after = (
                    self._world(self._frame, half) for half in (self._both[:count], self._both[count:])
                )
                flag = prop(after) if prop.kind is Kind.ALWAYS else prop(before, after, by)
                expect_flag(flag)
        except ModelError:
            return None
        return flag

    def _trace_alone(self, prop: Property, traced: TracedInstance) -> Value:
        known = traced.before(self._cells)
        by = Heard(By(traced.instance.rule, traced.instance.arguments))
        flag = prop(self._world(self._frame, known), self._world(self._frame, traced.after(known)), by)
        expect_flag(flag)
        return flag

    def _list_others(self, traced: TracedInstance) -> Others:
        """List what an instance says of cells: settled by its guard, or written."""
        number = traced.instance.number
        if number not in self._others:
            settled, count = traced.list_settled(), len(self._cells)
            after = settled | traced.writes
            self._others[number] = Others(settled | {count + cell: value for cell, value in after.items()})
        return self._others[number]


def expect_flag(value: Value) -> None:
    """Refuse an answer that is no flag, or, while tracing, no term for one."""
    if not isinstance(value, bool) and not (isinstance(value, Term) and value.is_flag):
        raise StyleError(
            f"it gives {say(value)} where a flag was expected: return a comparison or for_all(...)."
        )
