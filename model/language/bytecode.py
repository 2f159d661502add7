"""The compiled code of one function: what it reaches, and what it does that no value could refuse."""

from __future__ import annotations

import builtins
import sys
from collections import deque
from dataclasses import dataclass
from enum import Enum
from inspect import getattr_static
from itertools import pairwise
from types import CodeType, FunctionType, MemberDescriptorType, ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nomadspec.model.errors import StyleError
from nomadspec.model.language.bytecode_stack import (
    find_pushed,
    is_load,
    is_none,
    is_store,
    list_closed,
    list_known,
    list_steps,
)
from nomadspec.model.language.constant_comparisons import find_idle_comparison
from nomadspec.model.language.iterators import find_misuses
from nomadspec.model.language.missing_calls import find_uncalled
from nomadspec.model.language.unused_values import find_branch_on_guard, find_dropped

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet
    from dis import Instruction

MISSING: Final = object()
"""What a name stands for that has no value yet."""

_WITHOUT_MEANING: Final = frozenset(
    {"CACHE", "EXTENDED_ARG", "NOP", "NOT_TAKEN", "PRECALL", "PUSH_NULL", "RESUME"}
)
_WORLDS: Final = frozenset({"s", "n", "t"})
"""What every rule and property calls the worlds that it is asked about."""
USABLE_MODULES: Final = frozenset(
    {"collections", "dataclasses", "enum", "functools", "itertools", "math", "operator", "types", "typing"}
)
PLAIN: Final = (int, float, complex, str, bytes, type(None), type(...), range, Enum, frozenset)
_OF_A_MEMBER: Final = frozenset({"name", "value"})
"""What a member of an enum is called and worth, which never changes."""
_OWN_TO_ENGINES: Final = frozenset({"cells", "condition", "frame", "guard"})

_SLIPS: Final = {
    "PUSH_EXC_INFO": "it catches an exception or uses `with`, which would hide that a value of the world was "
    "asked what it cannot answer; write what should hold with all_of, any_of and ite",
    "STORE_GLOBAL": "it assigns to a global name, so that it would say something else each time it is read; "
    "declare what changes as a field of the world",
    "DELETE_GLOBAL": "it deletes a global name; declare what changes as a field of the world",
    "IMPORT_NAME": "it imports while it runs; import at the top of the file",
    "LOAD_BUILD_CLASS": "it defines a class while it runs; define it at the top of the file",
    "MATCH_CLASS": "it matches a value by its type, which is another one where the value is not known yet; "
    "write one_of or ite with ==",
    "FORMAT_VALUE": "it makes text of a value, which would be another text where the value is not known yet; "
    "compare with the value that is meant",
    "DELETE_ATTR": "it deletes a part of something; of what is gone the world holds False, 0 or NONE",
    "FROM THE END": "it asks a table for what stands at a number below 0, as if that counted from the end; "
    "an id of that number is nobody, so write the place itself, or NONE where nobody is meant",
    "LOAD_ASSERTION_ERROR": "it asserts something, which is no part of what it says; write t.require(...) in "
    "a rule, or another property",
}
_FROM_THE_END: Final = (
    frozenset({"LOAD_ATTR"}),
    frozenset({"LOAD_CONST"}),
    frozenset({"BINARY_SUBSCR", "BINARY_OP", "STORE_SUBSCR"}),
)
"""A table that is indexed by a number below 0, which is nobody there: no id stands at its end."""
_SLIPS_BY_OTHER_NAMES: Final = {
    "BUILD_STRING": "FORMAT_VALUE",
    "CONVERT_VALUE": "FORMAT_VALUE",
    "FORMAT_SIMPLE": "FORMAT_VALUE",
    "FORMAT_WITH_SPEC": "FORMAT_VALUE",
    "BUILD_TEMPLATE": "FORMAT_VALUE",
}
_COMMON: Final = "LOAD_COMMON_CONSTANT"
"""Only the compiler of Python 3.14 asks for one: for what an assert raises, or whether ``all`` is its own."""

