"""What is proved for any number of objects, and whether rules with another text still keep all of it.

The proofs of a whole model take minutes. Those of a few rules are a few rows of them.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt.induction import find_inductive
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_strays import expect_no_strays
from nomadspec.checkers.smt.open_world import OpenWorld, expect_members
from nomadspec.checkers.smt.question import Answer, Patience
from nomadspec.model.errors import ModelError
from nomadspec.model.language.property import Kind

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel

_QUESTION_SECONDS: Final = 2.0


def find_proved(bounded: BoundedModel) -> frozenset[str]:
    """Name what is proved of a model for any number of objects: domains, orders, properties."""
    goals = [prop.name for prop in bounded.model.list_properties(Kind.STEP)]
    try:
        return frozenset(find_inductive(_read(bounded), goals, Silence()).proved)
    except (ModelError, z3.Z3Exception):  # it cannot be read so, and nothing is proved
        return frozenset()


def do_keep(bounded: BoundedModel, rules: Collection[str], proved: Collection[str]) -> bool:
    """True if rules, with the texts that are in force, are known to keep everything that is proved."""
    try:
        induction = _read(bounded, rules)
        assumed = tuple(name for name in induction.candidates if name in proved)
        has_starts = any(start.name in rules for start in bounded.model.starts)
        first = (induction.ask_initial(name) for name in (assumed if has_starts else ()))
        steps = (number for number, rule in enumerate(induction.steps) if rule in rules)
        rows = (induction.ask_step(step, goal, assumed) for step in steps for goal in proved)
        return all(reply.answer is Answer.KEPT for reply in chain(first, rows))
    except (ModelError, z3.Z3Exception):
        return False


def _read(bounded: BoundedModel, changed: Collection[str] | None = None) -> OpenInduction:
    expect_members(bounded)
    world = OpenWorld(bounded, z3.Context())
    expect_no_strays(bounded, world.background, z3.Context(), changed)
    return OpenInduction(world, Patience(None, _QUESTION_SECONDS))
