from dataclasses import replace
from typing import Any

import pytest

from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ImpossibleError, UnknownNameError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import group_of, is_fair_loop, judge, keep_taken, list_fair_groups, tell
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import DOMAINS_ARE_KEPT
from nomadspec.model.language.property import Property, always, eventually, sometimes, step
from nomadspec.model.language.rule import Fairness, rule, strong, weak
from nomadspec.model.language.story import DEADLOCK, Application, Story, replay
from nomadspec.model.small.core import ack, dequeue, expire_delivery
from tests.model.language.toys import Shop, compile_text, shop_of

pytestmark = pytest.mark.usefixtures("ids_may_be_numbers")

TURN = rule("X-1")(compile_text("turn(s, t)", "'''Round.'''\nt.asked = ite(s.asked == 2, 0, s.asked + 1)"))


def text(head: str, body: str) -> Any:
    """Make the function of a property."""
    return compile_text(head, f"return {body}")


NEVER_TWO = always("X-1", why="w")(text("never_two(s)", "s.asked != 2"))
EVER_TWO = sometimes("X-1", why="w")(text("ever_two(s)", "s.asked == 2"))
GROWS = step("X-1", why="w")(text("grows(s, n)", "s.asked <= n.asked"))
SERVED = eventually("X-1", why="w", c=Shop.clerks)(text("served(s, c)", "s.busy[c]"))
BACK = eventually("X-1", why="w", given=text("late(s)", "s.asked == 2"))(text("back(s)", "s.asked == 1"))
SOON = eventually("X-1", why="w")(text("soon(s)", "s.asked == 2"))
PROPERTIES = (NEVER_TWO, EVER_TWO, GROWS, SERVED, BACK, SOON)


def model_with(fairness: Fairness | None, *, turning: Fairness | None = None) -> Model:
    """Make a shop that goes round for ever; while ``asked`` is 1 a clerk may be served, as fairly as said."""
    serve = rule("X-1", fair=fairness, c=Shop.clerks)(
        compile_text("serve(s, t, c)", "'''Served.'''\nt.require(s.asked == 1)\nt.busy[c] = True")
    )
    return shop_of(serve, replace(TURN, fairness=turning), properties=PROPERTIES)


def shop_with(fairness: Fairness | None, *, turning: Fairness | None = None) -> BoundedModel:
    """Load such a shop."""
    return model_with(fairness, turning=turning).at()


def story_of(bounded: BoundedModel, *calls: str, **claims: Any) -> Story:
    """Write a story as calls: ``Turn``, ``Serve clerk1``."""
    steps = [call.split() for call in calls]
    applications = tuple(Application(rule, {"c": args[0]} if args else {}) for rule, *args in steps)
    return Story("shop", "default", bounded.sizes, "nomad-2.0", applications, **claims)


def verdict(bounded: BoundedModel, *calls: str, **claims: Any) -> tuple[bool, str]:
    """Judge a story written as calls."""
    story = story_of(bounded, *calls, **claims)
    judgement = judge(story, replay(story, bounded))
    return judgement.is_true, judgement.sentence


ROUND = ("Turn", "Turn", "Turn")
SHOP = shop_with(None)


def test_a_story_that_claims_nothing_is_true() -> None:
    assert (True, "The story claims nothing; it replays.") == verdict(SHOP, *ROUND)


@pytest.mark.parametrize(
    ("calls", "claim", "expected"),
    [
        (["Turn", "Turn"], "ever_two", (True, "ever_two holds in the last world.")),
        (["Turn"], "ever_two", (False, "ever_two does not hold in the last world.")),
        (["Turn", "Turn"], "never_two", (True, "never_two does not hold in the last world.")),
        ([*ROUND], "never_two", (False, "never_two holds in the last world.")),
        ([*ROUND], "grows", (True, "grows does not hold in the last step.")),
        (["Turn"], "grows", (False, "grows holds in the last step.")),
        ([], "grows", (False, "The story has no step that could violate grows.")),
    ],
    ids=range(7),
)
def test_claims_about_worlds_and_steps(calls: list[str], claim: str, expected: tuple[bool, str]) -> None:
    assert expected == verdict(SHOP, *calls, property=claim)


def test_an_unknown_claim_is_refused() -> None:
    with pytest.raises(
        UnknownNameError, match="no property of shop named 'never_too'; did you mean never_two"
    ):
        verdict(SHOP, *ROUND, property="never_too")


# what a story needs of its model


