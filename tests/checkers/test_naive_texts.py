"""False claims as somebody writes them who knows Python: none of them is ever said to hold."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.simulate.simulator import simulate
from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.errors import ModelError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.property import Property
from tests.checkers.naive_texts import claim_always, claim_of_steps, model_about

pytestmark = pytest.mark.usefixtures("whole_second_look")

REFUSED: Final = {
    "identity": "return for_all(not_(s.stage[m] is Stage.BROKEN) for m in s.machines)",
    "no identity": "return for_all(s.stage[m] is not Stage.BROKEN for m in s.machines)",
    "identity of flags": "return not_(exists((s.stage[m] == Stage.BROKEN) is True for m in s.machines))",
    "identity of NONE": "return for_all(s.tool[m] is NONE for m in s.machines)",
    "identity as a function": "return not_(exists(operator.is_(s.stage[m], 2) for m in s.machines))",
    "id": "return for_all(id(s.stage[m]) != id(Stage.BROKEN) for m in s.machines)",
    "isinstance": "return for_all(isinstance(s.stage[m], int) == False for m in s.machines)",
    "type": "return for_all(type(s.stage[m]) != int for m in s.machines)",
    "class": "return for_all(s.stage[m].__class__ != int for m in s.machines)",
    "helper": "return for_all(not_(is_broken(s, m)) for m in s.machines)",
    "method": "return for_all(POLICY.allows(s, m) for m in s.machines)",
    "closure": "ok = never(Stage.BROKEN)\nreturn for_all(ok(s, m) for m in s.machines)",
    "lambda": "ok = lambda m: s.stage[m] is not Stage.BROKEN\nreturn for_all(ok(m) for m in s.machines)",
    "partial": "return for_all(map(lambda m: not_(partial(is_broken, s)(m)), s.machines))",
    "try": "return for_all(not_(is_broken_or(s, m)) for m in s.machines)",
    "bare try": "try:\n    bad = bool(s.stage[0] == 2)\nexcept Exception:\n    bad = False\nreturn not bad",
    "hasattr": "return for_all(not_(hasattr(s.stage[m], 'real')) for m in s.machines)",
    "repr": "return for_all(repr(s.stage[m]) != '2' for m in s.machines)",
    "f-string": "return for_all(f'{s.stage[m]!r}' != '2' for m in s.machines)",
    "format": "return for_all('{!r}'.format((s.stage[m],)) != '(2,)' for m in s.machines)",
    "percent": "return for_all('%r' % (s.stage[m],) != '2' for m in s.machines)",
    "str of a list": "return for_all(str([s.stage[m]]) != '[2]' for m in s.machines)",
    "hash": "return for_all(hash(s.stage[m]) != 2 for m in s.machines)",
    "match a class": "match s.stage[0]:\n    case int():\n        return False\nreturn True",
    "match a flag": "match s.stage[0] == 2:\n    case True:\n        return False\nreturn True",
    "match a value": "match s.stage[0]:\n    case 2:\n        return False\n    case _:\n        return True",
    "if": "if s.stage[0] == Stage.BROKEN:\n    return False\nreturn True",
    "conditional": "return False if s.stage[0] == Stage.BROKEN else True",
    "and": "return not_(s.stage[0] == Stage.BROKEN and s.stage[0] > 0)",
    "or": "return s.stage[0] == Stage.IDLE or s.stage[0] == Stage.BUSY",
    "not": "return not s.stage[0] == Stage.BROKEN",
    "chained": "return not_(exists(0 < s.stage[m] - 1 < 3 for m in s.machines))",
    "in a set": "return for_all(not_(s.stage[m] in BAD) for m in s.machines)",
    "in a tuple": "return for_all(s.stage[m] in OK for m in s.machines)",
    "in a range": "return for_all(s.stage[m] in range(2) for m in s.machines)",
    "in a list": "return Stage.BROKEN not in [s.stage[m] for m in s.machines]",
    "all": "return all(s.stage[m] != Stage.BROKEN for m in s.machines)",
    "any": "return not any(s.stage[m] == Stage.BROKEN for m in s.machines)",
    "filter": "return for_all(False for m in s.machines if s.stage[m] == Stage.BROKEN)",
    "max": "return max(s.stage[m] for m in s.machines) < 2",
    "sorted": "return sorted(s.stage[m] for m in s.machines)[-1] < 2",
    "walrus": "return for_all((bad := s.stage[m] == Stage.BROKEN) is not True for m in s.machines)",
    "get": "return for_all({2: False}.get(s.stage[m], True) for m in s.machines)",
    "last of all": "return s.stage[-1] != Stage.BROKEN",
    "last but one": "return for_all(s.heat[-2] < 1 for m in s.machines)",
    "dict": "return for_all({0: True, 1: True, 2: False}[s.stage[m]] for m in s.machines)",
    "tuple by a value": "return for_all((True, True, False)[s.stage[m]] for m in s.machines)",
    "set of values": "return len({s.stage[m] for m in s.machines}) < 3",
    "tuples": "return (s.stage[0], s.stage[1]) != (2, 2)",
    "dataclass": "return Pair(s.stage[0], 0) != Pair(2, 0)",
    "int": "return int(s.stage[0]) < 2",
    "bool": "return not_(bool(s.stage[0] == 2))",
    "power": "return for_all(s.stage[m] ** 2 < 4 for m in s.machines)",
    "division": "return for_all(s.stage[m] // 2 == 0 for m in s.machines)",
    "modulo": "return for_all(s.stage[m] % 3 != 2 for m in s.machines)",
    "bits": "return for_all(s.stage[m] & 2 == 0 for m in s.machines)",
    "abs": "return for_all(abs(s.stage[m]) < 2 for m in s.machines)",
    "default that grows": "return for_all(not_(all_of(grows(s, m), s.stage[m] == 2)) for m in s.machines)",
    "list that grows": "CALLS.append(1)\nreturn any_of(len(CALLS) < 9, s.stage[0] != 2)",
    "dict that changes": "TIMES['read'] += 1\nreturn any_of(TIMES['read'] < 9, s.stage[0] != 2)",
    "object that changes": "return for_all(MEMORY.ask(s, m) for m in s.machines)",
    "global": "global OK\nOK = (0,)\nreturn s.stage[0] != 2",
    "iterator": "return any_of(next(COUNTER) < 9, s.stage[0] != 2)",
    "random": "return any_of(random.random() < 0.5, s.stage[0] != 2)",
    "time": "return any_of(time.time() < 0, s.stage[0] != 2) if time.time() < 0 else True",
    "assert": "assert s.stage[0] != 2\nreturn True",
    "import": "import random\nreturn any_of(random.random() < 2, s.stage[0] != 2)",
    "with": "with random.Random(1):\n    return s.stage[0] != 2\nreturn True",
    "cells": "return s.cells[0] != 2",
    "a tool by number": "return not_(s.on[0])",
    "another tool by number": "return not_(all_of(s.on[1], s.stage[0] == 2))",
    "a tool as a number": "return for_all(s.tool[m] != 1 for m in s.machines)",
    "order of tools": "return for_all(s.tool[m] < 1 for m in s.machines)",
    "order of two tools": "return for_all(any_of(a <= b, not_(s.on[a])) for a in s.tools for b in s.tools)",
    "arithmetic on tools": "return for_all(not_(s.on[a - 1]) for a in s.tools)",
    "range for tools": "return for_all(not_(s.on[a]) for a in range(2))",
    "enumerate tools": "return for_all(not_(s.on[at]) for at, _ in enumerate(s.tools))",
    "literal by tools": "return for_all(any_of((True, False)[a], not_(s.on[a])) for a in s.tools)",
    "set of tools": "return for_all(any_of(a in {0}, not_(s.on[a])) for a in s.tools)",
    "if on a tool": "return for_all(True if a == 0 else not_(s.on[a]) for a in s.tools)",
    "first tool": "first, *_ = s.tools\nreturn not_(all_of(s.on[first], s.stage[0] == 2))",
    "last tool": "return not_(s.on[list(s.tools)[-1]])",
    "next tool": "return not_(s.on[next(iter(s.tools))])",
    "zip of tools": "return for_all(any_of(w == 0, not_(s.on[a])) for a, w in zip(s.tools, (0, 1)))",
    "tools at their places": "return for_all(any_of(at == 1, not_(s.on[a])) for at, a in enumerate(s.tools))",
    "number of the world": "return not_(s.on[s.made])",
}
"""What is refused when the model is read."""

READ: Final = {
    "plain": "return for_all(s.stage[m] != Stage.BROKEN for m in s.machines)",
    "literal by place": "return for_all(any_of(s.stage[m] != 2, s.stage[NEXT[m]] != 2) for m in s.machines)",
    "literal set of places": "return for_all(s.stage[m] != 2 for m in s.machines if m in {0, 2})",
    "literal tuple": "return for_all(s.stage[(1, 2, 0)[m]] != 2 for m in s.machines)",
    "get by place": "return for_all(s.stage[NEXT.get(m, 0)] != 2 for m in s.machines)",
    "a place by number": "return s.stage[1] != 2",
    "order of places": "return for_all(any_of(s.stage[a] != 2, s.stage[b] != 2, a >= b)"
    " for a in s.machines for b in s.machines)",
    "arithmetic on places": "return for_all(s.stage[(m + 1) % 3] != 2 for m in s.machines)",
    "enumerate places": "return for_all(s.stage[at] != 2 for at, _ in enumerate(s.machines))",
    "pairs": "return for_all(any_of(s.stage[a] != 2, s.stage[b] != 2) for a, b in pairwise(s.machines))",
    "combinations": "return for_all(any_of(s.stage[a] != 2, s.stage[b] != 2)"
    " for a, b in combinations(s.machines, 2))",
    "sum": "return sum(as_number(s.stage[m] == 2) for m in s.machines) == 0",
    "reduce": "return reduce(all_of, [s.stage[m] != 2 for m in s.machines])",
    "list": "return all_of(*[s.stage[m] != 2 for m in s.machines])",
    "nested": "def ok(m):\n    return s.stage[m] != 2\nreturn for_all(ok(m) for m in s.machines)",
    "is None": "def ok(m, other=None):\n    return s.stage[m if other is None else other] != 2\n"
    "return for_all(ok(m) for m in s.machines)",
    "loop": "found = True\nfor m in s.machines:\n    found = all_of(found, s.stage[m] != 2)\nreturn found",
}
"""What is read, and found to be false."""

STEPS_REFUSED: Final = {
    "identity": "return not_(all_of(by.is_(fail), n.stage[by['machine']] is Stage.BROKEN))",
    "argument by number": "return not_(all_of(by.is_(switch), by['tool'] == 0)) if by.is_(switch) else True",
    "tool by number": "return any_of(s.on[0], not_(n.on[0]))",
    "tool in a set": "return by['tool'] in {1} if by.is_(switch) else True",
    "rule by identity": "return True if by.rule is not fail else False",
}
STEPS_READ: Final = {
    "rule": "return not by.is_(fail)",
    "argument": "return n.stage[by['machine']] != Stage.BROKEN if by.is_(fail) else True",
    "tool": "return not_(n.on[by['tool']]) if by.is_(switch) else True",
    "place": "return by['machine'] != 1 if by.is_(fail) else True",
}

REDUCTIONS: Final = ("none", "symmetry+partial-order")
"""Neither, and both; each by itself is tried by the deep tests."""


def _refuses(make: Callable[[], BoundedModel]) -> str:
    with pytest.raises(ModelError) as caught:
        make()
    return str(caught.value)


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in REFUSED.items()])
def test_a_claim_that_cannot_be_read_is_refused_by_file_and_line(body: str) -> None:
    said = _refuses(lambda: model_about(claim_always(body)).at())

    assert "Property claim (plant.py:" in said


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in STEPS_REFUSED.items()])
def test_a_claim_about_steps_that_cannot_be_read_is_refused(body: str) -> None:
    said = _refuses(lambda: model_about(claim_of_steps(body)).at())

    assert "Property claim (plant.py:" in said


def _explore(bounded: BoundedModel, reduction: str) -> Verdict:
    return explore(bounded, reduction=reduction).verdict


def _find_verdicts(bounded: BoundedModel, reductions: Sequence[str]) -> dict[str, Verdict | None]:
    """Ask every engine; None where one refuses the text."""
    asks: dict[str, Callable[[], Verdict]] = {
        f"explore {reduction}": partial(_explore, bounded, reduction) for reduction in reductions
    }
    asks |= {
        "simulate": lambda: simulate(bounded, seed=1).verdict,
        "prove": lambda: prove(bounded).verdict,
    }
    found: dict[str, Verdict | None] = {}
    for name, ask in asks.items():
        try:
            found[name] = ask()
        except ModelError:
            found[name] = None
    return found


def test_all_claims_that_are_read_are_found_false() -> None:
    """One model makes them all; that each is found false where it stands alone is tried by the deep tests."""
    claims = [(claim_always, body) for body in READ.values()]
    claims += [(claim_of_steps, body) for body in STEPS_READ.values()]
    made = [make(body, f"plant{at}.py", f"claim_{at}") for at, (make, body) in enumerate(claims)]
    bounded, wanted = model_about(*made).at(), {claim.name for claim in made}

    for reduction in REDUCTIONS:
        searched = explore(bounded, reduction=reduction, stop_at_first=False, max_states=2_000)
        assert wanted == {finding.property for finding in searched.findings}
    walked = simulate(bounded, seed=1, walks=100, stop_at_first=False)
    assert wanted == {finding.property for finding in walked.findings}
    proved = prove(bounded).proofs
    results = {proof.property: proof.result for proof in proved if proof.property in wanted}
    assert wanted == results.keys()
    assert not {ProofResult.PROVED_UNBOUNDED, ProofResult.PROVED_BOUNDED} & {*results.values()}


@pytest.mark.deep
@pytest.mark.parametrize(
    "reductions",
    [
        pytest.param(REDUCTIONS, id="neither and both"),
        pytest.param(("none", "symmetry", "partial-order"), id="each"),
    ],
)
@pytest.mark.parametrize(
    ("make", "body"),
    [
        *[pytest.param(claim_always, body, id=name) for name, body in READ.items()],
        *[pytest.param(claim_of_steps, body, id=f"step: {name}") for name, body in STEPS_READ.items()],
    ],
)
def test_a_claim_that_is_read_is_found_false(
    make: Callable[[str], Property], body: str, reductions: Sequence[str]
) -> None:
    found = _find_verdicts(model_about(make(body)).at(), reductions)

    assert found["explore none"] is Verdict.VIOLATED
    assert found["simulate"] is Verdict.VIOLATED
    assert {Verdict.HOLDS} & set(found.values()) == set(), found
