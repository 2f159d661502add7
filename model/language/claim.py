"""What a story claims, and whether its replay bears it out.

A story names a property that its last world (or last step, or endless loop) violates, a ``sometimes`` that it
reaches, or a deadlock. Engines make their stories here, so a story that does not replay is never shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nomadspec.model.errors import DisabledError, ImpossibleError
from nomadspec.model.language.bounded import BoundedModel, Cells, Witnesses
from nomadspec.model.language.broken_promises import find_failing_step, find_failing_world
from nomadspec.model.language.model_promises import PROMISES, TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import PATH_KINDS, Kind, Property, name_part
from nomadspec.model.language.story import DEADLOCK, Replay, Story, label_instance
from nomadspec.model.language.story import replay as replay_story

if TYPE_CHECKING:
    from nomadspec.model.language.arguments import Argument
    from nomadspec.model.language.broken_promises import Failure
    from nomadspec.model.language.model import Model
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.trace import Instance


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a story ends as it claims, in a sentence, and the ids that show it."""

    is_true: bool
    sentence: str
    witnesses: Witnesses = ()


def judge(story: Story, replay: Replay) -> Judgement:
    """True if a replayed story ends as it claims."""
    if replay.failure is not None or story.property in PROMISES:
        return _judge_promise(story, replay)
    if story.property is None:
        return Judgement(is_true=True, sentence="The story claims nothing; it replays.")
    if story.property == DEADLOCK:
        return _judge_deadlock(replay)
    prop = replay.bounded.model.find_property(story.property)
    judges = {
        Kind.ALWAYS: _judge_world,
        Kind.SOMETIMES: _judge_world,
        Kind.STEP: _judge_step,
        **dict.fromkeys(PATH_KINDS, _judge_path),
    }
    return judges[prop.kind](prop, story, replay)


def keep_claimed(model: Model, story: Story) -> Model:
    """Leave out the properties that a story does not claim: to load them takes most of a large model's time.

    All are kept for what every model is asked, and where the model does not have what is claimed.
    """
    if story.property in PROMISES:
        return model
    claimed = tuple(prop for prop in model.properties if prop.name == story.property)
    is_unknown = story.property not in {None, DEADLOCK} and not claimed
    return model if is_unknown else replace(model, properties=claimed)


def keep_taken(model: Model, story: Story) -> Model:
    """Leave out the rules that a story does not take as well, where nobody asks what else can happen.

    A stuck world and an endless loop are about all rules, and so is what every model is asked.
    """
    kept = keep_claimed(model, story)
    taken = {step.rule for step in story.steps}
    rules = tuple(rule for rule in kept.rules if rule.name in taken)
    is_about_all = story.property == DEADLOCK or story.property in PROMISES
    is_about_all = is_about_all or any(prop.kind in PATH_KINDS for prop in kept.properties)
    return kept if is_about_all or len(rules) < len(taken) else replace(kept, rules=rules)


def tell(
    bounded: BoundedModel,
    first: Cells,
    instances: Sequence[Instance],
    *,
    about: str | None = None,
    case: tuple[str, ...] = (),
    loop: int | None = None,
    seed: int | None = None,
) -> Story:
    """Make the story of instances that happen one after another, judged before it is told.

    ``about`` is the name of the property that it violates or reaches, ``DEADLOCK``, or a promise of every
    model. Where a step fails on the way, as only the interpreter sees it, the story ends with it.
    """
    if first not in bounded.initial:
        raise ImpossibleError("An engine found a story that does not begin in an initial world.")
    start = next(instance for instance, cells in bounded.starts if cells == first)
    story = Story(
        model=bounded.model.name,
        scope=bounded.scope,
        sizes=bounded.sizes,
        profile=bounded.profile.name,
        start=label_instance(bounded, start) if start is not None else None,
        steps=tuple(label_instance(bounded, instance) for instance in instances),
        loop=loop,
        property=about,
        case=case,
        seed=seed,
    )
    try:
        replayed = replay_story(story, bounded)
    except DisabledError as error:
        raise ImpossibleError(f"An engine found a story that cannot be replayed: {error}") from error
    if replayed.failure is not None and about not in PROMISES:
        steps = story.steps[: len(replayed.moments) + 1]
        story = replace(story, steps=steps, property=replayed.failure.promise, case=(), loop=None)
    judgement = judge(story, replayed)
    if not judgement.is_true:
        raise ImpossibleError(
            f"An engine found a story that does not replay as it claims: {judgement.sentence}"
        )
    return replace(story, witnesses=judgement.witnesses)


