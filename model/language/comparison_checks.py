"""Texts while a model is read: each of their comparisons looks at the kinds of what it compares.

What a text compares may come from anywhere: a name, a helper, a list of the user's. So while its model is
read, a text runs as another one, in which ``a == b`` is ``compare_equal(a, b)`` of kinds.py; so does every
function that it reaches. Which way a text goes depends on no value of the world: every engine compares what
was compared then. So the engines run the text as its author wrote it, and lose no time.
"""

from __future__ import annotations
import __future__

import ast
import linecache
import warnings
from contextlib import contextmanager
from copy import deepcopy
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nomadspec.model.errors import ModelError
from nomadspec.model.language import kinds
from nomadspec.model.language.bytecode_stack import list_parts
from nomadspec.model.language.logic import reading_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FunctionType

OURS: Final = "nomadspec."
"""Where the names of modules begin whose texts are not looked at each time: a test does, for each model."""

_BY_OPERATOR: Final[dict[type[ast.cmpop], Callable[..., Any]]] = {
    ast.Eq: kinds.compare_equal,
    ast.NotEq: kinds.compare_unequal,
    ast.In: kinds.find_in,
    ast.NotIn: kinds.miss_in,
    ast.Lt: kinds.compare_less,
    ast.LtE: kinds.compare_most,
    ast.Gt: kinds.compare_more,
    ast.GtE: kinds.compare_least,
}
_LOOKING_UP: Final = frozenset(
    {"count", "difference", "discard", "get", "index", "intersection", "isdisjoint", "issubset", "issuperset"}
    | {"pop", "remove", "setdefault", "symmetric_difference"}
)
_JOINING: Final = (ast.BitAnd, ast.BitXor, ast.Sub)
_FUNCTIONS: Final = {
    f"<{one}>": one
    for one in (
        *_BY_OPERATOR.values(),
        kinds.join_sets,
        kinds.look_at,
        kinds.look_up,
        kinds.match_with,
        kinds.note_end,
    )
}
"""What stands in a text for a function of kinds.py until it is compiled."""

_LATE: Final = __future__.annotations.compiler_flag
"""How Python marks code whose annotations are not worked out: who runs a user's file may ask for that."""

_MADE: Final[set[CodeType]] = set()
"""What was made of texts, and so is in no file: what looks at kinds, and other texts that a function runs."""

_Place: TypeAlias = "tuple[str, int, tuple[int, int]]"


@contextmanager
def checking(functions: Iterable[FunctionType]) -> Iterator[None]:
    """Let functions look at the kinds of what they compare for a while."""
    usual = [(function, function.__code__) for function in functions]
    try:
        for function, code in usual:
            function.__code__ = _find_checked(function) or code
        with kinds.noting_ends(), reading_texts():
            yield
    finally:
        for function, code in usual:
            function.__code__ = code


def note_made(code: CodeType) -> None:
    """Note that code and all functions in it were made of a text, so that nobody asks its file for them."""
    _MADE.update((code, *_list_codes(code)))


def _find_checked(function: FunctionType) -> CodeType | None:
    """Find the code of a function that looks at kinds; None where its text cannot be read, or is ours.

    What Python remembers of a file may be older than a function that was loaded anew, as in a notebook.
    """
    code, file = function.__code__, function.__code__.co_filename
    if (function.__module__ or "").startswith(OURS) or code in _MADE:
        return None
    for _ in range(2):
        text = "".join(linecache.getlines(file, function.__globals__))
        found = _read(text, file, code.co_flags & _LATE)
        if code in found:
            return found[code]
        linecache.checkcache(file)
    if found:
        raise ModelError(
            f"{file}:{code.co_firstlineno}: {function.__qualname__} is not what the file says: it has "
            "changed since it was imported, so that its text cannot be looked at; import it anew."
        )
    return None


