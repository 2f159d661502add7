"""Expressions of the translated part of Python: what they compute, and on what it depends.

Numbers are words, and comparisons those of unsigned ones. What is known before is computed here.
"""

from __future__ import annotations

import ast
import operator
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from nomadspec.checkers.native.algorithms import generated, shape, types
from nomadspec.checkers.native.translate.kinds import (
    FLAG,
    NOTHING,
    WORD,
    WORDS,
    Kind,
    Shape,
    Value,
    read_kind,
    write_constant,
)
from nomadspec.model.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_OPERATORS: Final[Mapping[type[ast.operator], tuple[str, Callable[[int, int], int]]]] = {
    ast.Add: ("add", operator.add),
    ast.Sub: ("sub", operator.sub),
    ast.Mult: ("mul", operator.mul),
    ast.FloorDiv: ("udiv", operator.floordiv),
    ast.Mod: ("urem", operator.mod),
    ast.BitAnd: ("and", operator.and_),
    ast.BitOr: ("or", operator.or_),
    ast.BitXor: ("xor", operator.xor),
    ast.LShift: ("shl", operator.lshift),
    ast.RShift: ("lshr", operator.rshift),
}
_COMPARISONS: Final[Mapping[type[ast.cmpop], tuple[str, Callable[[int, int], bool]]]] = {
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
    ast.Lt: ("ult", operator.lt),
    ast.LtE: ("ule", operator.le),
    ast.Gt: ("ugt", operator.gt),
    ast.GtE: ("uge", operator.ge),
}
_PREFETCHES: Final = {"prefetch_to_read": 0, "prefetch_to_write": 1}


