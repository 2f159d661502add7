"""In which sizes mutants are asked about: so that every rule can happen, every event, and every mode."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, count, product
from math import comb
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.mutants.mutant import PROOFS
from nomadspec.model.language.frame import FiniteFrame
from nomadspec.model.language.trace import Instance, trace_cells, trace_instance
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.model.language.model import Model
    from nomadspec.model.language.rule import Rule

Sizes: TypeAlias = dict[str, int]
"""How large everything is in a scope."""


@dataclass(frozen=True, slots=True)
class Setting:
    """In which sizes something is asked, and under which profile."""

    sizes: Sizes
    profile: Profile


def list_stages(model: Model) -> dict[str, Setting]:
    """List the stages by their titles: with modes that are off by default left off, and with all of them.

    Events may happen as often as in any scope of the model, and there is one more of what is made one by one.
    Lists that are empty by default have members in two stages; there and at other lengths nodes are as roomy
    and limits as high as in any scope. Other lengths are those of the longest lists. Where a mode has objects
    of its own there is one of them, and as many as in any scope at other lengths.
    Where a mode keeps rules from happening there is a stage without it. For any two modes or empty lists
    there is a stage with one of them and without the other. In one stage everything is as by default; where
    only quirks let rules happen there is one with those of the described release.
    """
    schema = model.world.schema
    default = {size.name: size.default for size in schema.sizes}
    most = {name: max([value, *_list_chosen(model, name)]) for name, value in default.items()}
    counted = {part.name for one in schema.fields if one.is_budget for part in one.domain.list_parts()}
    fixed = {ids.size.name for ids in schema.sets if not ids.is_symmetric} - counted
    usual = default | {name: most[name] for name in counted}
    usual |= {name: min(most[name], default[name] + 1) for name in counted if default[name]}
    modes = {name: most[name] for name in default if name not in fixed | counted and not default[name]}
    made_of = {ids.size.name for ids in schema.sets}
    modes |= {name: 1 for name, value in modes.items() if value and name in made_of}
    levels = [name for name in default if default[name] and name not in made_of | counted]
    lengths = {name: most[name] for name in [*fixed, *levels]}
    longest = lengths | {name: most[name] for name in modes}
    without = dict.fromkeys(_list_excluding(model, usual | modes | lengths, modes), 0)
    empty = [name for name in fixed if not default[name]]
    added = {name: most[name] for name in [*empty, *levels]} if empty else {}
    stages = {
        PROOFS: usual,
        f"{PROOFS} in every mode": usual | modes,
        f"{PROOFS} with lists that are empty by default": usual | added,
        f"{PROOFS} in every mode with such lists": usual | modes | added,
        f"{PROOFS} at other lengths": usual | lengths,
        f"{PROOFS} in modes that go together": usual | modes | lengths | without,
        f"{PROOFS} in every mode at other lengths": usual | modes | longest,
        f"{PROOFS} as by default": default,
    }
    values = {name: some for name in [*modes, *empty] if (some := _list_values(model, name))}
    for number, chosen in enumerate(mix(values), 1):
        room = {name: most[name] for name in levels} if number % 2 else {}
        stages[f"{PROOFS} in mixed modes {number}"] = usual | room | chosen
    settings = {title: Setting(sizes, INTENDED) for title, sizes in stages.items()}
    intended = list_possible(model, model.rules, Setting(usual | modes, INTENDED))
    rest = [rule for rule in model.rules if rule not in intended]
    if list_possible(model, rest, Setting(usual | modes, NOMAD_2_0)):
        settings[f"{PROOFS} of {NOMAD_2_0.name}"] = Setting(usual | modes, NOMAD_2_0)
    titles = {repr(setting): title for title, setting in reversed(settings.items())}
    return {title: setting for title, setting in settings.items() if titles[repr(setting)] == title}


def mix(values: dict[str, list[int]]) -> list[Sizes]:
    """Choose values in several ways, so that for any two names one has a value while the other has none.

    Each has values in half of the ways, and no two in the same half; the highest value comes first.
    """
    if len(values) <= 1:
        return []
    ways = next(number for number in count(1) if comb(number, number // 2) >= len(values))
    mixed: list[Sizes] = [{} for _ in range(ways)]
    for (name, some), half in zip(values.items(), combinations(range(ways), ways // 2), strict=False):
        for turn, way in enumerate(half):
            mixed[way][name] = some[-1 - turn % len(some)]
    return mixed


def _list_values(model: Model, name: str) -> list[int]:
    """List what a size is in the scopes that make use of it, in rising order."""
    return sorted({value for value in _list_chosen(model, name) if value})


def _list_chosen(model: Model, name: str) -> list[int]:
    return [scope.sizes[name] for scope in model.scopes if name in scope.sizes]


def _list_excluding(model: Model, sizes: Sizes, modes: Iterable[str]) -> list[str]:
    """List the modes that keep some rule from happening which can happen without them."""
    possible = list_possible(model, model.rules, Setting(sizes, INTENDED))
    missing = [rule for rule in model.rules if rule not in possible]
    return [mode for mode in modes if list_possible(model, missing, Setting(sizes | {mode: 0}, INTENDED))]


def list_possible(model: Model, rules: Iterable[Rule], setting: Setting) -> list[Rule]:
    """List those of some rules that can ever happen in a setting."""
    frame = FiniteFrame(model.world.schema, setting.sizes, setting.profile)
    cells = trace_cells(frame)
    return [
        rule
        for rule in rules
        if any(
            trace_instance(Instance(0, rule, arguments), model.world, frame, cells) is not None
            for arguments in product(*[list(domain.values()) for domain in rule.domains(frame)])
        )
    ]
