"""Rules as somebody writes them who knows Python: each is refused, or found at fault by every engine."""

from functools import partial
from typing import Final

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.simulate.simulator import simulate
from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.errors import ModelError
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import COUNTERS_FIT_THE_SCOPE, DOMAINS_ARE_KEPT
from nomadspec.model.language.rule import Rule, rule
from tests.checkers.naive_texts import RULES, Plant, claim_always, rests, write_claim

pytestmark = pytest.mark.usefixtures("whole_second_look")

REFUSED: Final = {
    "guard by identity": "t.require(s.stage[m] is Stage.BUSY)\nt.stage[m] = Stage.BROKEN",
    "guard by no identity": "t.require(s.tool[m] is not NONE)\nt.tool[m] = NONE",
    "guard by membership": "t.require(s.stage[m] in {Stage.IDLE, Stage.BUSY})\nt.stage[m] = Stage.BROKEN",
    "guard by type": "t.require(isinstance(s.heat[m], int))\nt.heat[m] = 0",
    "if for a guard": "if s.stage[m] == Stage.BUSY:\n    t.stage[m] = Stage.BROKEN",
    "and for a guard": "t.require(s.stage[m] == Stage.BUSY and s.heat[m] > 1)\nt.stage[m] = Stage.BROKEN",
    "assert for a guard": "assert s.stage[m] == Stage.BUSY\nt.stage[m] = Stage.BROKEN",
    "return for a guard": "t.stage[m] = Stage.BROKEN\nreturn s.stage[m] == Stage.BUSY",
    "random guard": "t.require(random.random() < 2)\nt.stage[m] = Stage.BROKEN",
    "guard that counts calls": "TIMES['read'] += 1\nt.require(TIMES['read'] < 4)\nt.stage[m] = Stage.BROKEN",
    "guard of one tool": "t.require(s.on[0])\nt.stage[m] = Stage.BROKEN",
    "guard against one tool": "t.require(tool != 1)\nt.tool[m] = tool",
    "guard by order of tools": "t.require(tool > 0)\nt.tool[m] = tool",
    "guard of the first tool": "t.require(s.on[next(iter(s.tools))])\nt.stage[m] = Stage.BROKEN",
    "guard of the last machine": "t.require(s.stage[-1] == Stage.IDLE)\nt.stage[m] = Stage.BUSY",
    "effect by a table": "t.stage[m] = {0: 1, 1: 2, 2: 0}[s.stage[m]]",
    "effect by a default": "t.stage[m] = {0: 1, 1: 2}.get(s.stage[m], 0)",
    "effect by a list": "t.stage[m] = [1, 2, 0][s.stage[m]]",
    "effect by a branch": "t.stage[m] = Stage.IDLE if s.stage[m] == Stage.BROKEN else Stage.BROKEN",
    "effect by a maximum": "t.heat[m] = max(s.heat[m], 1)",
    "effect by a modulo": "t.heat[m] = (s.heat[m] + 1) % 4",
    "effect on one tool": "t.on[0] = False",
    "effect on the last machine": "t.stage[-1] = Stage.BROKEN",
    "effect with a tool's number": "t.heat[m] = tool",
    "effect with the number of a tool that is held": "t.heat[m] = s.tool[m]",
    "effect with a tool's number or not": "t.heat[m] = ite(s.on[tool], tool, 0)",
    "effect with one tool": "t.tool[m] = 0",
    "effect by the place of a tool": "for at, each in enumerate(s.tools):\n"
    "    t.when(each == tool).heat[m] = at",
    "effect on whoever comes first": "is_done = False\nfor each in s.tools:\n"
    "    t.when(all_of(not_(is_done), s.on[each])).on[each] = False\n"
    "    is_done = any_of(is_done, s.on[each])",
    "effect on what is read": "s.stage[m] = Stage.BROKEN",
    "effect by what was written": "t.stage[m] = Stage.BROKEN\nt.heat[m] = t.stage[m]",
    "effect on a name that is not there": "t.stages[m] = Stage.BROKEN",
    "effect on a copy": "copy = list(s.machines)\nCALLS.append(copy)\nt.stage[m] = Stage.BROKEN",
    "effect of a wrong kind": "t.stage[m] = s.stage[m] == Stage.BROKEN",
}
"""What is refused when the model is read."""

RARE: Final = "t.require(s.stage[m] == Stage.BROKEN, s.heat[m] == 1, s.on[tool])\n"
FAILING: Final = {
    "one more than there is": (RARE + "t.stage[m] = s.stage[m] + 1", DOMAINS_ARE_KEPT),
    "one less than nothing": (RARE + "t.heat[m] = s.heat[m] - 2", DOMAINS_ARE_KEPT),
    "only in a branch": (RARE + "t.when(s.made == 1).heat[m] = s.heat[m] + 3", DOMAINS_ARE_KEPT),
    "further than the scope": (RARE + "t.made = s.made + 3", COUNTERS_FIT_THE_SCOPE),
    "both at once": (RARE + "t.made = s.made + 3\nt.heat[m] = 9", DOMAINS_ARE_KEPT),
}
"""What is read, and breaks a promise after five steps: a machine works, ends, works, breaks; a tool is on."""

LIKE_OTHERS: Final = {"one less than nothing", "both at once"}
"""What only the deep tests ask: numbers leave domains at their other end too, and one slip hides no other."""


def write_rule(body: str) -> Rule:
    """Make a rule of a text, as the file ``plant.py`` would define it."""
    text = write_claim(f'"""Somebody slips."""\n{body}', "slip(s, t, m, tool)")
    return rule("P-9", m=Plant.machines, tool=Plant.tools)(text)


def with_rule(body: str) -> Model:
    """Make the model of the plant with one more rule."""
    asked = claim_always("return for_all(s.heat[m] <= 3 for m in s.machines)", file="claims.py")
    return Model("plant", "machines", Plant, (*RULES, write_rule(body)), (asked,), is_at_rest=rests)


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in REFUSED.items()])
def test_a_rule_that_cannot_be_read_is_refused_by_file_and_line(body: str) -> None:
    with pytest.raises(ModelError, match=r"Rule Slip \(plant\.py:\d+\)"):
        with_rule(body).at(sizes={"many": 2})


@pytest.mark.parametrize(
    ("body", "promise"),
    [
        pytest.param(*case, id=name, marks=pytest.mark.deep if name in LIKE_OTHERS else [])
        for name, case in FAILING.items()
    ],
)
def test_a_rule_that_breaks_a_promise_where_nobody_looks_has_a_story_in_every_engine(
    body: str, promise: str
) -> None:
    bounded = with_rule(body).at(sizes={"many": 1})
    asks = [partial(explore, bounded, reduction=reduction) for reduction in ("none", "symmetry")]
    asks += [partial(explore, bounded, workers=2), partial(explore, bounded, engine="compiled")]
    for ask in asks:
        (finding,) = ask().findings
        assert (promise, 6) == (finding.property, len(finding.story.steps) if finding.story else 0)
    (sampled,) = simulate(bounded, seed=1).findings
    report = prove(bounded, properties=[promise])
    proved = {proof.property: proof.result for proof in report.proofs}

    assert promise == sampled.property
    assert ProofResult.COUNTEREXAMPLE is proved[promise]


def test_a_rule_that_is_right_holds() -> None:
    bounded = with_rule(RARE + "t.heat[m] = s.heat[m] - 1").at(sizes={"many": 1})

    assert Verdict.HOLDS is explore(bounded).verdict
    assert Verdict.HOLDS is prove(bounded).verdict