Place: TypeAlias = "tuple[str, int]"
Met: TypeAlias = "tuple[tuple[Place, str, Any], ...]"
"""What a function reaches: where, by which name, and the object."""


@dataclass(frozen=True, slots=True)
class Owner:
    """An object of which only an attribute is used."""

    thing: Any


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a module holds by a name, which somebody may change."""

    owner: ModuleType
    name: str


def read_code(who: str, function: FunctionType) -> Met:
    """List what a function reaches; raises a StyleError where it does what no engine could see."""
    return tuple(_Code(who, function).read())


class _Code:
    """Reads the compiled code of one function, with what is defined inside of it."""

    def __init__(self, who: str, function: FunctionType) -> None:
        self._who = who
        self._function = function
        self._closed = list_closed(function)
        self._known = list_known(function)
        self._place: Place = (function.__code__.co_filename, function.__code__.co_firstlineno)
        self._chain: Any = MISSING
        self._title = ""
        self._met: list[tuple[Place, str, Any]] = []

    def read(self) -> list[tuple[Place, str, Any]]:
        """List what the function reaches; raises a StyleError where it does what cannot be seen."""
        function = self._function
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._met.append((self._place, f"a default of {function.__name__}", value))
        defaults = function.__kwdefaults__ or {}
        by_name = frozenset(name for name, default in defaults.items() if default is None)
        self._read_code(
            function.__code__, by_name | _list_optional(function.__code__, function.__defaults__ or ())
        )
        for code, step, problem in find_uncalled(function.__code__, self._known):
            self._place = _find_place(code, step, self._place)
            raise self._slip(problem)
        return self._met

    def _read_code(self, code: CodeType, optional: frozenset[str]) -> None:
        steps = list_steps(code)
        self._expect_no_none(code, steps, optional)
        self._expect_no_iterator(code, steps)
        self._expect_nothing_dropped(code, steps)
        self._expect_no_idle_comparison(code, steps)
        before: Instruction | None = None
        recent: deque[Instruction] = deque(maxlen=len(_FROM_THE_END))
        for step in steps:
            if step.opname in _WITHOUT_MEANING:
                continue
            recent.append(step)
            line = step.positions.lineno if step.positions else None
            self._place = (code.co_filename, line or self._place[1])
            if not self._goes_on(step):
                is_usual = self._chain is None or is_none(before) or _is_common(before)
                self._end_chain()
                self._begin_chain(step)
                self._expect_instruction(step, may_compare=is_usual)
                if _counts_from_the_end(recent):
                    raise self._slip(_SLIPS["FROM THE END"])
            before = step
        for part in code.co_consts:
            if isinstance(part, CodeType):
                self._read_code(part, optional | _list_optional_within(code, part))

    def _expect_no_none(self, code: CodeType, steps: Sequence[Instruction], optional: frozenset[str]) -> None:
        """Refuse to ask whether a value of the world is None: no value is, whatever the world holds."""
        own = {after.argval for step, after in pairwise(steps) if is_none(step) and is_store(after)}
        own -= _list_names_of_the_world(steps) if own else set()
        for number, step in enumerate(steps):
            is_jump = step.opname.endswith(("_IF_NONE", "_IF_NOT_NONE"))
            if not is_jump and not (step.opname == "IS_OP" and is_none(steps[number - 1])):
                continue
            asked = find_pushed(steps[: number if is_jump else number - 1])
            if self._may_be_of_the_world(asked, optional | own):
                self._place = _find_place(code, step, self._place)
                raise self._slip(
                    "it asks whether a value of the world is None, which no value ever is; "
                    "where nothing stands in a field, write == NONE, and give the default None to an "
                    "argument that may be missing"
                )

    def _may_be_of_the_world(self, asked: Sequence[Instruction], optional: AbstractSet[str]) -> bool:
        """True if steps read a world, or a name that may stand for a value of one, as a helper's may."""
        begin = next(step for step in asked if step.opname != "PUSH_NULL")
        known = self._closed.keys() | optional
        is_named = is_load(begin) and begin.argval not in known
        return is_named or any(is_load(step) and step.argval in _WORLDS for step in asked)

    def _expect_no_iterator(self, code: CodeType, steps: Sequence[Instruction]) -> None:
        """Refuse an iterator that may be gone through again: by then nothing is left of it."""
        for misuse in find_misuses(code, steps, self._known):
            self._place = _find_place(code, misuse.step, self._place)
            raise self._slip(misuse.problem)

    def _expect_nothing_dropped(self, code: CodeType, steps: Sequence[Instruction]) -> None:
        """Refuse a flag on a line of its own: it looks as if it were required, and nobody asks it."""
        dropped = find_dropped(code, steps, self._known)
        if dropped is not None:
            self._place = _find_place(code, dropped, self._place)
            raise self._slip(
                "it works out a value and drops it, so that this line says nothing; write t.require(...) "
                "around it in a rule, or return it with the rest, all_of(...), in a property"
            )
        branch = find_branch_on_guard(steps)
        if branch is not None:
            self._place = _find_place(code, branch, self._place)
            raise self._slip(
                "it branches on t.require(...), which gives no value, so that what follows `and` would never "
                "be asked; write t.require(a, b), or t.require(any_of(a, b))"
            )

    def _expect_no_idle_comparison(self, code: CodeType, steps: Sequence[Instruction]) -> None:
        """Refuse a comparison whose answer is always the same."""
        found = find_idle_comparison(steps)
        if found is not None:
            step, problem = found
            self._place = _find_place(code, step, self._place)
            raise self._slip(problem)

    def _goes_on(self, step: Instruction) -> bool:
        """Follow an attribute of something global; true if there is more to follow."""
        if step.opname not in {"LOAD_ATTR", "LOAD_METHOD"}:
            return False
        self._expect_attribute(step.argval)
        if isinstance(self._chain, Enum) and step.argval in _OF_A_MEMBER:
            self._chain = MISSING
        if self._chain is MISSING:
            return False
        owner, title = self._chain, self._title
        self._title = f"{title}.{step.argval}"
        if isinstance(owner, ModuleType):
            self._expect_module(owner)
            self._met.append((self._place, self._title, Attribute(owner, step.argval)))
            self._chain = getattr(owner, step.argval, MISSING)
        elif isinstance(owner, PLAIN) and not isinstance(owner, Enum):
            self._chain = MISSING
        else:
            self._met.append((self._place, title, Owner(owner)))
            found = getattr_static(owner, step.argval, MISSING)
            is_slot = isinstance(found, MemberDescriptorType) and not isinstance(owner, type)
            self._chain = getattr(owner, step.argval, MISSING) if is_slot else found
        return True

    def _end_chain(self) -> None:
        if self._chain is not MISSING and not is_plain(self._chain):
            self._met.append((self._place, self._title, self._chain))
        self._chain = MISSING

    def _begin_chain(self, step: Instruction) -> None:
        if step.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            self._title = step.argval
            usual = vars(builtins).get(step.argval, MISSING)
            self._chain = self._function.__globals__.get(step.argval, usual)
        elif step.opname == "LOAD_DEREF":
            self._title = step.argval
            self._chain = self._closed.get(step.argval, MISSING)

    def _expect_instruction(self, step: Instruction, *, may_compare: bool) -> None:
        name = _SLIPS_BY_OTHER_NAMES.get(step.opname, step.opname)
        if _is_common(step) and step.argrepr == AssertionError.__name__:
            name = "LOAD_ASSERTION_ERROR"
        if name in _SLIPS:
            raise self._slip(_SLIPS[name])
        if name == "IS_OP" and not may_compare:
            raise self._slip(
                "it compares with `is`, which asks whether two objects are the same one and not what they "
                "are worth; write == or !="
            )
        if name == "STORE_DEREF" and step.argval in self._closed:
            raise self._slip(
                f"it assigns to {step.argval}, a name outside of it, so that it would say something else "
                "each time it is read; declare what changes as a field of the world"
            )
        if name == "LOAD_CONST" and isinstance(step.argval, str) and "%" in step.argval:
            raise self._slip(_SLIPS["FORMAT_VALUE"])

    def _expect_attribute(self, name: str) -> None:
        if name.startswith("__") and name.endswith("__"):
            raise self._slip(
                f"it asks for {name}, which tells how a value is stored and not what it is; "
                "write a comparison, or a function of the language"
            )
        if name in {"format", "format_map"}:
            raise self._slip(_SLIPS["FORMAT_VALUE"])
        if name in _OWN_TO_ENGINES:
            raise self._slip(
                f"it asks for .{name}, which belongs to the engines; ask for the declared fields"
            )

    def _expect_module(self, module: ModuleType) -> None:
        root = module.__name__.partition(".")[0].lstrip("_")
        if root in USABLE_MODULES or root not in sys.stdlib_module_names:
            return
        raise self._slip(
            f"it uses the module {module.__name__}, whose answers no engine can foresee; what the world does "
            "not determine is an argument of the rule"
        )

    def _slip(self, problem: str) -> StyleError:
        return StyleError(f"{self._who} ({write_place(self._place)}): {problem}.")


