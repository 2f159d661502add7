"""What mypy is told of enums that a lifecycle table fills: their members, which no text spells.

    @numbers(DEPLOYMENT)
    class DeploymentPhase(StatusEnum): ...

A table is a value, and mypy knows types. So of each table that a module binds to a name, the statuses are
noted with their enum, from where mypy's cache keeps them for the modules that ask.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    MDEF,
    CallExpr,
    Expression,
    MemberExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    SymbolTableNode,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import ClassDefContext, DynamicClassDefContext

LIFECYCLE: Final = "nomadspec.model.lifecycle.table.Lifecycle"
NUMBERS: Final = "nomadspec.model.lifecycle.table.numbers"
_NOTED: Final = "nomadspec.lifecycles"


def note_table(context: DynamicClassDefContext) -> None:
    """Note with an enum which of its members a table lists."""
    given = dict(zip(context.call.arg_names, context.call.args, strict=True))
    statuses, left_out = given.get("statuses"), given.get("left_out")
    if isinstance(statuses, RefExpr) and isinstance(statuses.node, TypeInfo):
        without = {*_list_names(left_out)}
        listed = [name for name in statuses.node.enum_members if name not in without]
        statuses.node.metadata.setdefault(_NOTED, {})[context.name] = listed


def fill_enum(context: ClassDefContext) -> None:
    """Give an enum the members that its table lists."""
    info = context.cls.info
    for name in ("ABSENT", *_find_listed(context)):
        member = Var(name)
        member.info = info
        member.is_property = True
        member.has_explicit_value = True
        member._fullname = f"{info.fullname}.{name}"  # noqa: SLF001 -- as mypy does for enums in functional form
        info.names[name] = SymbolTableNode(MDEF, member, plugin_generated=True)


def _find_listed(context: ClassDefContext) -> list[str]:
    """Find what was noted of the table that a decorator names."""
    match context.reason:
        case CallExpr(args=[RefExpr(node=Var(fullname=fullname))]):
            module, _, name = fullname.rpartition(".")
            for info in _list_enums(context.api.modules.get(module)):
                listed: list[str] | None = info.metadata.get(_NOTED, {}).get(name)
                if listed is not None:
                    return listed
    context.api.fail("No lifecycle table is bound to this name in a module.", context.reason)
    return []


def _list_enums(module: MypyFile | None) -> Iterator[TypeInfo]:
    for symbol in () if module is None else module.names.values():
        if isinstance(symbol.node, TypeInfo) and symbol.node.is_enum:
            yield symbol.node


def _list_names(members: Expression | None) -> Iterator[str]:
    """List the names of the members that an expression spells one by one."""
    for member in members.items if isinstance(members, TupleExpr) else ():
        if isinstance(member, MemberExpr | NameExpr):
            yield member.name