@pytest.mark.parametrize(
    ("calls", "claims", "rules"),
    [
        (["Turn", "Turn"], {"property": "never_two"}, ["Turn"]),
        (["Turn", "Turn"], {"property": "ever_two"}, ["Turn"]),
        ([*ROUND], {"property": "grows"}, ["Turn"]),
        ([*ROUND], {}, ["Turn"]),
        ([], {"property": "never_two"}, []),
        (["Turn"], {"property": DEADLOCK}, ["Serve", "Turn"]),
        (["Turn"], {"property": DOMAINS_ARE_KEPT}, ["Serve", "Turn"]),
        ([*ROUND], {"property": "served", "case": ("clerk1",), "loop": 0}, ["Serve", "Turn"]),
        ([*ROUND], {"property": "soon"}, ["Serve", "Turn"]),
        (["Turn"], {"property": "never_too"}, ["Serve", "Turn"]),
        (["Torn"], {"property": "never_two"}, ["Serve", "Turn"]),
    ],
    ids=range(11),
)
def test_rules_that_a_story_does_not_take_are_left_out_where_nobody_asks(
    calls: list[str], claims: dict[str, Any], rules: list[str]
) -> None:
    """A claim about all that can happen, or a name that the model does not have, needs all of them."""
    story = story_of(SHOP, *calls, **claims)
    model = keep_taken(model_with(None), story)

    assert rules == [rule.name for rule in model.rules]
    if story.property != "never_too" and "Torn" not in calls:
        lean = model.at(sizes=story.sizes)
        assert judge(story, replay(story, SHOP)) == judge(story, replay(story, lean))


# deadlocks


def jammed(**more: Any) -> BoundedModel:
    """Load a shop that turns until it has asked three times."""
    turn = rule("X-1")(compile_text("turn(s, t)", "'''On.'''\nt.require(s.asked < 3)\nt.asked = s.asked + 1"))
    return shop_of(turn, **more).at()


def test_a_stuck_world_is_a_deadlock() -> None:
    stuck = (True, "The last world is stuck: nothing can happen, and it is not at rest.")

    assert stuck == verdict(jammed(), *ROUND, property=DEADLOCK)


def test_a_world_with_a_successor_is_none() -> None:
    expected = (False, "The last world has a successor, so nothing is stuck.")

    assert expected == verdict(jammed(), "Turn", property=DEADLOCK)


def test_a_world_at_rest_is_none() -> None:
    bounded = jammed(is_at_rest=text("done(s)", "s.asked == 3"))
    expected = (False, "The last world is at rest, so it may have no successor.")

    assert expected == verdict(bounded, *ROUND, property=DEADLOCK)


# loops

NO_LOOP = (False, "The story does not come back to the world where its loop begins.")
UNFAIR = (False, "The loop is not fair: a rule that must happen never does.")


@pytest.mark.parametrize("loop", [None, -1, 1, 2, 4])
def test_a_loop_comes_back(loop: int | None) -> None:
    assert NO_LOOP == verdict(SHOP, *ROUND, property="served", case=("clerk1",), loop=loop)


def test_what_never_happens_in_a_loop_never_comes_true() -> None:
    expected = (True, "served(clerk1) never comes true: the loop can go on for ever.")

    assert expected == verdict(SHOP, *ROUND, property="served", case=("clerk1",), loop=0)


def test_to_stay_for_ever_is_a_loop() -> None:
    expected = (True, "soon never comes true: it can stay so for ever.")

    assert expected == verdict(SHOP, "Turn", property="soon", loop=1)


@pytest.mark.parametrize(
    ("calls", "claims"),
    [
        (ROUND, {"property": "soon", "loop": 0}),
        (
            ("Turn", "Serve clerk1", "Turn", "Turn", "Turn"),
            {"property": "served", "case": ("clerk1",), "loop": 2},
        ),
        (ROUND, {"property": "back", "loop": 0}),
        (("Turn", "Turn", *ROUND), {"property": "back", "loop": 2}),
        (("Turn",), {"property": "back", "loop": 1}),
    ],
    ids=range(5),
)
def test_what_comes_true_somewhere_in_the_loop_is_not_missed(
    calls: tuple[str, ...], claims: dict[str, Any]
) -> None:
    assert (False, f"{claims['property']} comes true after all.") == verdict(SHOP, *calls, **claims)


@pytest.mark.parametrize(("case", "said"), [((), "nothing"), (("clerk3",), "clerk3"), (("a", "b"), "a, b")])
def test_the_case_is_one_of_those_that_are_asked(case: tuple[str, ...], said: str) -> None:
    expected = (False, f"served is not asked for {said}.")

    assert expected == verdict(SHOP, *ROUND, property="served", case=case, loop=0)


@pytest.mark.parametrize(
    ("fairness", "is_true"),
    [(None, True), (weak(), True), (weak("c"), True), (strong(), False), (strong("c"), False)],
    ids=["none", "weak", "weak each", "strong", "strong each"],
)
def test_a_loop_passes_by_a_rule_that_is_not_always_possible(
    fairness: Fairness | None, is_true: bool
) -> None:
    held = (True, "served(clerk1) never comes true: the loop can go on for ever.")

    assert (held if is_true else UNFAIR) == verdict(
        shop_with(fairness), *ROUND, property="served", case=("clerk1",), loop=0
    )


@pytest.mark.parametrize(
    ("fairness", "is_true"),
    [(strong(), True), (strong("c"), False)],
    ids=["any", "each"],
)
def test_fair_for_each_is_more_than_fair(fairness: Fairness, is_true: bool) -> None:
    bounded = shop_with(fairness)
    told = replay(story_of(bounded, "Turn", "Serve clerk2", "Turn", "Turn"), bounded)

    assert is_true is is_fair_loop(bounded, told.worlds, [moment.instance for moment in told.moments])