@lru_cache(maxsize=64)
def _read(text: str, file: str, flags: int) -> dict[CodeType, CodeType]:
    """Read a file: by the code of each function in it, that which looks at kinds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return {}
        usual = _compile(tree, file, flags)
        checked = _compile(ast.fix_missing_locations(_Checked().visit(tree)), file, flags)
    twins = {_find_place(code): _put_functions(code) for code in _list_codes(checked)}
    for twin in twins.values():
        note_made(twin)
    return {code: twins[_find_place(code)] for code in _list_codes(usual) if _find_place(code) in twins}


def _compile(tree: ast.Module, file: str, flags: int) -> CodeType:
    made: CodeType = compile(tree, file, "exec", flags, dont_inherit=True)
    return made


def _list_codes(code: CodeType) -> Iterator[CodeType]:
    for part in list_parts(code):
        yield part
        yield from _list_codes(part)


def _find_place(code: CodeType) -> _Place:
    """Find what tells some code of a file from all other code in it: of several in one line, where it begins.

    What Python does before the first of its text has no width, and would be one place for all of a line.
    """
    found = code.co_positions() if code.co_name.startswith("<") else ()
    places = [(line, column) for line, _, column, end in found if line and column is not None and end]
    return code.co_qualname, code.co_firstlineno, min(places, default=(0, 0))


def _put_functions(code: CodeType) -> CodeType:
    """Put the functions of kinds.py where their names stand."""
    parts = (_put_functions(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(
        co_consts=tuple(_FUNCTIONS.get(one, one) if isinstance(one, str) else one for one in parts)
    )


class _Checked(ast.NodeTransformer):
    """Writes a text in which comparisons are calls."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Compare by calls, one for each operator; what stands between two of them is worked out twice."""
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        parts = [
            _compare(deepcopy(left) if number else left, operator, right)
            for number, (left, operator, right) in enumerate(zip(sides, node.ops, sides[1:], strict=False))
        ]
        whole = parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)
        return ast.copy_location(whole, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Let methods that look for something in a collection look at kinds."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _LOOKING_UP:
            node.func = ast.copy_location(_call(kinds.look_up, node.func), node.func)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Let a mapping look at the kind of a key: some have an answer for any."""
        self.generic_visit(node)
        is_slice = any(isinstance(part, ast.Slice | ast.Starred) for part in ast.walk(node.slice))
        if is_slice or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(_call(kinds.look_at, node.value, node.slice), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Let operators that two sets are combined with look at kinds."""
        self.generic_visit(node)
        if not isinstance(node.op, _JOINING):
            return node
        name = ast.Constant(type(node.op).__name__)
        return ast.copy_location(_call(kinds.join_sets, node.left, name, node.right), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """Let a function say that it ends without a value, unless it yields or writes to what it is given."""
        self.generic_visit(node)
        names = {argument.arg for argument in node.args.args}
        is_asked = "t" not in names and not node.name.startswith("__") and not _writes(node, names)
        if is_asked and not any(map(_yields, node.body)):
            last = node.body[-1]
            end = ast.copy_location(_call(kinds.note_end, ast.Constant(node.name)), last)
            node.body.append(ast.copy_location(ast.Expr(end), last))
        return node

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        """Say with what kinds something is matched."""
        self.generic_visit(node)
        found = dict.fromkeys(pattern for case in node.cases for pattern in _list_patterns(case.pattern))
        told = [ast.Tuple([ast.Constant(kind), ast.Constant(length)], ast.Load()) for kind, length in found]
        call = _call(kinds.match_with, node.subject, *told)
        node.subject = ast.copy_location(call, node.subject)
        return node


def _compare(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
    function = _BY_OPERATOR.get(type(operator))
    if function is None:
        return ast.copy_location(ast.Compare(left, [operator], [right]), left)
    return ast.copy_location(_call(function, left, right), left)


def _call(function: Callable[..., Any], *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Constant(f"<{function}>"), list(arguments), [])


def _yields(node: ast.AST) -> bool:
    """True if a part of a function makes it a generator."""
    is_own = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.GeneratorExp)
    if is_own:
        return False
    return isinstance(node, ast.Yield | ast.YieldFrom) or any(map(_yields, ast.iter_child_nodes(node)))


def _writes(node: ast.FunctionDef, names: set[str]) -> bool:
    """True if a function assigns to a part of something that has one of these names."""
    parts = (part for part in ast.walk(node) if isinstance(part, ast.Attribute | ast.Subscript))
    return any(isinstance(part.ctx, ast.Store) and is_part_of(part, names) for part in parts)


def is_part_of(value: ast.expr, names: set[str]) -> bool:
    """True if an expression such as ``a.b[c]`` begins with one of these names."""
    while isinstance(value, ast.Attribute | ast.Subscript):
        value = value.value
    return isinstance(value, ast.Name) and value.id in names


def _list_patterns(pattern: ast.pattern) -> Iterator[kinds.Pattern]:
    """List the patterns that are of a kind."""
    match pattern:
        case ast.MatchOr():
            for part in pattern.patterns:
                yield from _list_patterns(part)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            yield from _list_patterns(inner)
        case ast.MatchSequence():
            is_open = any(isinstance(part, ast.MatchStar) for part in pattern.patterns)
            yield "sequence", None if is_open else len(pattern.patterns)
        case ast.MatchMapping():
            yield "mapping", None
        case ast.MatchValue(value=ast.Constant(value=str())):
            yield "text", None
        case ast.MatchValue(value=ast.Constant(value=int())):
            yield "number", None
