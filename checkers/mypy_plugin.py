"""What mypy is told beside the types of declarations: a record is made of all its parts, each of its type.

    [tool.mypy]
    plugins = ["nomadspec.checkers.mypy_plugin"]

Python has no type for "a keyword for each column that is declared, and none that has to be given for what the
holder has already". So the signatures of ``Plan(...)`` and of ``Plan.of(holder, ...)`` are made here, of the
``part`` that each declaration takes (model/language/typed.pyi). mypy then sees a part that is left out, and
one of another type, where loading a model would see them later. Nor has it a type for "what a table has of
one job", as which ``class JobView(JobColumns, Record, of_one=jobs)`` has each column: that is its ``own``.
Python compares any two objects; that two records that are compared are of one class is said here. That enums
have the members which a lifecycle table lists says mypy_numbers.py.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from mypy.nodes import ARG_NAMED, ARG_NAMED_OPT, ARG_POS, ARG_STAR, ArgKind, TypeInfo, Var
from mypy.plugin import (
    AttributeContext,
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
_OF_ONE: Final = "nomadspec.of_one"


class _Column(NamedTuple):
    """What a record is made of."""

    part: Type
    is_needed: bool
    """Whether it has to be given, as no total has."""
    own: Type
    """What it would be made of if it were of one member of a set."""
    member: Type | None
    """Of which kind the id of this member is; None where the column is of none."""


class ModelPlugin(Plugin):
    """Knows of what a record is made, and what an enum has from a table."""

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Say of what parts ``Plan(...)`` is made."""
        return _make_whole if self._is_record(fullname) else None

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Say what ``Plan.of(holder, ...)`` is given beside the holder, and with what a plan is compared."""
        owner, _, name = fullname.rpartition(".")
        found = _BY_METHOD.get(name)
        return found if found is not None and self._is_record(owner) else None

    def get_dynamic_class_hook(self, fullname: str) -> Callable[[DynamicClassDefContext], None] | None:
        """Note what a lifecycle table lists."""
        return note_table if fullname == LIFECYCLE else None

    def get_base_class_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """Note which records are of one member of a set."""
        return _note_of_one if fullname == _RECORD else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Say what a record of one member has where others have a table."""
        owner, _, name = fullname.rpartition(".")
        found = self.lookup_fully_qualified(owner)
        if found is None or not isinstance(found.node, TypeInfo):
            return None
        column = found.node.names.get(name)
        is_told = column is not None and isinstance(column.node, Var) and not fullname.startswith(_LANGUAGE)
        return partial(_read_own, found.node) if is_told else None

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
    if not isinstance(holder, Instance):
        others = {name: one._replace(is_needed=False) for name, one in columns.items()}
        return _take_parts(usual, others, [(AnyType(TypeOfAny.special_form), ARG_STAR)])
    held = _find_columns(holder.type)
    rest = {
        name: one._replace(is_needed=one.is_needed and not (name in held and _gives(held[name], one)))
        for name, one in columns.items()
    }
    asked = (one.member for name, one in columns.items() if name in held and held[name].member is None)
    return _take_parts(usual, rest, [(member, ARG_POS) for member in asked if member is not None][:1])


def _compare_alike(context: MethodSigContext) -> FunctionLike:
    """Let a record be compared with one of its own class, where it is compared with a record."""
    usual, own = context.default_signature, get_proper_type(context.type)
    other = get_proper_type(context.api.get_expression_type(context.args[0][0]))
    if not (isinstance(own, Instance) and isinstance(other, Instance) and other.type.has_base(_RECORD)):
        return usual
    is_alike = other.type.has_base(own.type.fullname) or own.type.has_base(other.type.fullname)
    return usual if is_alike else usual.copy_modified(arg_types=[own])


def _gives(held: _Column, wanted: _Column) -> bool:
    """True if a column gives another one: itself, or of a table what it has of one member."""
    is_one_taken = wanted.member is not None and held.member is None
    return is_subtype(held.own if is_one_taken else held.part, wanted.part)


def _take_parts(
    usual: CallableType, columns: dict[str, _Column], one: Sequence[tuple[Type, ArgKind]] = ()
) -> CallableType:
    """Let a signature take a keyword for each column, instead of any, and before them the id of a member."""
    before = sum(kind is ARG_POS for kind in usual.arg_kinds)
    return usual.copy_modified(
        arg_types=[
            *usual.arg_types[:before],
            *(member for member, _ in one),
            *(column.part for column in columns.values()),
        ],
        arg_kinds=[
            *usual.arg_kinds[:before],
            *(kind for _, kind in one),
            *(ARG_NAMED if column.is_needed else ARG_NAMED_OPT for column in columns.values()),
        ],
        arg_names=[*usual.arg_names[:before], *(None for _ in one), *columns],
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
            table, is_own = _ask(declared, "table"), _is_of_one(holder, node.info)
            part, own, member = _ask(declared, "part"), _ask(table, "own_part"), _ask(table, "member")
            found[node.name] = _Column(
                own if is_own else part,
                is_needed=not declared.type.has_base(_TOTAL),
                own=own,
                member=member if is_own else None,
            )
    return found


def _ask(declared: Type, name: str) -> Type:
    """Ask what a declaration says of itself (model/language/typed.pyi): anything, where it says nothing."""
    of = get_proper_type(declared)
    found = find_member(name, of, of) if isinstance(of, Instance) else None
    return found or AnyType(TypeOfAny.special_form)


def _note_of_one(context: ClassDefContext) -> None:
    """Note whether a record is of one member of a set."""
    if "of_one" in context.cls.keywords:
        context.cls.info.metadata[_OF_ONE] = {}


def _is_of_one(holder: TypeInfo, owner: TypeInfo) -> bool:
    """True if a record has of one member of a set what another class declares of all of them."""
    return any(_OF_ONE in base.metadata and base.has_base(owner.fullname) for base in holder.mro)


def _read_own(owner: TypeInfo, context: AttributeContext) -> Type:
    """Read a column of a record: of one member of a set, it is what the table of all has of that one."""
    usual, holder = context.default_attr_type, get_proper_type(context.type)
    is_own = isinstance(holder, Instance) and _is_of_one(holder.type, owner)
    return _ask(usual, "own") if is_own else usual


def _list_variables(holder: TypeInfo) -> Iterator[Var]:
    """List what the class bodies of a holder declare, those of the language left out."""
    for base in reversed(holder.mro):
        if not base.module_name.startswith(_LANGUAGE):
            yield from (symbol.node for symbol in base.names.values() if isinstance(symbol.node, Var))


_BY_METHOD: Final = {"of": _make_rest, "__eq__": _compare_alike, "__ne__": _compare_alike}
"""What is said of the methods of a record."""