def test_nobody_stays_where_a_fair_rule_is_possible() -> None:
    bounded = shop_with(None, turning=weak())

    assert UNFAIR == verdict(bounded, "Turn", property="soon", loop=1)


# groups


def test_groups_are_a_rule_and_the_arguments_that_count() -> None:
    core = find_model("core").at("small", profile="intended")
    instances: list[Any] = [
        core.find_instance(ack, (1, 0)),
        core.find_instance(dequeue, (1, 0)),
        core.find_instance(expire_delivery, (0,)),
    ]

    assert [("Ack", (1,)), ("Dequeue", ()), None] == [group_of(instance) for instance in instances]
    assert [("Ack", (0,)), ("Ack", (1,))] == list(list_fair_groups(core, ack))
    assert [] == list(list_fair_groups(core, expire_delivery))


def test_a_loop_in_which_every_fair_rule_happens_is_fair() -> None:
    bounded = shop_with(strong("c"))
    told = replay(story_of(bounded, "Turn", "Serve clerk1", "Serve clerk2", "Turn", "Turn"), bounded)

    assert is_fair_loop(bounded, told.worlds, [moment.instance for moment in told.moments])


def test_a_step_that_changes_nothing_is_neither_owed_nor_pays() -> None:
    bounded = shop_with(strong("c"))
    calls = ("Turn", "Serve clerk1", "Turn", "Turn", "Turn", "Serve clerk1", "Turn", "Turn")
    told = replay(story_of(bounded, *calls), bounded)
    instances = [moment.instance for moment in told.moments]
    served = replay(
        story_of(bounded, "Turn", "Serve clerk1", "Serve clerk2", "Turn", "Turn", *ROUND), bounded
    )

    assert not is_fair_loop(bounded, told.worlds[4:], instances[4:])
    assert is_fair_loop(bounded, served.worlds[5:], [moment.instance for moment in served.moments[5:]])


# telling


def instances_of(bounded: BoundedModel, *names: str) -> list[Any]:
    """Find the first instance of each rule."""
    return [next(item for item in bounded.instances if item.rule.name == name) for name in names]


def test_a_story_is_told_with_its_witnesses() -> None:
    busy = always("X-1", why="w")(text("idle_clerks(s)", "for_all(not_(s.busy[c]) for c in s.clerks)"))
    there = model_with(None).with_properties([busy]).at()
    story = tell(there, there.initial[0], instances_of(there, "Turn", "Serve"), about="idle_clerks", seed=7)

    assert (("clerk1",),) == story.witnesses
    assert ("shop", "default", "nomad-2.0", "idle_clerks", 7) == (
        story.model,
        story.scope,
        story.profile,
        story.property,
        story.seed,
    )
    assert ["Turn()", "Serve(clerk1)"] == [str(step) for step in story.steps]


def test_a_step_story_names_its_witnesses() -> None:
    calm: Property = step("X-1", why="w")(
        text("calm(s, n)", "for_all(implies(n.busy[c], s.busy[c]) for c in s.clerks)")
    )
    bounded = model_with(None).with_properties([calm]).at()
    story = tell(bounded, bounded.initial[0], instances_of(bounded, "Turn", "Serve"), about="calm")

    assert (("clerk1",),) == story.witnesses


def test_a_lasso_is_told_with_its_loop_and_case() -> None:
    story = tell(SHOP, SHOP.initial[0], instances_of(SHOP, *ROUND), about="served", case=("clerk2",), loop=0)

    assert (("clerk2",), 0, None) == (story.case, story.loop, story.start)


def test_a_story_from_a_start_rule_says_which() -> None:
    sit = rule("X-1", d=Shop.desks)(compile_text("sit(s, t, d)", "'''Sit.'''\nt.desk[0] = d"))
    bounded = shop_of(TURN, starts=(sit,)).at()

    assert Application("Sit", {"d": "desk2"}) == tell(bounded, bounded.initial[1], []).start


def test_a_false_story_is_never_told() -> None:
    with pytest.raises(
        ImpossibleError, match=r"does not replay as it claims: never_two holds in the last world\."
    ):
        tell(SHOP, SHOP.initial[0], instances_of(SHOP, "Turn"), about="never_two")


def test_a_story_that_does_not_begin_at_the_start_is_never_told() -> None:
    elsewhere = tuple(3 if value == 0 else value for value in SHOP.initial[0])
    with pytest.raises(ImpossibleError, match="does not begin in an initial world"):
        tell(SHOP, elsewhere, [])


def test_a_story_with_a_step_that_cannot_happen_is_never_told() -> None:
    with pytest.raises(ImpossibleError, match=r"cannot be replayed: Step 1 of the story, Serve\(clerk1\)"):
        tell(SHOP, SHOP.initial[0], instances_of(SHOP, "Serve"))