def find_case(bounded: BoundedModel, prop: Property, story: Story) -> tuple[Argument, ...] | None:
    """Find the values of a property's arguments that a story is about; None where there are none such."""
    cases = bounded.list_cases(prop)
    return next((case for case in cases if bounded.label_case(prop, case) == story.case), None)


def is_fair_loop(bounded: BoundedModel, worlds: Sequence[Cells], instances: Sequence[Instance]) -> bool:
    """True if going round a loop for ever is fair: the worlds visited, and the instances that happen.

    A step that changes nothing is no step: it is neither owed, nor does it pay what is owed.
    """
    possible = [[by for by, after in bounded.successors(cells) if after != cells] for cells in worlds]
    moves = zip(instances, worlds, worlds[1:], strict=False)
    happening = [instance for instance, before, after in moves if before != after]
    for rule in bounded.model.rules:
        fairness = rule.fairness
        for group in list_fair_groups(bounded, rule):
            happens = any(group_of(instance) == group for instance in happening)
            enabled = [any(group_of(instance) == group for instance in there) for there in possible]
            is_owed = fairness is not None and (any(enabled) if fairness.is_strong else all(enabled))
            if is_owed and not happens:
                return False
    return True


def group_of(instance: Instance) -> tuple[str, tuple[Argument, ...]] | None:
    """Give the fairness group of an instance: its rule and the arguments for each of which it is fair."""
    rule = instance.rule
    if rule.fairness is None:
        return None
    names = [name for name, _ in rule.arguments]
    chosen = tuple(instance.arguments[names.index(name)] for name in rule.fairness.each)
    return rule.name, chosen


def list_fair_groups(bounded: BoundedModel, rule: Rule) -> Iterator[tuple[str, tuple[Argument, ...]]]:
    """List the fairness groups of a rule in a scope."""
    groups = (group_of(instance) for instance in bounded.instances if instance.rule is rule)
    yield from dict.fromkeys(group for group in groups if group is not None)


def _judge_promise(story: Story, replay: Replay) -> Judgement:
    """True if the last step fails, or a text that is asked of the last world or step."""
    at = len(replay.moments)
    if replay.failure is None:
        failure = _find_failure_at_end(replay)
        if failure is None:
            sentence = f"Nothing fails in the last world or step, so {story.property} is kept."
            return Judgement(is_true=False, sentence=sentence)
        where = "In the last world"
    else:
        failure = replay.failure
        where = f"Step {at + 1}, {story.steps[at]}, fails"
        at += 1
    is_claimed = failure.promise == story.property and at == len(story.steps)
    return Judgement(is_claimed, f"{where}: {failure.sentence}")


def _find_failure_at_end(replay: Replay) -> Failure | None:
    bounded, properties = replay.bounded, replay.bounded.model.properties
    failure = find_failing_world(bounded, replay.last, properties)
    if failure is None and replay.moments:
        last = replay.moments[-1].instance
        failure = find_failing_step(bounded, replay.worlds[-2], last, properties)
    return failure


def _judge_deadlock(replay: Replay) -> Judgement:
    bounded, last = replay.bounded, replay.last
    if any(True for _ in bounded.successors(last)):
        return Judgement(is_true=False, sentence="The last world has a successor, so nothing is stuck.")
    if bounded.is_at_rest(last):
        return Judgement(is_true=False, sentence="The last world is at rest, so it may have no successor.")
    return Judgement(
        is_true=True, sentence="The last world is stuck: nothing can happen, and it is not at rest."
    )


