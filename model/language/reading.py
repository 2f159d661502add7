"""Reading: what the text of a rule or property does that no engine could see when the text runs.

The text runs on plain values in one engine and on terms in another. Most of what only one of them can answer
is refused where it happens (model/language/term.py), because a term refuses to be branched on, looked up or
counted with. Some things ask no value: ``is``, ``isinstance``, text made of a value, an exception that is
caught, anything remembered from one run to the next. So the code of each text, and of each function that it
reaches, is read before it runs, and refused by file and line.

What is read is the compiled code, since that is what runs: a text needs no source file, and a lambda, a
comprehension or a function of another module is read like any other.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, partial
from inspect import getattr_static, isfunction
from types import (
    BuiltinFunctionType,
    FunctionType,
    GenericAlias,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary, ref

from nomadspec.model.errors import StyleError
from nomadspec.model.language.bytecode import (
    MISSING,
    PLAIN,
    USABLE_MODULES,
    Attribute,
    Met,
    Owner,
    Place,
    is_plain,
    read_code,
    write_place,
)
from nomadspec.model.language.bytecode_stack import lies_in_language, list_closed
from nomadspec.model.language.sets import Declared
from nomadspec.model.specification.quirk import Quirk

_USABLE_BUILTINS: Final = frozenset(
    {"abs", "all", "any", "bool", "dict", "divmod", "enumerate", "filter", "frozenset", "getattr", "int"}
    | {"iter", "len", "list", "map", "max", "min", "next", "pow", "range", "reversed", "round", "set"}
    | {"setattr", "slice", "sorted", "sum", "tuple", "zip"}
)
"""What a text may call: each of these asks the values, which then answer or refuse."""

_SILENT: Final = frozenset({"contains", "countOf", "eq", "indexOf", "is_", "is_not", "ne"})
"""What compares where nobody looks at what is compared: ``==`` and ``in`` say the same."""
_HELD: Final = (list, dict, set, bytearray, deque)
_DESCRIPTORS: Final = (MemberDescriptorType, MethodDescriptorType, WrapperDescriptorType, GenericAlias)
_COMPARING: Final = frozenset(
    {"__add__", "__bool__", "__eq__", "__ge__", "__gt__", "__le__", "__lt__", "__mul__", "__ne__"}
    | {"__radd__", "__rmul__", "__rsub__", "__sub__"}
)
"""How a constant answers what it is compared or combined with."""
_ANNOTATIONS: Final = "__annotate_func__"
"""Where Python 3.14 keeps the annotations of a class, as a function that no text calls."""

Kept: TypeAlias = "tuple[str, object]"


@dataclass(frozen=True, slots=True)
class _Reach:
    """What a text reaches beside its arguments: the objects that could change from one run to the next."""

    held: tuple[Kept, ...]
    functions: tuple[ref[FunctionType], ...]
    """The functions that run when the text does, itself among them; nothing here keeps them alive."""


@dataclass(slots=True)
class _Reader:
    """Reads the code of one text and of all that it reaches."""

    who: str
    held: dict[int, Kept] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    waiting: list[FunctionType] = field(default_factory=list)
    functions: list[ref[FunctionType]] = field(default_factory=list)
    place: Place = ("", 0)

    def read(self, text: Callable[..., object]) -> _Reach:
        """Read a text, and then each function that was met."""
        self._meet(text, "the text")
        while self.waiting:
            self._read_function(self.waiting.pop())
        return _Reach(tuple(self.held.values()), tuple(self.functions))

    def _read_function(self, function: FunctionType) -> None:
        self.functions.append(ref(function))
        met = _MET.get(function)
        if met is None:
            met = _MET[function] = read_code(self.who, function)
        for self.place, title, thing in met:
            if isinstance(thing, Owner):
                self._meet_owner(thing.thing, title)
            elif isinstance(thing, Attribute):
                self.held[hash((id(thing.owner), thing.name))] = (title, thing)
            else:
                self._meet(thing, title)
        self.held[id(vars(function))] = (function.__name__, vars(function))

    def _meet(self, thing: Any, title: str) -> None:  # noqa: ANN401, C901 -- one kind a case
        """Read what a text reaches, keep what can change, and refuse what cannot be read."""
        if thing is MISSING or id(thing) in self.seen or self._is_constant(thing, title):
            return
        if isinstance(thing, _DESCRIPTORS) or _is_of_language(thing):
            self._meet_parts(thing, title)
            return
        self.seen.add(id(thing))
        if isinstance(thing, FunctionType):
            self._expect_module_of(thing, title)
            self.waiting += [thing] if _root_of(thing) not in USABLE_MODULES else []
        elif isinstance(thing, ModuleType):
            return
        elif isinstance(thing, type):
            self._meet_class(thing, title)
        elif isinstance(thing, BuiltinFunctionType):
            self._meet_builtin(thing, title)
        elif isinstance(thing, MethodType | staticmethod | classmethod):
            self._meet(thing.__func__, title)
            self._meet(getattr(thing, "__self__", MISSING), title)
        elif isinstance(thing, property | cached_property | partial):
            for part in ("fget", "func", "args", "keywords"):
                self._meet(getattr(thing, part, MISSING), title)
        elif isinstance(thing, (tuple, MappingProxyType, *_HELD)):
            self._meet_container(thing, title)
        elif hasattr(thing, "__wrapped__") and callable(thing):
            self._meet(thing.__wrapped__, title)
        else:
            self._meet_instance(thing, title)

    def _is_constant(self, thing: object, title: str) -> bool:
        """True if something never changes, as a quirk; refuse it where it says itself what it equals.

        Only values that are known would ask it that.
        """
        if is_plain(thing) or not isinstance(thing, PLAIN):
            return isinstance(thing, (*PLAIN, Quirk))
        for base in type(thing).__mro__:
            own = sorted(_COMPARING & vars(base).keys())
            if own and _is_of_user(base):
                raise self._slip(
                    f"it uses {title}, whose class {base.__name__} defines {own[0]}, so that a value of the "
                    "world that is compared with it would say one thing where it is known, and another where "
                    "it is not; compare with a plain number or member"
                )
        return True

    def _meet_parts(self, thing: Any, title: str) -> None:  # noqa: ANN401 -- any object of the language
        """Read the texts inside of what the language made: a property, or a function that is remembered."""
        if id(thing) in self.seen:
            return
        if isinstance(thing, Declared):
            raise self._slip(
                f"it uses {title}, a declaration, which has no value: write s.{thing.name}, that of a world"
            )
        self.seen.add(id(thing))
        for part in () if isinstance(thing, type) else ("text", "given", "keeps"):
            if isfunction(getattr_static(type(thing), part, None)) or not hasattr(thing, part):
                continue
            self._meet(getattr(thing, part), title)
        if isfunction(thing):
            for value in list_closed(thing).values():
                if callable(value):
                    self._meet(value, title)

    def _meet_owner(self, thing: Any, title: str) -> None:  # noqa: ANN401 -- any object
        """Keep what an object holds, of which a text uses a part; its other methods are not read."""
        is_strange = type(thing).__module__.partition(".")[0].lstrip("_") in {
            "builtins",
            *sys.stdlib_module_names,
        }
        if isinstance(thing, type) and not _is_module_of_language(thing.__module__):
            self.held[id(thing)] = (title, thing)
        if isinstance(thing, type | ModuleType | FunctionType) or is_strange or _is_of_language(thing):
            self._meet(thing, title)
        else:
            self.held[id(thing)] = (title, thing)
            for base in filter(_is_of_user, type(thing).__mro__):
                self.held[id(base)] = (title, base)
            for name in ("__getattr__", "__getattribute__"):
                self._meet(getattr_static(type(thing), name, MISSING), f"{title}.{name}")

    def _meet_class(self, thing: type, title: str) -> None:
        if issubclass(thing, Enum | BaseException):
            return
        if thing.__module__ == "builtins":
            if thing.__name__ not in _USABLE_BUILTINS:
                raise self._slip(_say_unusable(title))
            return
        if thing.__module__.partition(".")[0] in sys.stdlib_module_names:
            self._expect_module_of(thing, title)
            return
        for base in filter(_is_of_user, thing.__mro__):
            self._meet_methods(base, title)

    def _meet_methods(self, owner: type, title: str) -> None:
        """Read the methods of a class, and keep what it holds itself, which each of them could change."""
        self.held[id(owner)] = (title, owner)
        for name, part in vars(owner).items():
            inner = getattr(part, "__func__", getattr(part, "fget", part))
            if isinstance(inner, FunctionType) and not _is_generated(inner) and name != _ANNOTATIONS:
                self._meet(inner, f"{title}.{name}")

    def _meet_builtin(self, thing: BuiltinFunctionType, title: str) -> None:
        module = thing.__module__ or ""
        owner = thing.__self__
        if isinstance(owner, (*PLAIN, tuple, *_HELD)) and not isinstance(owner, ModuleType):
            self._meet(owner, title)
            return
        is_silent = module == "_operator" and thing.__name__ in _SILENT
        is_usable = module.lstrip("_") in USABLE_MODULES
        if is_silent or not (is_usable or (module == "builtins" and thing.__name__ in _USABLE_BUILTINS)):
            raise self._slip(_say_unusable(title))

    def _expect_module_of(self, thing: Any, title: str) -> None:  # noqa: ANN401 -- a function or a class
        root = _root_of(thing)
        if root in sys.stdlib_module_names and root not in USABLE_MODULES and root != "__main__":
            raise self._slip(_say_unusable(title))

    def _meet_container(self, thing: Any, title: str) -> None:  # noqa: ANN401 -- a container
        if isinstance(thing, _HELD):
            self.held[id(thing)] = (title, thing)
        for part in thing.values() if isinstance(thing, dict | MappingProxyType) else thing:
            self._meet(part, title)

    def _meet_instance(self, thing: Any, title: str) -> None:  # noqa: ANN401 -- an object of a class
        kind = type(thing)
        if kind.__module__.partition(".")[0].lstrip("_") in {"builtins", *sys.stdlib_module_names}:
            raise self._slip(
                f"it uses {title}, a {kind.__name__}, which may give something else each time; "
                "write what is constant as a tuple, and declare what changes as a field of the world"
            )
        self.held[id(thing)] = (title, thing)
        for base in filter(_is_of_user, kind.__mro__):
            self._meet_methods(base, title)

    def _slip(self, problem: str) -> StyleError:
        return StyleError(f"{self.who} ({write_place(self.place)}): {problem}.")


@dataclass(frozen=True, slots=True)
class Remembered:
    """What texts hold outside of the world, as it was before they ran."""

    parts: tuple[tuple[str, str, object, object], ...]
    functions: tuple[FunctionType, ...] = ()
    """All that run when the texts do."""

    def expect_same(self) -> None:
        """Raise a StyleError where a text changed something outside of the world while it ran."""
        frozen = _Frozen()
        for who, title, thing, before in self.parts:
            if frozen.of(thing) != before:
                raise StyleError(
                    f"{who}: it changes {title} while it is read, so that it would say something else each "
                    "time; declare what changes as a field of the world."
                )


def list_methods(owner: type) -> Iterator[FunctionType]:
    """List what a user's world, and each record in it, defines beside its declarations; texts may ask it."""
    for base in filter(_is_of_user, owner.__mro__):
        for part in vars(base).values():
            inner = getattr(part, "__func__", getattr(part, "fget", part))
            kind = getattr(part, "kind", None) if isinstance(part, Declared) else None
            if isinstance(inner, FunctionType) and _is_written(inner):
                yield inner
            if isinstance(kind, type):
                yield from list_methods(kind)


