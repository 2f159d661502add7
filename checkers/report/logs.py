"""Logs of somebody's own system: one JSON object a line, read against a bounded model.

    {"schema": "nomadspec/log/1", "events": {"placed": "Place"}, "names": {"web-1": "alloc1"}}
    {"event": "placed", "arguments": {"alloc": "web-1"}, "after": {"place[web-1]": "node2"}}
    {"rule": "Drain", "arguments": {"node": "node2"}, "before": {"draining": {"node2": false}}}

The first line may be a head: what events are, what ids are called, which rules may happen unseen. All that
does not fit the model is an InputError that names the line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from nomadspec.checkers.follow.log import Entry, Log
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.oracle.reading import read_bytes
from nomadspec.checkers.oracle.strict_json import parse_json
from nomadspec.checkers.report.json_fields import Node
from nomadspec.model.errors import InputError, UnknownNameError, UnreadableError, UsageError, suggest
from nomadspec.model.language.arguments import ArgumentDomain
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.world import Field

SCHEMA: Final = "nomadspec/log/1"

_HEAD: Final = ("schema", "events", "names", "unseen", "first", "ignore")
_LINE: Final = ("rule", "event", "arguments", "before", "after")
_INSIDE: Final = r"\[(.*)\]"
_MOST_SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a system writes its log: its events, its names for ids and values, and what may happen unseen."""

    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()
    names: Mapping[str, str | int | bool] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()


def read_log(
    path: Path,
    bounded: BoundedModel,
    *,
    events: Mapping[str, Sequence[str]] | None = None,
    unseen: Iterable[str] = (),
    limits: Limits = LIMITS,
) -> Log:
    """Read a log; events and unseen rules that are given here come on top of those of its head."""
    if bounded.failing_starts:
        failing = " and ".join(sorted({name for name, _ in bounded.failing_starts}))
        raise UsageError(
            f"The start rule {failing} of {bounded.model.name} fails, so that no log can be followed: "
            "`nomadspec explore` tells how."
        )
    lines = list(_read_lines(path, limits))
    given = Dialect({name: tuple(rules) for name, rules in (events or {}).items()}, tuple(unseen))
    for rule in (*given.unseen, *(rule for rules in given.events.values() for rule in rules)):
        bounded.model.find_rule(rule)
    head = lines[0][1] if lines and lines[0][1].with_fields().optional("schema") is not None else None
    reader = _Reader(bounded, given if head is None else _join(_read_head(head, bounded), given))
    first = None if head is None else head.optional("first")
    entries = tuple(reader.read(node, text) for text, node in (lines if head is None else lines[1:]))
    if not entries:
        raise InputError(str(path), "the log has no line, so that there is nothing to follow")
    return Log(
        str(path), entries, reader.read_fields(first) if first else {}, reader.dialect.unseen, lines[0][0]
    )


def _read_lines(path: Path, limits: Limits) -> Iterator[tuple[str, Node]]:
    for number, line in enumerate(read_bytes(path, limits), 1):
        if isinstance(line, InputError):
            raise line
        if line.strip():
            yield _read_line(str(path), number, line, limits)


def _read_line(file: str, number: int, line: bytes, limits: Limits) -> tuple[str, Node]:
    at = f"line {number}"
    try:
        text = line.decode().strip()
    except UnicodeDecodeError as problem:
        raise UnreadableError(file, "this is not UTF-8 text", at=f"{at}, byte {problem.start}") from problem
    value = parse_json(text, file, at, limits, root="$")
    shown = json.dumps(value)
    return shown if len(shown) <= _MOST_SHOWN else f"{shown[:_MOST_SHOWN]}...", Node(file, f"{at}, $", value)


def _read_head(head: Node, bounded: BoundedModel) -> Dialect:
    schema = head.field("schema")
    if schema.value != SCHEMA:
        raise schema.error(f"the schema {SCHEMA!r}")
    head.with_fields(*_HEAD)
    events, names, unseen = head.optional("events"), head.optional("names"), head.optional("unseen")
    ignored = head.optional("ignore")
    return Dialect(
        {name: _read_rules(node, bounded) for name, node in events.fields()} if events else {},
        tuple(_find_rule(node, bounded).name for node in unseen.items()) if unseen else (),
        {name: node.scalar() for name, node in names.fields()} if names else {},
        frozenset(node.text() for node in ignored.items()) if ignored else frozenset(),
    )


