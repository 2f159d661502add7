"""A model bounded by a scope and a profile: what engines run, and the interpreter that is the truth.

The interpreter runs the rules' own text on plain values. Faster engines work from what tracing made of the
same text (``traced``) and are tested against ``step``; every story is replayed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.model.errors import (
    CounterError,
    DomainError,
    ModelError,
    QueueError,
    StyleError,
    UnknownNameError,
    UsageError,
)
from nomadspec.model.language.answer_property import Duties, ask_elsewhere, ask_nothing
from nomadspec.model.language.comparison_checks import checking
from nomadspec.model.language.frame import NO_RANK, FiniteFrame
from nomadspec.model.language.logic import Value, binding
from nomadspec.model.language.names import NameCheck
from nomadspec.model.language.pairs import PairTexts, expect_flag
from nomadspec.model.language.property import By, Kind, Property
from nomadspec.model.language.reading import remember_state
from nomadspec.model.language.sets import Ids
from nomadspec.model.language.stray_indexes import Strays, marking_strays, noting_strays
from nomadspec.model.language.texts import Unread
from nomadspec.model.language.trace import (
    Instance,
    Run,
    TracedInstance,
    blaming,
    has_no_answer,
    read_run,
    run_rule,
    trace_cells,
)
from nomadspec.model.language.witness import Watcher
from nomadspec.model.language.world import Disabled, World

if TYPE_CHECKING:
    from nomadspec.model.language.arguments import Argument
    from nomadspec.model.language.declared_model import DeclaredModel
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.specification.profiles import Profile

Cells: TypeAlias = tuple[int, ...]
"""A world as plain values, one for each cell, in the order of the declarations."""

Witnesses: TypeAlias = tuple[tuple[str, ...], ...]
"""The bindings of a property's quantifiers that made it false (or a ``sometimes`` true)."""

MOST_INSTANCES: Final = 100_000
"""A rule that can happen in more ways would be traced for hours."""

_START: Final = -1
"""The number of what makes an initial world."""

_MOST_NEVER: Final = 64
"""So many ways of a rule that can never happen are looked at, since its text may say why."""


