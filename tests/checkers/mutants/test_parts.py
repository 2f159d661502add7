from nomadspec.checkers.mutants.parts import list_parts, list_reached, list_texts, list_words
from nomadspec.invariants.catalogue import find_model
from tests.checkers.mutants.jar import JAR
from tests.checkers.mutants.till import TILL


def test_rules_what_they_call_and_properties_are_parts() -> None:
    parts = {part.name: part for part in list_parts(JAR)}

    assert {"fill", "take", "has_sweets"} == {part.name for part in parts.values() if not part.is_property}
    assert ("Take",) == parts["has_sweets"].rules
    assert ("joy_lasts",) == parts["joy_lasts"].properties
    assert {prop.name for prop in JAR.properties} == {
        part.name for part in parts.values() if part.is_property
    }


def test_what_a_property_asks_of_the_rules_is_known() -> None:
    parts = {part.name: part for part in list_parts(find_model("core"))}

    assert {"ApplyPlan", "Ack", "Nack"} == set(parts["holds_token"].rules)
    assert {"stale_token_changes_nothing", "a_plan_is_rejected"} <= set(parts["holds_token"].properties)


def test_a_part_knows_its_place() -> None:
    part = next(part for part in list_parts(JAR) if part.name == "fill")

    assert part.file.endswith("jar.py")
    assert part.function.__code__.co_firstlineno == part.line


def test_start_rules_are_parts() -> None:
    assert "register_jobs" in {part.name for part in list_parts(find_model("kernel"))}


def test_a_condition_by_which_a_rule_counts_is_a_part() -> None:
    parts = {part.name: part for part in list_parts(TILL)}

    assert (("Empty",), False) == (parts["is_full"].rules, parts["is_full"].is_property)
    assert "is_corrected" in {part.name for part in list_parts(find_model("kernel"))}


def test_what_a_function_calls_and_says_is_known() -> None:
    parts = {part.name: part for part in list_parts(JAR)}
    reached = list_reached(parts["take"].function)

    assert ["take", "has_sweets"] == [one.__name__ for one in reached]
    assert "happy" in list_words(reached[0])
    assert "happy" not in list_words(reached[1])


def test_a_property_is_what_it_says_and_of_what() -> None:
    placed = find_model("kernel").find_property("no_live_alloc_on_down_node")

    assert ["no_live_alloc_on_down_node", "is_on_lost_node"] == [one.__name__ for one in list_texts(placed)]
