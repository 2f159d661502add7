"""Functions of the translated part of Python as LLVM assembly: their statements, and those that they call.

Variables are places in memory; LLVM makes registers of them. What a function calls is written into it. Loops
whose bounds are constants are written out.
"""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.translate.expressions import Expressions, find_label
from nomadspec.checkers.native.translate.kinds import FLAG, NOTHING, WORD, Kind, Shape, Value
from nomadspec.model.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FunctionType

_DECLARATIONS: Final = """\
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @llvm.bswap.i64(i64)"""


def translate(functions: Sequence[Callable[..., int | None]], shape: Shape) -> str:
    """Write functions under their names, and for themselves those that they call."""
    tables: dict[str, str] = {}
    texts: dict[str, str] = {}
    waiting: list[tuple[FunctionType, str]] = [(_check(each), f"@{each.__name__}") for each in functions]
    while waiting:
        function, label = waiting.pop(0)
        if label not in texts:
            writer = _Function(function, shape)
            texts[label] = writer.write(label, is_inner=label == find_label(function))
            tables |= writer.tables
            waiting += [(called, find_label(called)) for called in writer.called]
    return "\n\n".join([_DECLARATIONS, *tables.values(), *texts.values()])


def write_declaration(function: Callable[..., int | None], shape: Shape) -> str:
    """Declare a function for texts that call it."""
    writer = _Function(_check(function), shape)
    kinds = ", ".join(kind.name for kind in writer.list_arguments().values())
    return f"declare {writer.answer.name} @{function.__name__}({kinds})"


def _check(function: Callable[..., int | None]) -> FunctionType:
    if not inspect.isfunction(function):
        raise ImpossibleError(f"{function} is no function with a text.")
    return function


@cache
def _read_texts(module: str) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


