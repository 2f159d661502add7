"""What a text forgets to call: it gets an object, which is always the same.

The questions of a world, a queue, a record and a step refuse all but a call (questions.py). What a user's
text calls itself, a function or a rule, Python compares and branches on without asking anybody: that is found
in the compiled code.
"""

from __future__ import annotations

import dis
import operator
from enum import Enum
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any, Final

from nomadspec.model.language.bytecode_stack import (
    COMPARING,
    find_call,
    find_compared,
    find_pushed,
    is_load,
    is_store,
    list_parts,
    list_steps,
)
from nomadspec.model.language.definition import Definition
from nomadspec.model.language.iterators import find_called, makes_iterator
from nomadspec.model.language.value_wording import say

if TYPE_CHECKING:
    from collections import ChainMap
    from collections.abc import Iterator, Mapping, Sequence
    from dis import Instruction
    from types import CodeType

_NO_VALUES: Final = (FunctionType, BuiltinFunctionType, Definition, type)
_BRANCHING: Final = frozenset(
    {"UNARY_NOT"} | {name for name in dis.opmap if "JUMP" in name and "_IF_" in name and "NONE" not in name}
)
_DECIDING: Final = (all, any, bool, operator.eq, operator.ne, operator.not_, operator.truth)
_BEFORE_A_BRANCH: Final = frozenset({"COPY", "TO_BOOL"})
_LOOKING_UP: Final = (
    frozenset({"LOAD_GLOBAL"}),
    frozenset({"LOAD_CONST"}),
    frozenset({"BINARY_SUBSCR", "BINARY_OP"}),
)
_LOADING: Final = frozenset(name for name in dis.opmap if name.startswith("LOAD_"))
_RETURNING: Final = frozenset({"RETURN_CONST", "RETURN_VALUE"})
_CONSTANT: Final = frozenset({"LOAD_CONST", "RETURN_CONST"})
_AFTER_A_FUNCTION: Final = frozenset({"MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"})
_BUILDING: Final = {"BUILD_LIST": "list", "BUILD_MAP": "dict", "BUILD_SET": "set", "BUILD_TUPLE": "tuple"}
_WORLDS: Final = frozenset({"s", "n", "t"})
_SAYING: Final = frozenset({"__bool__", "__eq__", "__len__"})
_INSTEAD: Final = "call what is to be called, and compare values one by one"


