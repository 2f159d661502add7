"""Rules and properties of kernel-style models decide with operators, never with Python's own branches.

Their text is read with Python values, with traced terms and with a solver's terms. Python's `and`, `or`,
`not`, `if`, `in` and chained comparisons ask for a bool at once, which only the first of the three can give.
The language refuses such a slip when a model is loaded; this lint also sees what loading does not execute.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.tidy.source import Source, list_functions

KERNEL_STYLE = (
    "model/small",
    "model/kernel",
    "invariants/kernel",
    "invariants/small",
    "invariants/cluster/resources",
    "invariants/cluster/scheduler",
)
PATHS = {"leads_to", "until", "unless", "eventually_always"}
DECORATORS = {"rule", "always", "step", "sometimes", "eventually", *PATHS}
WORLDS = {"s", "t"}
"""By these names rules, properties and what they call know the world before and after."""
CONSTANT_QUESTIONS = {"has": "s", "is_": "by"}
"""Questions that are settled before a world is looked at: the profile's quirks, and the rule of a step."""

ADVICE: dict[type[ast.AST], str] = {
    ast.BoolOp: "write all_of(...) or any_of(...) instead of `and` and `or`",
    ast.Not: "write not_(...) instead of `not`",
    ast.If: "write t.when(...) or ite(...) instead of `if`; only s.has(QUIRK) and by.is_(rule) may decide",
    ast.IfExp: "write ite(condition, then, otherwise) instead of `... if ... else ...`",
    ast.Constant: "write any_of(s.has(QUIRK), ...) or all_of(...) instead of a branch with True or False",
    ast.While: "write a combinator (for_all, exists, count, total) instead of `while`",
    ast.Match: "write ite(...) instead of `match`",
    ast.Assert: "write require(...) or a property instead of `assert`",
    ast.Compare: "write all_of(a <= b, b <= c) instead of a chained comparison",
    ast.In: "write exists(...) or one_of(...) instead of `in`",
    ast.comprehension: "write implies(...) or all_of(...) inside the generator instead of its `if`",
}


def find_branches(source: Source) -> list[str]:
    """List the places where a rule or property leaves the operator style, with what to write instead."""
    return [
        f"{source.path}:{line}: {definition.name}: {advice}"
        for definition in _list_read_by_engines(source.parse())
        for line, advice in sorted(set(_walk(definition)))
    ]


def _list_read_by_engines(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in list_functions(tree) if _takes_a_world(node) or _is_decorated(node)]


def _takes_a_world(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return bool(node.args.args) and node.args.args[0].arg in WORLDS


def _is_decorated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    calls = (
        decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in node.decorator_list
    )
    return any(ast.unparse(name).rpartition(".")[2] in DECORATORS for name in calls)


def _walk(definition: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[int, str]]:
    for statement in definition.body:
        for node in ast.walk(statement):
            kind = _find_slip(node)
            if kind is not None:
                yield getattr(node, "lineno", statement.lineno), ADVICE[kind]


def _find_slip(node: ast.AST) -> type[ast.AST] | None:
    match node:
        case (
            ast.IfExp(test=test, body=ast.Constant(value=bool()))
            | ast.IfExp(test=test, orelse=ast.Constant(value=bool()))
        ):
            return ast.Constant if _is_constant(test) else ast.IfExp
        case ast.If(test=test) | ast.IfExp(test=test) | ast.UnaryOp(op=ast.Not(), operand=test):
            kind = ast.Not if isinstance(node, ast.UnaryOp) else type(node)
            return None if _is_constant(test) else kind
        case ast.BoolOp() | ast.While() | ast.Match() | ast.Assert():
            return type(node)
        case ast.Compare(ops=ops) if any(isinstance(op, ast.In | ast.NotIn) for op in ops):
            return ast.In
        case ast.Compare(ops=[_, _, *_]) | ast.comprehension(ifs=[_, *_]):
            return type(node)
    return None


def _is_constant(test: ast.expr) -> bool:
    """Tell whether a test asks one of the constant questions, or its opposite."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_constant(operand)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=question)):
            return CONSTANT_QUESTIONS.get(question) == name
    return False


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("require(s.a and s.b)", ast.BoolOp),
        ("require(not s.a)", ast.Not),
        ("require(s.a if s.b else s.c)", ast.IfExp),
        ("require(0 < s.a < 3)", ast.Compare),
        ("require(s.a in (1, 2))", ast.In),
        ("require(for_all(n.up for n in s.nodes if n.used))", ast.comprehension),
        ("assert s.a", ast.Assert),
        ("if s.a: t.b = 1", ast.If),
        ("while s.a: t.b = 1", ast.While),
        ("require(True if s.has(FAST) else s.a)", ast.Constant),
    ],
)
def test_a_slip_is_found_and_taught(line: str, kind: type[ast.AST]) -> None:
    source = Source("m.py", f"@rule(spec='X-1')\ndef place(s, t):\n    {line}\n")

    assert [f"m.py:3: place: {ADVICE[kind]}"] == find_branches(source)


@pytest.mark.parametrize(
    "line", ["if s.has(FAST): t.b = 1", "if not s.has(FAST): t.b = 1", "require(s.a == 1)"]
)
def test_what_is_constant_for_a_profile_may_branch(line: str) -> None:
    assert [] == find_branches(Source("m.py", f"@rule(spec='X-1')\ndef place(s, t):\n    {line}\n"))


def test_a_question_to_the_world_is_not_constant() -> None:
    source = Source("m.py", "def redeliver(s, t):\n    if s.queue.has(3): t.b = 1\n")

    assert [f"m.py:2: redeliver: {ADVICE[ast.If]}"] == find_branches(source)


def test_other_functions_are_ordinary_python() -> None:
    assert [] == find_branches(Source("m.py", "def helper(a, b):\n    return a and b\n"))