class Expressions:
    """The text of one function while it is written: lines, variables, and what is known of them."""

    def __init__(self, function: FunctionType, given: Shape) -> None:
        """Begin an empty text."""
        self.lines: list[str] = []
        self.variables: list[str] = []
        """The lines that make room for variables; LLVM puts most of them into registers."""
        self.called: list[FunctionType] = []
        """Other functions that have to be translated."""
        self.tables: dict[str, str] = {}
        """Constants of several words, by name."""
        self.function = function
        self.shape = given
        self.known: dict[str, int] = {}
        """Variables of loops that are written out."""
        self.kinds: dict[str, Kind] = {}
        """What is in the variables."""
        self._names = 0

    def name(self, stem: str) -> str:
        """Make a name that nothing else has."""
        self._names += 1
        return f"{stem}{self._names}"

    def let(self, operation: str, kind: Kind = WORD) -> Value:
        """Compute a value."""
        text = f"%{self.name('v')}"
        self.lines.append(f"  {text} = {operation}")
        return Value(text, kind)

    def do(self, operation: str) -> None:
        """Do something that gives no value."""
        self.lines.append(f"  {operation}")

    # what is known before

    def find_constant(self, node: ast.expr) -> int | None:  # noqa: PLR0911 -- one kind of expression a return
        """Compute what depends on constants alone; None for anything else."""
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.Name(id=name):
                value = self.known[name] if name in self.known else self._find_global(name)
                return value if isinstance(value, int) else None
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if self._find_global(name) is shape:
                return self.shape.find(attribute)
            case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
                return self._fold(_OPERATORS[type(op)][1], left, right)
            case ast.Compare(left, [op], [right]) if type(op) in _COMPARISONS:
                return self._fold(_COMPARISONS[type(op)][1], left, right)
            case ast.BoolOp(ast.And(), values):
                found = [self.find_constant(value) for value in values]
                return 0 if any(value == 0 for value in found) else None
        return None

    def _fold(self, compute: Callable[[int, int], int], left: ast.expr, right: ast.expr) -> int | None:
        one, other = self.find_constant(left), self.find_constant(right)
        return None if one is None or other is None else compute(one, other)

    def _find_global(self, name: str) -> Any:  # noqa: ANN401 -- whatever the module has
        return None if name in self.kinds else self.function.__globals__.get(name)

    # values

    def value(self, node: ast.expr) -> Value:  # noqa: PLR0911 -- as above
        """Compute an expression."""
        known = self.find_constant(node)
        if known is not None:
            return Value(write_constant(known))
        match node:
            case ast.Name(id=name) if name in self.kinds:
                kind = self.kinds[name]
                return self.let(f"load {kind.name}, ptr %{name}", kind)
            case ast.Subscript() | ast.Attribute():
                return self._load(*self.place(node))
            case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
                one, other = self.value(left), self.value(right)
                return self.let(f"{_OPERATORS[type(op)][0]} i64 {one.text}, {other.text}")
            case ast.UnaryOp(ast.USub(), operand):
                return self.let(f"sub i64 0, {self.value(operand).text}")
            case ast.IfExp(test, then, otherwise):
                return self._choose(self.flag(test), self.value(then), self.value(otherwise))
            case ast.Compare(left, [op], [right]):
                return self._compare(left, op, right)
            case ast.Call(ast.Name(id=name), arguments):
                return self._call(name, arguments)
        raise self.refuse(node)

    def flag(self, node: ast.expr) -> str:
        """Compute whether something holds, is not zero, or is there."""
        value = self.value(node)
        if value.kind == FLAG:
            return value.text
        nothing = "null" if value.kind.name == "ptr" else "0"
        return self.let(f"icmp ne {value.kind.name} {value.text}, {nothing}").text

    def place(self, node: ast.expr) -> tuple[Value, Kind]:
        """Find where something lies in memory, and what it is."""
        match node:
            case ast.Subscript(ast.Name(id=name), at) if isinstance(self._find_global(name), tuple):
                table = self._find_table(name)
                return self._move(table, self.value(at)), WORD
            case ast.Subscript(memory, ast.Slice(lower, None, None)) if lower is not None:
                base = self.value(memory)
                return self._move(base, self.value(lower)), base.kind
            case ast.Subscript(memory, at):
                base = self.value(memory)
                return self._move(base, self.value(at)), base.kind.element or NOTHING
            case ast.Attribute(record, attribute):
                base = self.value(record)
                fields = base.kind.list_fields()
                where = self._offset(base, "i64", str(list(fields).index(attribute)))
                return where, self.read_kind(fields[attribute])
        raise self.refuse(node)

    def _load(self, where: Value, kind: Kind) -> Value:
        """Load what lies at a place; a part of memory and a record are where they lie."""
        if where.kind == kind:
            return where
        value = self.let(f"load {kind.name}, ptr {where.text}", kind)
        if kind.name in {"ptr", "i64"}:
            return value
        return self.let(f"zext {kind.name} {value.text} to i64")

    def _move(self, base: Value, at: Value) -> Value:
        """Go on in memory; what is found there is not looked at yet."""
        element = base.kind.element or NOTHING
        if element.record is not None:
            at = self.let(f"mul i64 {at.text}, {len(element.list_fields())}")
            return Value(self._offset(base, "i64", at.text).text, element)
        return self._offset(base, element.name, at.text)

    def _offset(self, base: Value, unit: str, at: str) -> Value:
        return self.let(f"getelementptr {unit}, ptr {base.text}, i64 {at}", base.kind)

    def _find_table(self, name: str) -> Value:
        numbers = self._find_global(name)
        label = f"@{self.function.__module__.rpartition('.')[2]}.{name}"
        content = ", ".join(f"i64 {write_constant(number)}" for number in numbers)
        self.tables[label] = f"{label} = internal unnamed_addr constant [{len(numbers)} x i64] [{content}]"
        return Value(label, WORDS)

    def _choose(self, condition: str, then: Value, otherwise: Value) -> Value:
        kind = then.kind
        return self.let(f"select i1 {condition}, {kind.name} {then.text}, {kind.name} {otherwise.text}", kind)

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Value:
        one = self.value(left)
        if isinstance(op, ast.Is | ast.IsNot):
            return self.let(f"icmp {'eq' if isinstance(op, ast.Is) else 'ne'} ptr {one.text}, null", FLAG)
        return self.let(f"icmp {_COMPARISONS[type(op)][0]} i64 {one.text}, {self.value(right).text}", FLAG)

    # calls

    def _call(self, name: str, arguments: Sequence[ast.expr]) -> Value:
        function = self._find_global(name)
        if name == "make_words":
            return self._make_words(arguments[0])
        values = [self.value(argument) for argument in arguments]
        if name == "int":
            return self.let(f"zext i1 {values[0].text} to i64")
        if name == "min":
            is_less = self.let(f"icmp ult i64 {values[0].text}, {values[1].text}", FLAG)
            return self._choose(is_less.text, values[0], values[1])
        if function.__module__ == types.__name__:
            return self._operate(name, values)
        if function.__module__ == generated.__name__:
            return self._call_other(f"@{name}", function, values)
        self.called.append(function)
        return self._call_other(find_label(function), function, values)

    def _make_words(self, count: ast.expr) -> Value:
        name = f"%{self.name('memory')}"
        self.variables.append(f"  {name} = alloca [{self.find_constant(count)} x i64]")
        return Value(name, WORDS)

    def _operate(self, name: str, values: Sequence[Value]) -> Value:
        if name in _PREFETCHES:
            self.do(
                f"call void @llvm.prefetch.p0(ptr {values[0].text}, i32 {_PREFETCHES[name]}, i32 3, i32 1)"
            )
            return Value("", NOTHING)
        if name == "swap_bytes":
            return self.let(f"call i64 @llvm.bswap.i64(i64 {values[0].text})")
        wide = [self.let(f"zext i64 {value.text} to i128").text for value in values]
        product = self.let(f"mul i128 {wide[0]}, {wide[1]}").text
        return self.let(f"trunc i128 {self.let(f'lshr i128 {product}, 64').text} to i64")

    def _call_other(self, label: str, function: FunctionType, values: Sequence[Value]) -> Value:
        given = ", ".join(f"{value.kind.name} {value.text}" for value in values)
        kind = read_kind(function.__annotations__["return"], function.__globals__, self.shape)
        text = f"call {kind.name} {label}({given})"
        if kind == NOTHING:
            self.do(text)
            return Value("", NOTHING)
        return self.let(text, kind)

    def read_kind(self, annotation: str) -> Kind:
        """Read what an annotation says."""
        return read_kind(annotation, self.function.__globals__, self.shape)

    def refuse(self, node: ast.AST) -> ImpossibleError:
        """Refuse what is not in the translated part of Python."""
        return ImpossibleError(f"There is no machine code for '{ast.unparse(node)}'.")


def find_label(function: FunctionType) -> str:
    """Name a function that only others call."""
    return f"@{function.__module__.rpartition('.')[2]}.{function.__name__}"
