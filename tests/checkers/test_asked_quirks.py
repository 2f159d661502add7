"""The quirks that texts ask for, read from their code: the same that a search meets."""

from dataclasses import replace

from nomadspec.checkers.asked_quirks import list_asked
from nomadspec.checkers.equivalent_profiles import list_asked as list_met
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.world import World
from nomadspec.model.specification.quirks import DEAD_END, LOST_ACK, OLDEST_FIRST


def asks_itself(s: World) -> bool:
    return s.has(LOST_ACK)


def asks_inside(s: World) -> list[bool]:
    return [any(s.has(OLDEST_FIRST) for _ in range(one)) for one in range(2)]


def asks_by_others(s: World) -> bool:
    return asks_itself(s) and any(asks_inside(s)) and asks_by_others(s)


def test_a_text_asks_for_what_it_names_and_for_what_it_calls() -> None:
    assert {LOST_ACK} == set(list_asked([asks_itself]))
    assert {OLDEST_FIRST} == set(list_asked([asks_inside]))
    assert {LOST_ACK, OLDEST_FIRST} == set(list_asked([asks_by_others]))
    assert DEAD_END not in list_asked([asks_by_others])


def test_quirks_stand_in_the_order_of_their_ids_each_once() -> None:
    asked = list_asked([asks_by_others, asks_inside, asks_itself])

    assert sorted((LOST_ACK.id, OLDEST_FIRST.id)) == [quirk.id for quirk in asked]


def test_whatever_a_search_asks_for_is_read_from_the_rules_of_its_scope() -> None:
    kernel = find_model("kernel")
    for scope in ("contention", "void-entry", "late-entries"):
        bounded = bind_as_usual(replace(kernel, properties=()), scope)
        fired = {one.instance.rule for one in bounded.traced} | set(kernel.starts)
        read = {quirk for rule in fired for quirk in list_asked(rule.texts)}

        assert bounded.quirks
        assert bounded.quirks <= read


def test_what_the_texts_name_is_asked_for_in_some_scope() -> None:
    core = find_model("core")
    read = {quirk for rule in (*core.rules, *core.starts) for quirk in list_asked(rule.texts)}
    met = {quirk for scope in core.scopes for quirk in list_met("core", scope.name, "intended")}

    assert met == read