def is_plain(thing: object) -> bool:
    """True if something is a number, text or the like as Python has them, of no class of a user."""
    return isinstance(thing, PLAIN) and type(thing).__module__ == "builtins"


def _is_common(step: Instruction | None) -> bool:
    return step is not None and step.opname == _COMMON


def _find_place(code: CodeType, step: Instruction, otherwise: Place) -> Place:
    """Find where a step stands."""
    return code.co_filename, (step.positions and step.positions.lineno) or otherwise[1]


def _list_names_of_the_world(steps: Sequence[Instruction]) -> frozenset[str]:
    """List the names that are given a value of the world, by themselves or by each other."""
    given = [
        (step.argval, number and steps[number - 1].opname == "FOR_ITER", _find_given(steps[:number]))
        for number, step in enumerate(steps)
        if is_store(step)
    ]
    found: frozenset[str] = frozenset()
    while more := {name for name, is_walked, made in given if _has_world(made, found, is_walked)} - found:
        found |= more
    return found


def _find_given(steps: Sequence[Instruction]) -> Sequence[Instruction]:
    """Find the steps that make what a name is given; in a loop, what it goes through."""
    is_loop = bool(steps) and steps[-1].opname == "FOR_ITER"
    return find_pushed(steps[:-2] if is_loop else steps)


