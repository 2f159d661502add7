"""What the types of arguments tell: which set of the world has ids of a class, and why a type tells nothing.

The types of a text are read by the names of the module that holds it, those of a world's sets by the names of
the module that holds the world; both may be written as strings, or become strings by ``from __future__ import
annotations``.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from enum import Enum, IntEnum
from types import UnionType
from typing import Any, ClassVar, Final, NewType, Union, get_args, get_origin, get_type_hints
from weakref import WeakKeyDictionary

from nomadspec.model.language.sets import Ids
from nomadspec.model.language.world import World

_CLASSES: Final[WeakKeyDictionary[type[World], dict[Ids, type | None]]] = WeakKeyDictionary()
"""The classes of the sets of a world, as far as they have been asked for and its own modules tell them."""

_UNREADABLE: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NameError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What happens where an annotation is prose, or names what is not there when the module runs."""
_UNREAD: Final = (
    "cannot be read when the module runs: import or define it outside functions and TYPE_CHECKING"
)


def read_type(text: Callable[..., object], parameter: inspect.Parameter) -> object:
    """Give the type of a parameter: None where it names what is not there when the module runs."""
    return _evaluate(parameter.annotation, _list_names(text))


def find_world(text: Callable[..., object], parameters: list[inspect.Parameter]) -> type[World] | None:
    """Find the world that a text is about, by the type of its first parameter; ``World`` itself is none."""
    kind = read_type(text, parameters[0]) if parameters else None
    return kind if isinstance(kind, type) and issubclass(kind, World) and kind is not World else None


def find_classes(world: type[World], text: Callable[..., object]) -> dict[Ids, type | None]:
    """Tell the classes of the sets of a world that say which their ids are of: ``jobs: Ids[JobId]``.

    One that names what is not there when the module runs is None.
    """
    known = _CLASSES.get(world)
    if known is not None:
        return known
    found: dict[Ids, type | None] = {}
    is_settled = True
    for declared in world.schema.sets:
        base = _find_annotating(world, declared)
        if base is None:
            continue
        names = _list_home_names(base)
        if names is None:
            is_settled, names = False, _list_names(text) if _is_beside(text, base) else {}
        annotation = _evaluate(inspect.get_annotations(base)[declared.name], names, vars(base))
        kind = _read_class(annotation)
        if annotation is None or is_telling(kind):
            found[declared] = kind
    if is_settled and None not in found.values():
        _CLASSES[world] = found
    return found


def _find_annotating(world: type[World], declared: Ids) -> type | None:
    """Find the class body that says of what class the ids of a set are; the last one that does counts."""
    name = declared.name
    for base in world.__mro__:
        if vars(base).get(name) is declared and name in inspect.get_annotations(base):
            return base
    return None


def _read_class(annotation: object) -> type | None:
    """Give the class of ``Ids[...]``."""
    if get_origin(annotation) is ClassVar:
        return _read_class(*get_args(annotation))
    kinds = get_args(annotation) if get_origin(annotation) is Ids else ()
    return kinds[0] if kinds and isinstance(kinds[0], type) else None


def _list_home_names(base: type) -> Mapping[str, object] | None:
    """List the names of the module that holds a class: None where the module of that name is another one."""
    module = sys.modules.get(base.__module__)
    held: object = module
    for name in base.__qualname__.split("."):
        held = getattr(held, name, None)
    return vars(module) if held is base else None


def _is_beside(text: Callable[..., object], base: type) -> bool:
    """True if a text and a class are of modules of one name: of one module, where that is no more."""
    return _list_names(text).get("__name__", "builtins") == base.__module__


def _list_names(text: Callable[..., object]) -> Mapping[str, object]:
    """List the names of the module that holds a text, whatever it was wrapped in."""
    names: Mapping[str, object] = getattr(inspect.unwrap(text), "__globals__", {})
    return names


def _evaluate(
    annotation: object, names: Mapping[str, object], own: Mapping[str, object] | None = None
) -> object:
    """Give what an annotation means: None where it names what is not there when the module runs."""
    known = (own or {}).get(annotation, names.get(annotation)) if isinstance(annotation, str) else annotation
    if isinstance(known, type):
        return known
    holder = type("Holder", (), {"__annotations__": {"it": annotation}})
    try:
        return get_type_hints(holder, dict(names), dict(own or {}))["it"]
    except _UNREADABLE:
        return None


def is_telling(kind: object) -> bool:
    """True if a type is a class that can say which values there are: no number is, nor ``Any``."""
    return isinstance(kind, type) and kind not in {int, object, Any, inspect.Parameter.empty}


def explain_type(text: Callable[..., object], parameter: inspect.Parameter, world: type[World] | None) -> str:
    """Say why the type of an argument does not tell what it can be, and what to write."""
    name, kind, said = parameter.name, read_type(text, parameter), say_type(parameter.annotation)
    is_enum = isinstance(kind, type) and issubclass(kind, Enum) and not issubclass(kind, IntEnum)
    forms = (
        (parameter.annotation is inspect.Parameter.empty, f"{name}=..., or its type, says it"),
        (kind is None, f"its type {said!r} {_UNREAD}, or say {name}=... in the decorator"),
        (
            get_origin(kind) in {Union, UnionType},
            f"{said} is a choice of types: say {name}=opt(...) in the decorator, with the set",
        ),
        (
            isinstance(kind, NewType),
            f"{said} is a NewType, which is no class when the module runs: write class {said}(Id)",
        ),
        (kind is bool, f"a bool is told by the decorator: write {name}=FLAG"),
        (
            not is_telling(kind),
            f"{said} does not say it: say {name}=... in the decorator, or give it the class of a set's ids",
        ),
        (is_enum, f"{said} is an Enum: write class {said}(IntEnum), with members from 0 on"),
    )
    why = next((sentence for applies, sentence in forms if applies), None)
    if why is not None:
        return why
    if world is None or not isinstance(kind, type):
        first = next(iter(inspect.signature(text).parameters.values()))
        if read_type(text, first) is None:
            return f"the type of {first.name}, {say_type(first.annotation)!r}, {_UNREAD}"
        return f"annotate {first.name} with the world whose set {said} names"
    return _explain_class(kind, name, world, find_classes(world, text))


def _explain_class(kind: type, name: str, world: type[World], classes: Mapping[Ids, type | None]) -> str:
    """Say why no set of a world has ids of a class."""
    unread = [declared.name for declared, of in classes.items() if of is None]
    if unread:
        return f"the type of {world.__name__}.{unread[0]} {_UNREAD}, or say {name}=... in the decorator"
    for declared, of in classes.items():
        where = f"{world.__name__}.{declared.name}"
        if of is not None and of in kind.__mro__:
            return (
                f"{kind.__name__} is a subclass of {of.__name__}, which the ids of {declared.name} are: "
                f"write {name}: {of.__name__}, or say {name}={where} in the decorator"
            )
        if of is not None and of.__qualname__ == kind.__qualname__:
            return (
                f"the ids of {where} are of another class {of.__name__}: name that one, and in a notebook "
                "run the cell of the world again"
            )
    return f"declare the set of {world.__name__} as Ids[{kind.__name__}], or say {name}=... in the decorator"


def say_type(annotation: object) -> str:
    """Write a type as its author did."""
    if isinstance(annotation, str):
        return annotation.strip("'\"")
    name = getattr(annotation, "__name__", None)
    return (
        name
        if isinstance(annotation, type | NewType) and name
        else re.sub(r"[\w.<>]+\.", "", str(annotation))
    )
