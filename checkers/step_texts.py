"""Steps as people write them: ``Dequeue(worker1, job2)``, or ``Dequeue(worker=worker1, job=job2)``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import DisabledError, ModelError, UnknownNameError, UsageError
from nomadspec.model.language.bounded import find_start
from nomadspec.model.language.trace import Instance

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.model.language.arguments import Argument, ArgumentDomain
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.rule import Rule

_CALL: Final = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_NAMED: Final = re.compile(r"(\w+)\s*=\s*(.*)", re.DOTALL)
_FLAGS: Final = {"true": True, "false": False}


def read_step(bounded: BoundedModel, text: str) -> Instance:
    """Read a step; one that never happens in the scope has the number -1."""
    found = _CALL.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{text!r} is no step: write a rule and its arguments, Dequeue(worker1, job2) for example."
        )
    rule = bounded.model.find_rule(found[1])
    arguments = _read_arguments(rule, rule.domains(bounded.frame), found[2] or "", text)
    return bounded.find_instance(rule, arguments) or Instance(-1, rule, arguments)


def walk_steps(bounded: BoundedModel, texts: Iterable[str], start: str | None = None) -> Cells:
    """Take steps from an initial world and give the world after them; one that cannot happen is refused."""
    first = None if start is None else read_step(bounded, start)
    labels = {} if first is None else bounded.label_arguments(first)
    cells = find_start(bounded, None if first is None else first.rule.name, labels)
    for number, text in enumerate(texts, 1):
        instance = read_step(bounded, text)
        try:
            after = bounded.step(cells, instance)
        except ModelError as error:
            raise DisabledError(f"Step {number}, {text}, fails: {error}") from error
        if after is None:
            raise DisabledError(f"Step {number}, {text}, is not possible in the world before it.")
        cells = after
    return cells


def _read_arguments(
    rule: Rule, domains: tuple[ArgumentDomain, ...], content: str, text: str
) -> tuple[Argument, ...]:
    given = [part.strip() for part in content.split(",")] if content.strip() else []
    named = [_NAMED.fullmatch(part) for part in given]
    if len(given) != len(domains):
        wanted = ", ".join(domain.name for domain in domains) or "no arguments"
        raise UsageError(f"{text!r} gives {len(given)} arguments, but {rule.name} takes {wanted}.")
    by_name = {match[1]: match[2] for match in named if match is not None}
    if by_name and by_name.keys() != {domain.name for domain in domains}:
        wanted = ", ".join(domain.name for domain in domains)
        raise UsageError(
            f"{text!r} names {', '.join(by_name)}: {rule.name} takes {wanted}; name all or none."
        )
    ordered = [by_name[domain.name] for domain in domains] if by_name else given
    return tuple(_read_argument(domain, part) for domain, part in zip(domains, ordered, strict=True))


def _read_argument(domain: ArgumentDomain, part: str) -> Argument:
    if domain.places is None:
        return domain.interval.parse(_read_label(domain, part))
    choices = dict.fromkeys(domain.places, "")
    for choice in part.split():
        place, _, label = choice.partition(":")
        if place not in choices:
            raise UnknownNameError(f"place of {domain.name}", place, domain.places)
        choices[place] = label
    return domain.parse({place: _read_label(domain, label) for place, label in choices.items()})


def _read_label(domain: ArgumentDomain, part: str) -> str | int | bool:
    """Read a label as the domain writes it: a flag, a number, or a name."""
    known = domain.interval.label(next(iter(domain.interval.values()), 0))
    if isinstance(known, bool):
        return _FLAGS.get(part.lower(), part)
    is_number = isinstance(known, int) and re.fullmatch(r"-?[0-9]+", part) is not None
    return int(part) if is_number else part