def _read_rules(node: Node, bounded: BoundedModel) -> tuple[str, ...]:
    items = [node] if isinstance(node.value, str) else node.items()
    return tuple(_find_rule(item, bounded).name for item in items)


def _find_rule(node: Node, bounded: BoundedModel) -> Rule:
    named = {rule.name: rule for rule in bounded.model.rules}
    name = node.text()
    if name not in named:
        raise _unknown(node, "rule", name, named)
    return named[name]


def _join(head: Dialect, given: Dialect) -> Dialect:
    unseen = tuple(dict.fromkeys((*head.unseen, *given.unseen)))
    return Dialect({**head.events, **given.events}, unseen, head.names, head.ignored)


def _unknown(node: Node, kind: str, name: str, known: Iterable[str]) -> InputError:
    return InputError(
        node.file, f"there is no {kind} named {name!r}", at=node.path, hint=suggest(name, known)
    )


def _list_forms(declared: Field) -> list[re.Pattern[str]]:
    """List how people write what a field holds: as stories do, and with all members at the end.

    The members at the end may be left out, and what is in a bracket may have brackets of its own.
    """
    *before, (last, _) = declared.steps or ((declared.name, 0),)
    parts = [f"{re.escape(name)}{_INSIDE if count else ''}" for name, count in before]
    ways = [".".join((*parts, re.escape(last))), re.escape(declared.name)]
    return [re.compile(f"{way}(?:{_INSIDE})?") for way in dict.fromkeys(ways)]