class BoundedModel:
    """A model in a scope under a profile.

    ``initial`` are its first worlds, ``starts`` the start rules that make them; ``instances`` are the rules
    with their arguments, those that can never happen left out, and ``traced`` what each of them requires and
    writes in terms of the cells, ``cell_terms``. ``pairs`` knows what ``step`` properties say of each.

    Where a start rule fails there is no initial world. Then the declared first values stand for it, the
    starts that fail are all that can happen, and properties are asked of nothing: see ``failing_starts``.
    """

    def __init__(self, model: DeclaredModel, scope: str, sizes: Mapping[str, int], profile: Profile) -> None:
        """Lay out the cells and trace every rule and property: a slip out of the style ends here."""
        self.failing_starts: frozenset[tuple[str, tuple[Argument, ...]]] = frozenset()
        """The start rules, with their arguments, that leave a domain or raise something."""
        self._bind(model, scope, sizes, profile)
        self.failing_starts = self._find_failing_starts()
        if self.failing_starts:
            self._bind(_keep_failing(model, self.failing_starts), scope, sizes, profile)
        self.starts = self._list_starts()
        self.initial = tuple(dict.fromkeys(cells for _, cells in self.starts))

    def _bind(self, model: DeclaredModel, scope: str, sizes: Mapping[str, int], profile: Profile) -> None:
        self.model = self.declared = model
        """The model as its engines ask it, and as it was declared."""
        self.scope = scope
        self.sizes = dict(sizes)
        self.profile = profile
        self.frame = FiniteFrame(model.world.schema, sizes, profile)
        unread = Unread(model, self.sizes, profile)
        held = remember_state(unread.texts)
        self.cell_terms = trace_cells(self.frame)
        self.duties = Duties(self.frame.intervals, self.cell_terms)
        self._traced_steps: dict[str, dict[int, Value]] = {}
        """Each ``step`` property of each instance for which it was asked."""
        with checking(held.functions):
            self.traced = self._trace_rules()
            self.quirks = frozenset(self.frame.quirks_met)
            """The quirks of the profile that rules ask for: where there are none, all is as intended."""
            self.pairs = PairTexts(model.world, self.frame, self.cell_terms)
            self.instances = tuple(traced.instance for traced in self.traced)
            self._by_rule = {(item.rule.name, item.arguments): item for item in self.instances}
            self._trace_properties()
            if unread.texts:
                self._look_at_names(unread)
        held.expect_same()
        unread.note()
        answers = self.duties.make_property()
        if answers is not None:
            self.model = self.model.with_answers(answers)

    def world(self, cells: Value) -> World:
        """Show cells (values or terms) as a world that rules and properties read."""
        return self.model.world(self.frame, cells)

    def describe(self, cells: Cells) -> dict[str, str | int | bool]:
        """Name every cell and write its value as people do."""
        frame = self.frame
        values = zip(frame.cell_names, frame.intervals, cells, strict=True)
        return {name: interval.label(value) for name, interval, value in values}

    # steps

    def step(self, cells: Cells, instance: Instance) -> Cells | None:
        """Run the text of a rule; None where its guard does not hold."""
        rule = instance.rule
        after: list[int] = list(cells)
        with blaming(f"Rule {rule.name}", rule.file, rule.line):
            self.duties.expect_answer(instance.number, cells)
            try:
                writer = self.model.world(self.frame, after, condition=True, guard=[])
                rule(self.world(cells), writer, *instance.arguments)
            except Disabled:
                return None
            self._check_queues(cells, after)
            self._check_domains(cells, after)
        return tuple(after)

    def successors(self, cells: Cells) -> Iterator[tuple[Instance, Cells]]:
        """List the instances that can happen, each with the world that it leads to."""
        for instance in self.instances:
            after = self.step(cells, instance)
            if after is not None:
                yield instance, after

    def find_instance(self, rule: Rule, arguments: tuple[Argument, ...]) -> Instance | None:
        """Find a rule with these arguments; None where it can never happen in this scope."""
        return self._by_rule.get((rule.name, arguments))

    def label_arguments(self, instance: Instance) -> dict[str, Value]:
        """Write the arguments of a rule as people and files do."""
        domains = instance.rule.domains(self.frame)
        return {
            domain.name: domain.label(value)
            for domain, value in zip(domains, instance.arguments, strict=True)
        }

    def parse_arguments(self, rule: Rule, labels: Mapping[str, object]) -> tuple[Argument, ...]:
        """Read the arguments of a rule as ``label_arguments`` writes them."""
        domains = rule.domains(self.frame)
        names = [domain.name for domain in domains]
        if set(labels) != set(names):
            wanted = f"takes {', '.join(names) or 'no arguments'}"
            raise UsageError(f"The rule {rule.name} {wanted}, but was given {', '.join(labels) or 'none'}.")
        return tuple(domain.parse(labels[domain.name]) for domain in domains)

    # properties

    def holds(self, prop: Property, cells: Cells, *arguments: Argument) -> bool:
        """True if an ``always``, ``sometimes`` or ``eventually`` holds in a world."""
        with blaming(f"Property {prop.name}", prop.file, prop.line):
            return _as_bool(prop(self.world(cells), *arguments))

    def is_given(self, prop: Property, cells: Cells, *arguments: Argument) -> bool:
        """True if the premise of an ``eventually`` holds; without one it does in the initial worlds only."""
        if prop.given is None:
            return cells in self.initial
        with blaming(f"Property {prop.name}", prop.file, prop.line):
            return _as_bool(prop.given(self.world(cells), *arguments))

    def is_kept(self, prop: Property, cells: Cells, *arguments: Argument) -> bool:
        """True if what has to hold until an ``until`` or ``unless`` comes true holds, or nothing has to."""
        if prop.keeps is None:
            return True
        with blaming(f"Property {prop.name}", prop.file, prop.line):
            return _as_bool(prop.keeps(self.world(cells), *arguments))

    def holds_step(self, prop: Property, before: Cells, instance: Instance, after: Cells) -> bool:
        """True if a ``step`` property holds of two worlds and the rule between."""
        with blaming(f"Property {prop.name}", prop.file, prop.line):
            by = By(instance.rule, instance.arguments)
            return _as_bool(prop(self.world(before), self.world(after), by))

    def is_at_rest(self, cells: Cells) -> bool:
        """True if a world may have no successor."""
        rest = self.model.is_at_rest
        if rest is None:
            return False
        with blaming(*_name_rest(self.model.name, rest)):
            return _as_bool(rest(self.world(cells)))

    def explain(self, prop: Property, cells: Cells, *arguments: Argument) -> Witnesses:
        """Name the ids that made an ``always`` or ``eventually`` false, or a ``sometimes`` true."""
        watcher = Watcher()
        frame = _WatchedFrame(self.frame, watcher)
        with binding(watcher):
            prop(self.model.world(frame, cells), *arguments)
        return watcher.witnesses(holds=prop.kind is Kind.SOMETIMES)

    def explain_step(self, prop: Property, before: Cells, instance: Instance, after: Cells) -> Witnesses:
        """Name the ids that made a ``step`` property false."""
        watcher = Watcher()
        frame = _WatchedFrame(self.frame, watcher)
        with binding(watcher):
            by = By(instance.rule, instance.arguments)
            prop(self.model.world(frame, before), self.model.world(frame, after), by)
        return watcher.witnesses(holds=False)

    def list_cases(self, prop: Property) -> list[tuple[Argument, ...]]:
        """List the values of the arguments for which an ``eventually`` is asked."""
        return list(product(*[list(domain.values()) for domain in prop.domains(self.frame)]))

    def label_case(self, prop: Property, case: tuple[Argument, ...]) -> tuple[str, ...]:
        """Write the values for which an ``eventually`` is asked."""
        return tuple(
            str(domain.label(value)) for domain, value in zip(prop.domains(self.frame), case, strict=True)
        )

    # at load

    def _trace_rules(self) -> tuple[TracedInstance, ...]:
        found: list[TracedInstance] = []
        for rule in self.model.rules:
            for arguments in self.list_arguments(rule):
                instance = Instance(len(found), rule, arguments)
                run, strays = self._run_noting(instance)
                traced = read_run(instance, run, self.cell_terms)
                if strays:
                    self._note_strays(self.duties, instance, run, strays, is_possible=traced is not None)
                if traced is not None:
                    found.append(traced)
        return tuple(found)

    def _run_noting(self, instance: Instance) -> tuple[Run | None, Strays]:
        with noting_strays() as strays:
            run = run_rule(instance, self.model.world, self.frame, self.cell_terms)
        self.duties.note_numbers(strays)
        return run, strays

    def _note_strays(
        self,
        duties: Duties,
        instance: Instance,
        run: Run | None,
        strays: Strays,
        *,
        is_possible: bool = True,
    ) -> None:
        """Read a rule that reads strays once more with marks, and note what it needs."""
        if strays.reads:
            with marking_strays(self.cell_terms) as marked:
                run = run_rule(instance, self.model.world, self.frame, self.cell_terms)
            strays = marked
        labels = ", ".join(str(label) for label in self.label_arguments(instance).values())
        who = f"{instance.rule.name}({labels})" if labels else instance.rule.name
        number = instance.number if is_possible else None
        duties.note_rule(who, number, run, strays, instance.rule.name)

    def find_duties(self, who: str, compute: Callable[[World], Value | Sequence[Value]]) -> Duties:
        """Find where a text about worlds that is none of the model has an answer."""
        duties = Duties(self.frame.intervals, self.cell_terms)
        with marking_strays(self.cell_terms) as strays:
            value = compute(self.world(self.cell_terms))
        duties.note_text(who, (), list(value) if isinstance(value, tuple | list) else [value], strays)
        return duties

    def list_arguments(self, rule: Rule) -> Iterator[tuple[Argument, ...]]:
        """List with which arguments a rule may happen in the scope, as far as their domains say."""
        with blaming(f"Rule {rule.name}", rule.file, rule.line):
            domains = rule.domains(self.frame)
            count = prod(domain.count for domain in domains)
            if count > MOST_INSTANCES:
                raise UsageError(
                    f"In this size the rule {rule.name} can happen in {count:,} ways, "
                    f"more than {MOST_INSTANCES:,}: choose smaller sizes."
                )
        cases = product(*[list(domain.values()) for domain in domains])
        if self.failing_starts:
            return (case for case in cases if (rule.name, case) in self.failing_starts)
        return cases

    def _trace_properties(self) -> None:
        names = [rule.name for rule in (*self.model.rules, *self.model.starts)]
        asked = []
        for prop in self.model.properties:
            with blaming(f"Property {prop.name}", prop.file, prop.line):
                prop.expect_own_sets(self.frame)
            if prop.kind is Kind.STEP:
                asked.append(self._trace_step_style(prop))
                with blaming(f"Property {prop.name}", prop.file, prop.line):
                    self.pairs.expect_known(prop, names)
                continue
            who = (f"Property {prop.name}", prop.file, prop.line)
            with blaming(*who):
                cases = list(product(self.list_cases(prop), prop.texts))
            has_answers = [self._trace_text(who, text, case, prop.name) for case, text in cases]
            asked.append(prop if all(has_answers) else ask_nothing(prop))
        rest = self.model.is_at_rest
        if rest is not None and not self._trace_text(_name_rest(self.model.name, rest), rest, ()):
            rest = _is_never_at_rest
        if (*asked, rest) != (*self.model.properties, self.model.is_at_rest):
            self.model = replace(self.model, properties=tuple(asked), is_at_rest=rest)

    def _trace_text(
        self, who: tuple[str, str, int], text: Callable[..., Value], case: tuple[Argument, ...], *of: str
    ) -> bool:
        """Trace what is asked of worlds; true if it has an answer, and raises nothing instead."""
        world = self.world(self.cell_terms)
        try:
            with blaming(*who):
                with noting_strays() as strays:
                    expect_flag(text(world, *case))
                self.duties.note_numbers(strays)
                if strays:
                    with marking_strays(self.cell_terms) as strays:
                        value = text(world, *case)
                    self.duties.note_text(who[0], (), [value], strays, *of)
        except StyleError as error:
            if not has_no_answer(error):
                raise
            self.duties.note_failing(str(error), (), *of)
            return False
        return True

    def _trace_step_style(self, prop: Property) -> Property:
        """Trace a property of steps for each instance; of those for which it has no answer, others ask."""
        failing, does_stray = set(), False
        for traced in self.traced:
            instance = traced.instance
            try:
                with blaming(f"Property {prop.name}", prop.file, prop.line):
                    if not does_stray and self.pairs.is_in_style(prop, traced):
                        continue
                    with noting_strays() as strays:
                        self.pairs.expect_style(prop, traced)
                    self.duties.note_numbers(strays)
                    does_stray = does_stray or bool(strays)
                    if does_stray:
                        self.duties.straying |= {prop.name}
                        self._note_strays_of_step(prop, traced)
            except StyleError as error:
                if not has_no_answer(error):
                    raise
                self.duties.note_failing(str(error), traced.guard, prop.name, instance.rule.name)
                failing.add((instance.rule.name, instance.arguments))
        return ask_elsewhere(prop, failing) if failing else prop

    def _note_strays_of_step(self, prop: Property, traced: TracedInstance) -> None:
        worlds = [self.world(cells) for cells in (self.cell_terms, traced.after(self.cell_terms))]
        with marking_strays(self.cell_terms) as strays:
            value = prop(*worlds, By(traced.instance.rule, traced.instance.arguments))
        who = f"Property {prop.name} of {traced.instance.rule.name}"
        self.duties.note_text(who, traced.guard, [value], strays, prop.name, traced.instance.rule.name)

    def _find_first_of_rules(self) -> list[TracedInstance]:
        """Find one instance of each rule that can happen."""
        return list({traced.instance.rule.name: traced for traced in reversed(self.traced)}.values())

    def _look_at_names(self, unread: Unread) -> None:
        """See whether a text mixes up the ids of two sets or names one, in some cases of each text."""
        check = NameCheck(self.model.world, self.frame)
        cases: dict[str, list[tuple[Argument, ...]]] = {}
        for instance in self.instances:
            cases.setdefault(instance.rule.name, []).append(instance.arguments)
        for rule in self.model.rules:
            if not any(map(unread.has, rule.texts)):
                continue
            never = islice(self.list_arguments(rule), _MOST_NEVER) if rule.name not in cases else ()
            check.expect_rule(rule, cases.get(rule.name) or list(never))
        for rule in self.model.starts:
            if any(map(unread.has, rule.texts)):
                check.expect_rule(rule, list(self.list_arguments(rule)))
        first_of_rules = [traced.instance for traced in self._find_first_of_rules()]
        for prop in self.declared.properties:
            if not any(map(unread.has, prop.texts)):
                continue
            with _passing_over_missing_answers():
                if prop.kind is Kind.STEP:
                    check.expect_step(prop, first_of_rules)
                else:
                    check.expect_property(prop, self.list_cases(prop))
        rest = self.declared.is_at_rest
        if rest is not None and unread.has(rest):
            with _passing_over_missing_answers():
                check.expect_rest(f"is_at_rest of {self.model.name}", rest)

    def trace_steps(self, prop: Property) -> tuple[Value, ...]:
        """Trace a ``step`` property for each instance, in their order."""
        return tuple(self.trace_step(prop, position) for position in range(len(self.traced)))

    def trace_step(self, prop: Property, position: int) -> Value:
        """Trace a ``step`` property for one instance; what was traced before is kept."""
        known = self._traced_steps.setdefault(prop.name, {})
        if position not in known:
            with blaming(f"Property {prop.name}", prop.file, prop.line):
                known[position] = self.pairs.read(prop, self.traced[position])
        return known[position]

    def _find_failing_starts(self) -> frozenset[tuple[str, tuple[Argument, ...]]]:
        """Find the start rules, with their arguments, that make no world since they fail."""
        first, failing = self.frame.first_cells(), set()
        for rule in self.model.starts:
            for arguments in self.list_arguments(rule):
                instance = Instance(_START, rule, arguments)
                run, strays = self._run_noting(instance)
                duties = Duties(self.frame.intervals, self.cell_terms)
                if strays:
                    self._note_strays(duties, instance, run, strays)
                try:
                    duties.expect_answer(_START, first)
                    self.step(first, instance)
                except ModelError:  # what it is, the replay of the story says
                    failing.add((rule.name, arguments))
        return frozenset(failing)

    def _list_starts(self) -> tuple[tuple[Instance | None, Cells], ...]:
        first = self.frame.first_cells()
        if not self.model.starts:
            return ((None, first),)
        found = []
        for rule in self.model.starts:
            for arguments in self.list_arguments(rule):
                instance = Instance(-1, rule, arguments)
                cells = self.step(first, instance)
                if cells is not None:
                    found.append((instance, cells))
        if not found:
            names = ", ".join(rule.name for rule in self.model.starts)
            raise ModelError(
                f"The model {self.model.name} has no initial world in the scope {self.scope}: "
                f"its start rules ({names}) never happen there."
            )
        return tuple(found)

    def _check_queues(self, before: Cells, after: list[int]) -> None:
        for queue in self.frame.schema.queues:
            placed = self.frame.placed[queue.name]
            ranks = slice(placed.base, placed.base + placed.span)
            if before[ranks] == tuple(after[ranks]) or _is_in_order(after[ranks]):
                continue
            if NO_RANK in after[ranks]:
                line = self._show_line(placed.field.index[0], before[ranks])
                raise QueueError(
                    f"{queue.name} ({line}) is popped of an id that is not its head: "
                    f"t.require(s.{queue.name}.head(...))."
                )
            if _is_in_order(before[ranks]):
                names = zip(self.frame.cell_names[ranks], after[ranks], strict=True)
                written = ", ".join(f"{name} := {rank}" for name, rank in names)
                raise QueueError(
                    f"{queue.name} is no queue any more ({written}): push only what is not in it, "
                    f"t.require(not_(s.{queue.name}.has(...)))."
                )

    @staticmethod
    def _show_line(members: Ids, ranks: Sequence[int]) -> str:
        """Write the ids in a queue, the head first."""
        present = sorted((rank, member) for member, rank in enumerate(ranks) if rank)
        return " ".join(members.name_of(member) for _, member in present) or "empty"

    def _check_domains(self, before: Cells, after: list[int]) -> None:
        """Refuse what leaves a domain; where none is left, what passes the end of a counter."""
        passed = None
        for position, (old, new) in enumerate(zip(before, after, strict=True)):
            if new != old and not self.frame.intervals[position].admits(new):
                interval = self.frame.intervals[position]
                written = f"{self.frame.cell_names[position]} := {new!r}"
                if not interval.is_passed_by(new):
                    raise DomainError(f"{written} leaves its domain, {interval.low} .. {interval.high}.")
                passed = passed or f"{written} leaves {interval.low} .. {interval.high}"
        if passed:
            raise CounterError(
                f"{passed}, as far as the scope counts: a guard is missing, or the scope is too small."
            )