def _judge_world(prop: Property, _story: Story, replay: Replay) -> Judgement:
    bounded, last = replay.bounded, replay.last
    holds = bounded.holds(prop, last)
    is_claimed = holds == (prop.kind is Kind.SOMETIMES)
    sentence = f"{prop.name} {'holds' if holds else 'does not hold'} in the last world."
    if prop.name == TEXTS_HAVE_ANSWERS and not holds:
        sentence = f"In the last world: {bounded.duties.find_broken(last)}"
    return Judgement(is_claimed, sentence, bounded.explain(prop, last) if is_claimed else ())


def _judge_step(prop: Property, _story: Story, replay: Replay) -> Judgement:
    bounded = replay.bounded
    if not replay.moments:
        return Judgement(is_true=False, sentence=f"The story has no step that could violate {prop.name}.")
    before, moment = replay.worlds[-2], replay.moments[-1]
    holds = bounded.holds_step(prop, before, moment.instance, moment.cells)
    sentence = f"{prop.name} {'holds' if holds else 'does not hold'} in the last step."
    witnesses = () if holds else bounded.explain_step(prop, before, moment.instance, moment.cells)
    return Judgement(not holds, sentence, witnesses)


def _judge_path(prop: Property, story: Story, replay: Replay) -> Judgement:
    case = find_case(replay.bounded, prop, story)
    if case is None:
        return Judgement(
            is_true=False, sentence=f"{prop.name} is not asked for {', '.join(story.case) or 'nothing'}."
        )
    if prop.keeps is not None and story.loop is None:
        return _judge_broken(prop, case, story, replay)
    return _judge_lasso(prop, case, story, replay)


def _judge_broken(prop: Property, case: tuple[Argument, ...], story: Story, replay: Replay) -> Judgement:
    """True if what has to hold until the goal fails in the last world, and the goal has not come."""
    bounded = replay.bounded
    name = _name_case(prop, story)
    if bounded.is_kept(prop, replay.last, *case) or bounded.holds(prop, replay.last, *case):
        return Judgement(is_true=False, sentence=f"{name} is not violated in the last world.")
    owed = False
    for cells in replay.worlds:
        owed = (owed or bounded.is_given(prop, cells, *case)) and not bounded.holds(prop, cells, *case)
    if not owed:
        return Judgement(is_true=False, sentence=f"{name} says nothing of the last world.")
    text = "what has to hold until then" if prop.keeps is None else name_part(prop.keeps)
    return Judgement(
        is_true=True, sentence=f"{text} does not hold in the last world, and {name} has not come true."
    )


def _judge_lasso(prop: Property, case: tuple[Argument, ...], story: Story, replay: Replay) -> Judgement:
    bounded, worlds = replay.bounded, replay.worlds
    loop = story.loop
    if loop is None or not 0 <= loop < len(worlds) or worlds[loop] != replay.last:
        return Judgement(
            is_true=False, sentence="The story does not come back to the world where its loop begins."
        )
    goals = [bounded.holds(prop, cells, *case) for cells in worlds]
    given = [bounded.is_given(prop, cells, *case) for cells in worlds]
    does_last = prop.kind is Kind.EVENTUALLY_ALWAYS
    if does_last:
        is_missed = any(given) and not all(goals[loop:])
    else:
        is_missed = any(given[at] and not any(goals[min(at, loop) :]) for at in range(len(worlds)))
    if prop.kind is Kind.UNLESS or not is_missed:
        return Judgement(is_true=False, sentence=f"{prop.name} comes true after all.")
    cycle = [moment.instance for moment in replay.moments[loop:]]
    if not is_fair_loop(bounded, worlds[loop:], cycle):
        return Judgement(is_true=False, sentence="The loop is not fair: a rule that must happen never does.")
    name = _name_case(prop, story)
    missed = "fails again and again" if does_last and cycle else "never comes true"
    end = "the loop can go on for ever" if cycle else "it can stay so for ever"
    return Judgement(is_true=True, sentence=f"{name} {missed}: {end}.")


def _name_case(prop: Property, story: Story) -> str:
    return f"{prop.name}({', '.join(story.case)})" if story.case else prop.name