class _Reader:
    """Reads the lines of one log."""

    def __init__(self, bounded: BoundedModel, dialect: Dialect) -> None:
        self._bounded = bounded
        self.dialect = dialect
        self._cells = {name: cell for cell, name in enumerate(bounded.frame.cell_names)}
        self._fields = {place.field.name: place for place in bounded.frame.placed.values()}
        self._forms = {name: _list_forms(place.field) for name, place in self._fields.items()}
        self._places: dict[str, tuple[str, list[str]]] = {}
        """The field and the members of each name that was read: most lines name what others have named."""
        self._queues = {queue.name for queue in bounded.frame.schema.queues}
        self._positions: dict[tuple[tuple[str, ...], str], frozenset[int]] = {}
        """The instances that lines with these rules and arguments may be: most logs say the same again."""
        self._domains = {rule.name: rule.domains(bounded.frame) for rule in bounded.model.rules}

    def read(self, node: Node, text: str) -> Entry:
        """Read a line."""
        node.with_fields(*_LINE, *self.dialect.ignored)
        rules = self._read_rules(node)
        before, after = node.optional("before"), node.optional("after")
        return Entry(
            line=int(node.path.removeprefix("line ").partition(",")[0]),
            text=text,
            rules=rules,
            positions=self._find_positions(rules, node),
            before=self.read_fields(before) if before else {},
            after=self.read_fields(after) if after else {},
        )

    def read_fields(self, node: Node) -> dict[int, int]:
        """Read what was seen: cells by their names, or tables as objects, or queues as lists."""
        found: dict[int, int] = {}
        for name, value in node.fields():
            for cell, number in self._read_field(node, name, value):
                if found.setdefault(cell, number) != number:
                    shown = self._bounded.frame.cell_names[cell]
                    raise InputError(node.file, f"{shown} is said to have two values", at=node.path)
        return found

    def _read_rules(self, node: Node) -> tuple[str, ...]:
        rule, event = node.optional("rule"), node.optional("event")
        if (rule is None) == (event is None):
            raise InputError(
                node.file,
                "a line says either which rule happened or which event",
                at=node.path,
                hint='write {"rule": "NAME", ...} or {"event": "NAME", ...}',
            )
        if rule is not None:
            return (_find_rule(rule, self._bounded).name,)
        name = event.text() if event is not None else ""
        if event is not None and name not in self.dialect.events:
            raise _unknown(event, "event", name, self.dialect.events)
        return self.dialect.events[name]

    def _find_positions(self, rules: tuple[str, ...], node: Node) -> frozenset[int]:
        """Find the instances of the rules that have the arguments which were recorded."""
        given = node.optional("arguments")
        key = rules, json.dumps(None if given is None else given.value)
        if key not in self._positions:
            self._positions[key] = self._match(rules, {} if given is None else dict(given.fields()))
        return self._positions[key]

    def _match(self, rules: tuple[str, ...], values: Mapping[str, Node]) -> frozenset[int]:
        for name, value in values.items():
            known = {domain.name for rule in rules for domain in self._domains[rule]}
            if name not in known:
                raise _unknown(value, "argument", name, sorted(known))
        wanted = {
            rule: {
                at: self._parse(domain, values[domain.name])
                for at, domain in enumerate(self._domains[rule])
                if domain.name in values
            }
            for rule in rules
        }
        return frozenset(
            one.number
            for one in self._bounded.instances
            if one.rule.name in wanted
            and all(one.arguments[at] == value for at, value in wanted[one.rule.name].items())
        )

    def _parse(self, domain: ArgumentDomain, node: Node) -> int | tuple[int, ...]:
        value: object
        if isinstance(node.value, dict):
            value = {self._name(place): self._translate(item) for place, item in node.fields()}
        else:
            value = self._translate(node)
        try:
            return domain.parse(value)
        except UnknownNameError as unknown:
            raise _unknown(node, "value", unknown.name, unknown.known) from unknown
        except UsageError as problem:
            raise InputError(node.file, str(problem), at=node.path) from problem

    def _read_field(self, parent: Node, name: str, value: Node) -> Iterator[tuple[int, int]]:
        if name not in self._places:
            self._places[name] = self._find_place(name)
        base, members = self._places[name]
        if base not in self._fields:
            raise _unknown(parent, "field", base, self._fields)
        if isinstance(value.value, list) and base in self._queues and not members:
            yield from self._read_queue(base, value)
            return
        yield from self._read_cells(base, members, value)

    def _find_place(self, name: str) -> tuple[str, list[str]]:
        """Find the field that a name means, and which of its members: ``seen[web].status`` has one within."""
        for base, forms in self._forms.items():
            match = next(filter(None, (form.fullmatch(name) for form in forms)), None)
            if match is not None:
                given = [
                    member for group in match.groups() if group is not None for member in group.split(",")
                ]
                return base, [self._name(member.strip()) for member in given]
        return name.partition("[")[0], []

    def _read_cells(self, base: str, members: list[str], value: Node) -> Iterator[tuple[int, int]]:
        declared, depth = self._fields[base].field, len(self._fields[base].shape)
        if isinstance(value.value, dict) and len(members) < depth:
            for member, inside in value.fields():
                yield from self._read_cells(base, [*members, self._name(member)], inside)
            return
        is_whole = len(members) == depth
        name = (
            declared.name_cell(members) if is_whole else f"{base}[{', '.join(members)}]" if members else base
        )
        if not is_whole or name not in self._cells:
            own = [cell for cell in self._cells if self._find_place(cell)[0] == base]
            raise _unknown(value, "field", name, own)
        yield self._read_cell(name, value)

    def _read_cell(self, name: str, value: Node) -> tuple[int, int]:
        cell = self._cells[name]
        told = self._translate(value)
        try:
            return cell, self._bounded.frame.intervals[cell].parse(told)
        except UnknownNameError as unknown:
            raise _unknown(value, f"value of {name}", str(told), unknown.known) from unknown

    def _read_queue(self, base: str, value: Node) -> Iterator[tuple[int, int]]:
        """Read a queue from its head to its end."""
        own = [cell for cell in self._cells if cell.startswith(f"{base}[")]
        names = [str(self._translate(item)) for item in value.items()]
        ranks = {f"{base}[{name}]": rank for rank, name in enumerate(names, 1)}
        for cell in ranks:
            if cell not in own:
                raise _unknown(value, "field", cell, own)
        if len(ranks) != len(names):
            raise InputError(value.file, "an id stands in the queue twice", at=value.path)
        yield from ((self._cells[cell], ranks.get(cell, 0)) for cell in own)

    def _translate(self, node: Node) -> str | int | bool:
        value = node.scalar()
        return self.dialect.names.get(value, value) if isinstance(value, str) else value

    def _name(self, member: str) -> str:
        return str(self.dialect.names.get(member, member))