class _WatchedFrame(FiniteFrame):
    """A finite frame whose sets tell a watcher which member is bound."""

    def __init__(self, frame: FiniteFrame, watcher: Watcher) -> None:
        super().__init__(frame.schema, frame.sizes, frame.profile)
        self._watcher = watcher

    def iterate(self, ids: Ids) -> Iterator[Value]:
        """Go through the ids of a set under the eyes of the watcher."""
        return self._watcher.iterate(ids, self.length(ids))


def _name_rest(model: str, rest: Callable[..., Value]) -> tuple[str, str, int]:
    """Name the text that says where a model is at rest, and where it stands."""
    code = rest.__code__
    return f"is_at_rest of {model}", code.co_filename, code.co_firstlineno


def _is_in_order(ranks: Sequence[int]) -> bool:
    """True if the ranks of a queue count from 1, one for each id that is in it."""
    present = sorted(filter(None, ranks))
    return present == list(range(1, len(present) + 1))


def _keep_failing(
    model: DeclaredModel, failing: Collection[tuple[str, tuple[Argument, ...]]]
) -> DeclaredModel:
    """Keep of a model the start rules that fail, as rules: what happens after them has no meaning."""
    names = {name for name, _ in failing}
    return replace(
        model,
        rules=tuple(rule for rule in model.starts if rule.name in names),
        starts=(),
        properties=tuple(ask_nothing(prop) for prop in model.properties),
        is_at_rest=None,
    )


@contextmanager
def _passing_over_missing_answers() -> Iterator[None]:
    """Let a text raise something where it has no answer: that is a violation, and told as one."""
    try:
        yield
    except StyleError as error:
        if not has_no_answer(error):
            raise


def _is_never_at_rest(_s: World) -> bool:
    return False


def _as_bool(value: Value) -> bool:
    expect_flag(value)
    return bool(value)


def find_start(bounded: BoundedModel, name: str | None, labels: Mapping[str, object]) -> Cells:
    """Find the initial world that a start rule makes with these arguments; without a name, the first one."""
    if name is None:
        return bounded.initial[0]
    rule = bounded.model.find_rule(name)
    wanted = bounded.parse_arguments(rule, labels)
    for instance, cells in bounded.starts:
        if instance is not None and instance.rule is rule and instance.arguments == wanted:
            return cells
    raise UnknownNameError("initial world", name, (start.rule.name for start, _ in bounded.starts if start))