def find_uncalled(
    code: CodeType, known: ChainMap[str, Any], made: frozenset[str] = frozenset()
) -> Iterator[tuple[CodeType, Instruction, str]]:
    """Find where a text compares or branches on a function that it does not call, and say what is wrong.

    ``made`` are the names outside that stand for functions which the text around makes.
    """
    steps = list_steps(code)
    made = (made & {*code.co_freevars}) | _list_made(steps)
    for number, step in enumerate(steps):
        sides = _list_sides(steps, number) or _list_decided(steps, number, code, known)
        is_compared = step.opname in COMPARING
        things = [_find_no_value(side, code, known, made) for side in sides]
        if is_compared and all(things) and all(step.opname in _LOADING for side in sides for step in side):
            continue  # which of two functions a name stands for may well differ
        if step.opname == "COMPARE_OP":
            things += [_find_unlike(sides), _find_nothing(sides, code, known)]
        things.append(_find_full(sides) if step.opname in _BRANCHING else None)
        for thing in filter(None, things):
            how = "compares" if is_compared else "branches on"
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

    The rule of a step, ``by``, refuses by itself to be compared; of a value that is chosen nothing is known.
    """
    step = steps[number]
    if step.opname in COMPARING:
        left, right = find_compared(steps, number)
        is_chosen = any("JUMP" in part.opname for part in (*left, *right))
        is_of_step = any(part.argval == "by" for part in (*left[:1], *right[:1]))
        return [] if is_chosen or is_of_step or not left or not right else [left, right]
    if step.opname not in _BRANCHING:
        return []
    end = number
    while end and steps[end - 1].opname in _BEFORE_A_BRANCH:
        end -= 1
    side = find_pushed(steps[:end])
    is_chosen = not side or steps[end - len(side) - 1].opname == "JUMP_FORWARD"
    return [] if is_chosen else [side]


def _list_decided(
    steps: Sequence[Instruction], number: int, code: CodeType, known: Mapping[str, Any]
) -> list[Sequence[Instruction]]:
    """List the steps that make the arguments of a call that asks whether they are true, or equal."""
    call = find_call(steps[: number + 1]) if steps[number].opname.startswith("CALL") else None
    called = None if call is None else find_called(call.called, code, known)
    if call is None or all(called is not one for one in _DECIDING):
        return []
    if called is not all and called is not any:
        return [side for side in call.arguments if side]
    return [part for side in call.arguments if _find_shape(side) for part in _list_parts_of(side)]


def _find_no_value(
    side: Sequence[Instruction], code: CodeType, known: Mapping[str, Any], made: frozenset[str]
) -> str | None:
    """Name what some steps put on the stack if it is no value: it equals nothing but itself, and is true."""
    if side[-1].opname in _BUILDING and side[-1].opname != "BUILD_MAP":
        parts = [_find_no_value(part, code, known, made) for part in _list_parts_of(side)]
        return next(filter(None, parts), None)
    if side[-1].opname in _AFTER_A_FUNCTION:
        return "a function that is not called"
    if makes_iterator(side, code, known):
        return "a generator or the like, which is no list"
    call = find_call(side)
    if call is not None:
        return _name_alone(find_called(call.called, code, known))
    side = [step for step in side if step.opname != "PUSH_NULL"]
    if len(side) == len(_LOOKING_UP) and all(map(_is_of, side, _LOOKING_UP)):
        return _name_held(known.get(side[0].argval), side[1].argval)
    return _name_loaded(side, code, known, made) if all(step.opname in _LOADING for step in side) else None


def _is_of(step: Instruction, names: frozenset[str]) -> bool:
    return step.opname in names


def _name_held(holder: object, key: object) -> str | None:
    """Name what a list or dict outside of the text holds at a place if it is something to be called."""
    held: dict[Any, Any] = dict(enumerate(holder)) if isinstance(holder, list | tuple) else {}
    found = (holder if isinstance(holder, dict) else held).get(key)
    return say(found) if isinstance(found, _NO_VALUES) else None


def _name_loaded(
    side: Sequence[Instruction], code: CodeType, known: Mapping[str, Any], made: frozenset[str]
) -> str | None:
    """Name what a name, or an attribute of it, stands for if it is something to be called."""
    name = side[0].argval
    if side[0].opname in _CONSTANT:
        return None  # a text, which may be a name, too
    if is_load(side[0]) and (name in made or name not in code.co_freevars):
        return f"a function that is not called ({name})" if name in made and len(side) == 1 else None
    found = find_called(side, code, known)
    if isinstance(found, _NO_VALUES):
        return say(found)
    is_other = found is None or isinstance(found, Enum) or hasattr(type(found), "__get__")
    return None if is_other else _name_alone(type(found))


def _list_parts_of(side: Sequence[Instruction]) -> list[Sequence[Instruction]]:
    """List the steps that make each part of a list, set or tuple."""
    parts, end = [], len(side) - 1
    for _ in range(side[-1].arg or 0 if side[-1].opname in _BUILDING else 0):
        parts.append(find_pushed(side[:end]))
        end -= len(parts[-1])
    return parts


def _find_unlike(sides: Sequence[Sequence[Instruction]]) -> str | None:
    """Name a list or tuple with values of the world that differs from the other side whatever these are."""
    shapes = [_find_shape(side) for side in sides]
    asks = any(is_load(step) and step.argval in _WORLDS for side in sides for step in side)
    if not asks or None in shapes or len({*shapes}) == 1:
        return None
    return " with ".join(f"a {kind} of {length}" for kind, length in filter(None, shapes))


def _find_full(sides: Sequence[Sequence[Instruction]]) -> str | None:
    """Name a list or tuple that has parts, so that it is true whatever these are."""
    shapes = [_find_shape(side) for side in sides if side]
    return next(
        (f"a {kind} of {length}, which is true" for kind, length in filter(None, shapes) if length), None
    )


def _find_shape(side: Sequence[Instruction]) -> tuple[str, int] | None:
    """Find what kind of container the last of some steps put together, and of how many parts."""
    last = side[-1]
    if last.opname in _BUILDING:
        return _BUILDING[last.opname], last.arg or 0
    if last.opname == "LOAD_CONST" and isinstance(last.argval, tuple):
        return "tuple", len(last.argval)
    is_one = last.opname == "LOAD_CONST" and isinstance(last.argval, int)
    return ("value", 1) if is_one else None


def _find_nothing(
    sides: Sequence[Sequence[Instruction]], code: CodeType, known: Mapping[str, Any]
) -> str | None:
    """Name a function of the user's that is compared, and gives nothing where it does not return a value."""
    for call in filter(None, map(find_call, sides)):
        called = find_called(call.called, code, known)
        if isinstance(called, FunctionType) and _has_empty_path(called):
            return f"what {called.__name__}() gives, which is nothing where it returns no value"
    return None


def _has_empty_path(function: FunctionType) -> bool:
    if function.__code__.co_flags & CO_GENERATOR:
        return False
    steps = list_steps(function.__code__)
    given = [steps[at - 1] if step.opname == "RETURN_VALUE" else step for at, step in enumerate(steps)]
    return any(
        last.opname in _CONSTANT and last.argval is None
        for step, last in zip(steps, given, strict=True)
        if step.opname in _RETURNING
    )


def _name_alone(kind: object) -> str | None:
    """Name an object of a class that does not say when two of its objects are equal, or one is true."""
    if not isinstance(kind, type):
        return None
    names = {name for base in kind.__mro__[:-1] for name in vars(base)}
    return None if names & _SAYING else f"an object of {kind.__name__}, which equals nothing but itself"
