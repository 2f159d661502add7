"""What mypy is told beside the types of declarations: a record is made of all its parts, each of its type.

    [tool.mypy]
    plugins = ["nomadspec.checkers.mypy_plugin"]

Python has no type for "a keyword for each column that is declared, and none that has to be given for what the
holder has already". So the signatures of ``Plan(...)`` and of ``Plan.of(holder, ...)`` are made here, of the
``part`` that each declaration takes (model/language/typed.pyi). mypy then sees a part that is left out, and
one of another type, where loading a model would see them later. That enums have the members which a lifecycle
table lists says mypy_numbers.py.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import ARG_NAMED, ARG_NAMED_OPT, TypeInfo, Var
from mypy.plugin import (
    ClassDefContext,
    DynamicClassDefContext,
    FunctionSigContext,
    MethodSigContext,
    Plugin,
)
from mypy.subtypes import find_member, is_subtype
from mypy.types import AnyType, CallableType, FunctionLike, Instance, Type, TypeOfAny, get_proper_type

from nomadspec.checkers.mypy_numbers import LIFECYCLE, NUMBERS, fill_enum, note_table

_LANGUAGE: Final = "nomadspec.model.language."
_RECORD: Final = f"{_LANGUAGE}record.Record"
_COLUMNS: Final = (f"{_LANGUAGE}record.RecordField", f"{_LANGUAGE}world.Field")
_TOTAL: Final = f"{_LANGUAGE}world.Total"


class _Column(NamedTuple):
    """What a record is made of."""

    part: Type
    is_needed: bool
    """Whether it has to be given, as no total has."""


class ModelPlugin(Plugin):
    """Knows of what a record is made, and what an enum has from a table."""

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Say of what parts ``Plan(...)`` is made."""
        return _make_whole if self._is_record(fullname) else None

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Say what ``Plan.of(holder, ...)`` is given beside the holder."""
        owner, _, name = fullname.rpartition(".")
        return _make_rest if name == "of" and self._is_record(owner) else None

    def get_dynamic_class_hook(self, fullname: str) -> Callable[[DynamicClassDefContext], None] | None:
        """Note what a lifecycle table lists."""
        return note_table if fullname == LIFECYCLE else None

    def get_class_decorator_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """Fill an enum from a lifecycle table."""
        return fill_enum if fullname == NUMBERS else None

    def _is_record(self, fullname: str) -> bool:
        found = self.lookup_fully_qualified(fullname)
        return found is not None and isinstance(found.node, TypeInfo) and found.node.has_base(_RECORD)


def plugin(_version: str) -> type[Plugin]:
    """Give the plugin to mypy, which asks for it by this name."""
    return ModelPlugin


def _make_whole(context: FunctionSigContext) -> FunctionLike:
    usual = context.default_signature
    columns = _list_columns(usual.ret_type)
    return usual if columns is None else _take_parts(usual, columns)


def _make_rest(context: MethodSigContext) -> FunctionLike:
    usual = context.default_signature
    columns, holders = _list_columns(usual.ret_type), context.args[0] if context.args else []
    if columns is None or len(holders) != 1:
        return usual
    holder = get_proper_type(context.api.get_expression_type(holders[0]))
    held = _find_columns(holder.type) if isinstance(holder, Instance) else columns
    rest = {
        name: _Column(
            one.part, one.is_needed and not (name in held and is_subtype(held[name].part, one.part))
        )
        for name, one in columns.items()
    }
    return _take_parts(usual, rest)


def _take_parts(usual: CallableType, columns: dict[str, _Column]) -> CallableType:
    """Let a signature take a keyword for each column, instead of any."""
    before = len(usual.arg_kinds) - 1
    return usual.copy_modified(
        arg_types=[*usual.arg_types[:before], *(one.part for one in columns.values())],
        arg_kinds=[
            *usual.arg_kinds[:before],
            *(ARG_NAMED if one.is_needed else ARG_NAMED_OPT for one in columns.values()),
        ],
        arg_names=[*usual.arg_names[:before], *columns],
    )


def _list_columns(record: Type) -> dict[str, _Column] | None:
    """List the columns of a record; None where mypy has not been told about all of them yet."""
    made = get_proper_type(record)
    if not isinstance(made, Instance):
        return None
    is_known = all(node.type is not None for node in _list_variables(made.type))
    return _find_columns(made.type) if is_known else None


def _find_columns(holder: TypeInfo) -> dict[str, _Column]:
    """Find the columns of a record or world by name."""
    found = {}
    for node in _list_variables(holder):
        declared = get_proper_type(node.type)
        if isinstance(declared, Instance) and any(map(declared.type.has_base, (*_COLUMNS, _TOTAL))):
            part = find_member("part", declared, declared) or AnyType(TypeOfAny.special_form)
            found[node.name] = _Column(part, is_needed=not declared.type.has_base(_TOTAL))
    return found


def _list_variables(holder: TypeInfo) -> Iterator[Var]:
    """List what the class bodies of a holder declare, those of the language left out."""
    for base in reversed(holder.mro):
        if not base.module_name.startswith(_LANGUAGE):
            yield from (symbol.node for symbol in base.names.values() if isinstance(symbol.node, Var))