def _has_world(made: Sequence[Instruction], names: AbstractSet[str], is_walked: object) -> bool:
    """True if steps take a value of the world, or of a name that has one.

    What goes through a set of the world gets ids, unless a place of a table is asked for on the way.
    """
    asks = not is_walked or any(
        step.opname == "BINARY_SUBSCR" or step.argrepr == "[]" or isinstance(step.argval, CodeType)
        for step in made
    )
    of_world = names | _WORLDS if asks else names
    return any(is_load(step) and step.argval in of_world for step in made)


def _list_optional(code: CodeType, defaults: Sequence[Any]) -> frozenset[str]:
    """List the arguments that are None where nobody gives them; defaults are those of the last ones."""
    names = code.co_varnames[: code.co_argcount]
    pairs = zip(reversed(names), reversed(defaults), strict=False)
    return frozenset(name for name, default in pairs if default is None)


def _list_optional_within(code: CodeType, part: CodeType) -> frozenset[str]:
    """List the same of a function that is defined inside: its defaults are among the constants around it."""
    found = (_list_optional(part, one) for one in code.co_consts if isinstance(one, tuple))
    return frozenset().union(*found)


def write_place(place: Place) -> str:
    """Write where something stands in a file."""
    file, line = place
    return f"{file.removeprefix(sys.prefix)}:{line}"


def _counts_from_the_end(steps: Sequence[Instruction]) -> bool:
    """True if an attribute, which could be a table of the world, is indexed by a number below 0."""
    if len(steps) < len(_FROM_THE_END):
        return False
    is_alike = all(step.opname in names for step, names in zip(steps, _FROM_THE_END, strict=True))
    key, last = steps[1].argval, steps[2]
    is_index = last.opname != "BINARY_OP" or last.argrepr == "[]"
    return is_alike and is_index and isinstance(key, int) and key < 0