class _Function(Expressions):
    """Writes one function."""

    def __init__(self, function: FunctionType, shape: Shape) -> None:
        super().__init__(function, shape)
        self.answer = self.read_kind(function.__annotations__["return"])
        self._is_over = False
        """Whether the block has ended already."""
        self._loops: list[tuple[str, str]] = []
        """Where the loops around go on, and where they end."""

    def list_arguments(self) -> dict[str, Kind]:
        """Map arguments to what they are."""
        annotations = self.function.__annotations__
        return {name: self.read_kind(text) for name, text in annotations.items() if name != "return"}

    def write(self, label: str, *, is_inner: bool) -> str:
        """Write the whole text."""
        arguments = self.list_arguments()
        for name, kind in arguments.items():
            self._assign(name, Value(f"%{name}.given", kind))
        self._write_all(_read_texts(self.function.__module__)[self.function.__name__].body)
        if not self._is_over:
            self.do("ret void" if self.answer == NOTHING else "unreachable")
        # nothing but the record itself says where the record is
        given = [
            f"{kind.name}{' noalias' if kind.record and not is_inner else ''} %{name}.given"
            for name, kind in arguments.items()
        ]
        scope, when = ("internal ", " alwaysinline") if is_inner else ("", "")
        head = f"define {scope}{self.answer.name} {label}({', '.join(given)}){when} {{"
        return "\n".join([head, *self.variables, *self.lines, "}"])

    def _assign(self, name: str, value: Value) -> None:
        if name not in self.kinds:
            self.kinds[name] = value.kind
            self.variables.append(f"  %{name} = alloca {value.kind.name}")
        self.do(f"store {value.kind.name} {value.text}, ptr %{name}")

    # blocks

    def _begin(self, block: str) -> None:
        if not self._is_over:
            self.do(f"br label %{block}")
        self.lines.append(f"{block}:")
        self._is_over = False

    def _go(self, block: str) -> None:
        self.do(f"br label %{block}")
        self._is_over = True

    def _fork(self, test: ast.expr, holds: str, fails: str) -> None:
        """Go on at one of two blocks, looking at no more parts of the test than it takes."""
        match test:
            case ast.BoolOp(op, [first, *rest]) if rest:
                after = self.name("part")
                is_and = isinstance(op, ast.And)
                self._fork(first, *((after, fails) if is_and else (holds, after)))
                self._begin(after)
                self._fork(rest[0] if len(rest) == 1 else ast.BoolOp(op, rest), holds, fails)
            case ast.UnaryOp(ast.Not(), operand):
                self._fork(operand, fails, holds)
            case _:
                self.do(f"br i1 {self.flag(test)}, label %{holds}, label %{fails}")
                self._is_over = True

    # statements

    def _write_all(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self._write(statement)
            if self._is_over:
                return

    def _write(self, node: ast.stmt) -> None:  # noqa: C901 -- one statement a case
        match node:
            case ast.Expr(ast.Constant(str())):
                pass
            case ast.Expr(value):
                self.value(value)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                computed = [self.value(value) for value in values]
                for one, result in zip(targets, computed, strict=True):
                    self._put(one, result)
            case ast.Assign([target], value):
                self._put(target, self.value(value))
            case ast.AugAssign(target, op, value):
                self._put(target, self.value(ast.BinOp(target, op, value)))
            case ast.If(test, body, otherwise):
                self._write_if(test, body, otherwise)
            case ast.While(test, body):
                self._write_while(test, body)
            case ast.For(ast.Name(name), ast.Call(ast.Name(), arguments) as call, body):
                self._write_for(name, call, arguments, body)
            case ast.Return(value):
                self.do("ret void" if value is None else self._answer(value))
                self._is_over = True
            case ast.Break():
                self._go(self._loops[-1][1])
            case _:
                raise self.refuse(node)

    def _answer(self, node: ast.expr) -> str:
        if self.answer != FLAG:
            return f"ret {self.answer.name} {self.value(node).text}"
        text = str(node.value).lower() if isinstance(node, ast.Constant) else self.flag(node)
        return f"ret i1 {text}"

    def _put(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign(target.id, value)
            return
        where, kind = self.place(target)
        if kind.name not in {"ptr", "i64"}:
            value = self.let(f"trunc i64 {value.text} to {kind.name}", kind)
        self.do(f"store {kind.name} {value.text}, ptr {where.text}")

    def _write_if(self, test: ast.expr, body: Sequence[ast.stmt], otherwise: Sequence[ast.stmt]) -> None:
        known = self.find_constant(test)
        if known is not None:
            self._write_all(body if known else otherwise)
            return
        then, other, after = self.name("then"), self.name("else"), self.name("after")
        self._fork(test, then, other)
        for block, statements in ((then, body), (other, otherwise)):
            self._begin(block)
            self._write_all(statements)
            if not self._is_over:
                self._go(after)
        self._begin(after)

    def _write_while(self, test: ast.expr, body: Sequence[ast.stmt]) -> None:
        again, inside, after = self.name("while"), self.name("body"), self.name("after")
        self._begin(again)
        self._fork(test, inside, after)
        self._begin(inside)
        self._write_body(body, again, after)

    def _write_body(self, body: Sequence[ast.stmt], again: str, after: str) -> None:
        self._loops.append((again, after))
        self._write_all(body)
        self._loops.pop()
        if not self._is_over:
            self._go(again)
        self._begin(after)

    def _write_for(
        self, name: str, call: ast.Call, arguments: Sequence[ast.expr], body: Sequence[ast.stmt]
    ) -> None:
        bounds = [self.find_constant(bound) for bound in arguments]
        if ast.unparse(call.func) == "reversed" and isinstance(arguments[0], ast.Call):
            count = self.find_constant(arguments[0].args[0])
            if count is None:
                raise self.refuse(call)
            self._write_out(name, range(count)[::-1], body)
        elif len(bounds) == 1 and bounds[0] is not None:
            self._write_out(name, range(bounds[0]), body)
        else:
            self._count(name, [self.value(bound) for bound in arguments], body)

    def _write_out(self, name: str, numbers: range, body: Sequence[ast.stmt]) -> None:
        for number in numbers:
            self.known[name] = number
            self._write_all(body)
        self.known.pop(name, None)

    def _count(self, name: str, bounds: Sequence[Value], body: Sequence[ast.stmt]) -> None:
        begin, end = bounds if len(bounds) > 1 else (Value("0"), bounds[0])
        test, inside, following, after = (self.name(stem) for stem in ("for", "body", "next", "after"))
        self._assign(name, begin)
        self._begin(test)
        at = self.let(f"load i64, ptr %{name}")
        self.do(
            f"br i1 {self.let(f'icmp ult i64 {at.text}, {end.text}').text}, label %{inside}, label %{after}"
        )
        self._is_over = True
        self._begin(inside)
        self._loops.append((following, after))
        self._write_all(body)
        self._loops.pop()
        self._begin(following)
        self._assign(name, self.let(f"add i64 {self.let(f'load i64, ptr %{name}', WORD).text}, 1"))
        self._go(test)
        self._begin(after)
