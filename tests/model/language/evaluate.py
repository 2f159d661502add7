"""What a traced term is worth in a world: the few lines that every engine's reading must agree with."""

from collections.abc import Callable, Sequence
from typing import Any

from nomadspec.model.language.term import Term

OPERATORS: dict[str, Callable[..., Any]] = {
    "eq": lambda a, b: a == b,
    "le": lambda a, b: a <= b,
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "number": int,
    "not": lambda a: not a,
    "and": lambda *flags: all(flags),
    "or": lambda *flags: any(flags),
    "ite": lambda condition, then, otherwise: then if condition else otherwise,
}


def evaluate(value: Any, cells: Sequence[int]) -> Any:
    """Compute a term, or take a constant as it is."""
    if not isinstance(value, Term):
        return value
    if value.op == "cell":
        return cells[int(str(value.args[0]))]
    return OPERATORS[value.op](*[evaluate(arg, cells) for arg in value.args])