def remember_state(texts: dict[str, Callable[..., object]]) -> Remembered:
    """Read some texts, by what each is called in messages, and keep what they hold as it is now."""
    parts, functions, frozen = [], {}, _Frozen()
    for name, text in texts.items():
        code = text.__code__
        who = f"{name} ({write_place((code.co_filename, code.co_firstlineno))})"
        reach = _reach_of(name, text)
        for title, thing in reach.held:
            parts.append((who, title, thing, frozen.of(thing)))
        alive = filter(None, (function() for function in reach.functions))
        functions.update({id(function): function for function in alive})
    return Remembered(tuple(parts), tuple(functions.values()))


_MET: Final[WeakKeyDictionary[FunctionType, Met]] = WeakKeyDictionary()
"""The code of a function is read once, however many texts reach it."""

_KNOWN: Final[WeakKeyDictionary[Callable[..., object], _Reach]] = WeakKeyDictionary()
"""A text is read once, whatever the scope."""


def _reach_of(who: str, text: Callable[..., object]) -> _Reach:
    known = _KNOWN.get(text)
    if known is None:
        known = _KNOWN[text] = _Reader(who).read(text)
    return known


class _Frozen:
    """What things hold at one moment, each looked at once, however many texts hold it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, object]] = {}
        """By its id, a thing, which lives as long as this, and what it holds."""

    def of(self, thing: object) -> object:
        """Give something that stays equal for as long as what a text holds stays the same."""
        if id(thing) not in self._known:
            self._known[id(thing)] = (thing, _freeze_kept(thing))
        return self._known[id(thing)][1]


def _freeze_kept(thing: object) -> object:
    """Give what ``_freeze`` gives of what a text holds; of a class, what it holds itself."""
    if isinstance(thing, Attribute):
        return _freeze(getattr(thing.owner, thing.name, None))
    if isinstance(thing, type):
        return {name: _freeze(part) for name, part in vars(thing).items() if _is_data(name, part)}
    return _freeze(thing)


def _freeze(thing: object, depth: int = 0) -> object:
    """Give something that stays equal for as long as what a thing holds stays the same."""
    if isinstance(thing, PLAIN):
        return type(thing), thing
    if isinstance(thing, type | ModuleType | FunctionType) or depth > _DEEPEST:
        return type(thing)
    if isinstance(thing, dict | MappingProxyType):
        return tuple((_freeze(key, depth + 1), _freeze(value, depth + 1)) for key, value in thing.items())
    if isinstance(thing, list | tuple | deque):
        return tuple(_freeze(part, depth + 1) for part in thing)
    if isinstance(thing, set | bytearray):
        return frozenset(thing)
    return id(thing), _freeze(_list_attributes(thing), depth + 1)


def _is_data(name: str, part: object) -> bool:
    """True if a class holds something itself that could change, and says nothing of how it is built."""
    return not name.startswith("__") and isinstance(part, (*PLAIN, tuple, *_HELD))


def _list_attributes(thing: object) -> dict[str, object]:
    """List what an object of a class holds, by name, in slots or not."""
    found: dict[str, object] = dict(getattr(thing, "__dict__", {}))
    for kind in type(thing).__mro__:
        slots = [name for name, part in vars(kind).items() if isinstance(part, MemberDescriptorType)]
        found |= {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    return found


_DEEPEST: Final = 8


def _is_of_language(thing: object) -> bool:
    """True if something was made by the language itself or a checker: these know what terms are."""
    if isinstance(thing, MethodType):
        thing = thing.__func__
    if isinstance(thing, FunctionType):
        is_checker = str(thing.__module__).startswith("nomadspec.checkers.")
        return is_checker or lies_in_language(thing.__code__.co_filename)
    kinds = thing.__mro__ if isinstance(thing, type) else type(thing).__mro__
    return any(_is_module_of_language(kind.__module__) for kind in kinds)


def _is_module_of_language(module: str) -> bool:
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is not None and lies_in_language(file)


def _is_of_user(kind: type) -> bool:
    """True if a class is none that comes with Python."""
    return kind.__module__.partition(".")[0] not in {"builtins", *sys.stdlib_module_names}


def _root_of(thing: Any) -> str:  # noqa: ANN401 -- a function or a class
    """Name the package that something comes from."""
    return str(thing.__module__).partition(".")[0].lstrip("_")


def _is_generated(method: FunctionType) -> bool:
    """True if a method of a class is not of its author, as those of dataclasses are."""
    root = str(method.__globals__.get("__name__", "")).partition(".")[0]
    return method.__code__.co_filename.startswith("<") or root in sys.stdlib_module_names - {"__main__"}


def _is_written(method: FunctionType) -> bool:
    """True if a user wrote a method."""
    is_ours = lies_in_language(method.__code__.co_filename)
    return not is_ours and not _is_generated(method) and method.__name__ != _ANNOTATIONS


def _say_unusable(title: str) -> str:
    return (
        f"it uses {title}, which asks a value what only some engines can answer, or gives something else "
        "each time; write a comparison, or what model/language/logic.py offers"
    )
