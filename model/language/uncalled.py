"""What is called to be asked: a text that forgets to call it gets an object, which is always the same.

The questions of a world, a queue, a record and a step refuse all but a call while a model is loaded. What a
user's text calls itself, a function or a rule, Python compares and branches on without asking anybody: that
is found in the compiled code.
"""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any, Final

from nomadspec.model.errors import UncalledError
from nomadspec.model.language.iterators import find_called
from nomadspec.model.language.property import Property
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.saying import say
from nomadspec.model.language.steps import find_call, find_pushed, is_load, is_store, list_parts, list_steps
from nomadspec.model.language.world import Part

if TYPE_CHECKING:
    from collections import ChainMap
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from dis import Instruction
    from types import CodeType

    from nomadspec.model.language.logic import Value

QUESTIONS: Final = frozenset({"has", "head", "is_", "is_before", "is_clear", "is_empty"})
"""What is asked of worlds, queues, records and steps: it changes nothing."""
_CALLED: Final = QUESTIONS | {"require", "when"}
_NO_VALUES: Final = (FunctionType, BuiltinFunctionType, Rule, Property, type)
_COMPARING: Final = frozenset({"COMPARE_OP", "CONTAINS_OP"})
_BEFORE_A_BRANCH: Final = frozenset({"COPY", "TO_BOOL"})
_AFTER_A_FUNCTION: Final = frozenset({"MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"})
_INSTEAD: Final = "call what is to be called, and compare what it gives"


class Question(Part):
    """What a text may ask: it is a value only once it is called."""

    __slots__ = ("_answer", "name")

    def __init__(self, name: str, answer: Callable[..., Value]) -> None:
        """Keep who answers."""
        self.name = name
        self._answer = answer

    def __call__(self, *asked: Value) -> Value:
        """Answer."""
        return self._answer(*asked)

    def _misuse(self, how: str) -> UncalledError:
        """Make the error of a text that forgets to call it."""
        return UncalledError(f"{self.name} is {how}, and not called: write {self.name}(...).")


class Asking:
    """What gives its questions so that it is seen where a text forgets to call one."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 -- whatever it has
        """Give what it has; what is to be called refuses everything else."""
        found = super().__getattribute__(name)
        return Question(name, found) if name in _CALLED else found


def find_uncalled(
    code: CodeType, known: ChainMap[str, Any], made: frozenset[str] = frozenset()
) -> Iterator[tuple[CodeType, Instruction, str]]:
    """Find where a text compares or branches on a function that it does not call, and say what is wrong.

    ``made`` are the names outside that stand for functions which the text around makes.
    """
    steps = list_steps(code)
    made = (made & {*code.co_freevars}) | _list_made(steps)
    for number, step in enumerate(steps):
        for side in _list_sides(steps, number):
            thing = _find_no_value(side, code, known, made)
            if thing is not None:
                how = "compares" if step.opname in _COMPARING else "branches on"
                yield code, step, f"it {how} {thing}, so that the answer is always the same; {_INSTEAD}"
    for part in list_parts(code):
        yield from find_uncalled(part, known.new_child(dict.fromkeys(code.co_cellvars)), made)


def _list_made(steps: Sequence[Instruction]) -> frozenset[str]:
    """List the names that always stand for a function which the text makes."""
    stores = [(step.argval, steps[number - 1].opname) for number, step in enumerate(steps) if is_store(step)]
    others = {name for name, before in stores if before not in _AFTER_A_FUNCTION}
    return frozenset(name for name, _ in stores) - others


def _list_sides(steps: Sequence[Instruction], number: int) -> list[Sequence[Instruction]]:
    """List the steps that make each of the values which a step compares, or by which it branches.

    The rule of a step, ``by``, refuses by itself to be compared.
    """
    step = steps[number]
    if step.opname in _COMPARING:
        right = find_pushed(steps[:number])
        sides = [find_pushed(steps[: number - len(right)]), right]
        return sides if all(side[0].argval != "by" for side in sides) else []
    is_branch = "JUMP" in step.opname and "_IF_" in step.opname and not step.opname.endswith("_NONE")
    if not is_branch and step.opname != "UNARY_NOT":
        return []
    end = number
    while end and steps[end - 1].opname in _BEFORE_A_BRANCH:
        end -= 1
    return [find_pushed(steps[:end])]


def _find_no_value(
    side: Sequence[Instruction], code: CodeType, known: Mapping[str, Any], made: frozenset[str]
) -> str | None:
    """Name what some steps put on the stack if it is no value: it equals nothing but itself, and is true."""
    call = find_call(side)
    if call is not None:
        made_of = find_called(call.called, code, known)
        return _name_alone(made_of) if isinstance(made_of, type) else None
    side = [step for step in side if step.opname != "PUSH_NULL"]
    if not side or not all(step.opname.startswith("LOAD_") for step in side):
        return None
    name = side[0].argval
    if is_load(side[0]) and (name in made or name not in code.co_freevars):
        return f"a function that is not called ({name})" if name in made and len(side) == 1 else None
    found = find_called(side, code, known)
    return say(found) if isinstance(found, _NO_VALUES) else None


def _name_alone(kind: type) -> str | None:
    """Name an object of a class that does not say when two of its objects are equal, or one is true."""
    says = kind.__eq__ is not object.__eq__ or hasattr(kind, "__bool__") or hasattr(kind, "__len__")
    return None if says else f"an object of {kind.__name__}, which equals nothing but itself"
