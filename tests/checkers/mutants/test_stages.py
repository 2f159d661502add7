from itertools import permutations

import pytest

from nomadspec.checkers.mutants.stages import Setting, list_possible, list_stages, mix
from nomadspec.invariants.catalogue import find_model
from tests.checkers.mutants.jar import JAR

KERNEL = find_model("kernel")


@pytest.fixture(scope="module", name="stages")
def _stages() -> dict[str, Setting]:
    return list_stages(KERNEL)


def test_a_model_without_modes_has_a_usual_stage_and_one_with_the_most_room() -> None:
    stages = list_stages(JAR)

    assert {
        "proofs": {"children": 2, "room": 2},
        "proofs at other lengths": {"children": 2, "room": 3},
    } == {title: stage.sizes for title, stage in stages.items()}


def test_every_event_of_the_kernel_can_happen_in_each_stage_but_one(stages: dict[str, Setting]) -> None:
    sizes = [stage.sizes for stage in stages.values() if stage.sizes["elections"]]

    assert all(title.startswith("proofs") for title in stages)
    assert all(one["timeouts"] and one["evals"] == 3 for one in sizes)
    assert len(stages) - 1 == len(sizes)


def test_nothing_happens_but_by_default_in_one_stage(stages: dict[str, Setting]) -> None:
    default = {size.name: size.default for size in KERNEL.world.schema.sizes}

    assert default == stages["proofs as by default"].sizes


def test_modes_and_lengths_are_off_and_on(stages: dict[str, Setting]) -> None:
    unmixed = [stage.sizes for title, stage in stages.items() if "mixed" not in title]

    assert [0, 1, 0, 1, 0, 0, 2, 0, 1] == [sizes["depth"] for sizes in unmixed]
    assert [1, 1, 1, 1, 2, 2, 2, 1, 1] == [sizes["count"] for sizes in unmixed]
    assert [1, 1, 3, 3, 3, 3, 3, 1, 1] == [sizes["cap"] for sizes in unmixed]


def test_lists_that_are_empty_by_default_have_members(stages: dict[str, Setting]) -> None:
    unmixed = [stage.sizes for title, stage in stages.items() if "mixed" not in title]

    assert [0, 0, 2, 2, 2, 2, 2, 0, 0] == [sizes["extra_ask"] for sizes in unmixed]


def test_each_mode_is_on_without_any_other(stages: dict[str, Setting]) -> None:
    modes = (
        "depth",
        "all_at_once",
        "preempting",
        "rejection_threshold",
        "priorities",
        "kinds",
        "infeasibilities",
        "escapes",
        "stale_server_count",
        "initializations",
    )
    mixed = [stage.sizes for title, stage in stages.items() if "mixed" in title]

    for one, other in permutations((*modes, "in_place_updates", "extra_ask"), 2):
        assert any(sizes[one] and not sizes[other] for sizes in mixed)


def test_every_value_of_a_mode_comes_in_turn() -> None:
    mixed = mix({"a": [1, 2], "b": [1], "c": [1, 2, 3, 4]})

    assert [{"a": 2}, {"b": 1}, {"c": 4}] == mixed
    assert [] == mix({"alone": [1]})
    assert {1, 2} == {sizes.get("a") for sizes in mix({name: [1, 2] for name in "abcdef"})} - {None}


@pytest.mark.deep
def test_every_rule_of_the_kernel_can_happen_in_some_stage(stages: dict[str, Setting]) -> None:
    happening = {
        rule.name for stage in stages.values() for rule in list_possible(KERNEL, KERNEL.rules, stage)
    }

    assert {rule.name for rule in KERNEL.rules} == happening
