from nomadspec.checkers.mutants.stages import list_possible, list_stages
from nomadspec.invariants.catalogue import find_model
from tests.checkers.mutants.jar import JAR

KERNEL = find_model("kernel")
STAGES = list_stages(KERNEL)


def test_a_model_without_modes_has_a_usual_stage_and_one_with_the_most_room() -> None:
    stages = list_stages(JAR)

    assert {
        "proofs": {"children": 2, "room": 2},
        "proofs at other lengths": {"children": 2, "room": 3},
    } == {title: stage.sizes for title, stage in stages.items()}


def test_every_event_of_the_kernel_can_happen_in_each_stage_but_one() -> None:
    sizes = [stage.sizes for stage in STAGES.values() if stage.sizes["elections"]]

    assert all(title.startswith("proofs") for title in STAGES)
    assert all(one["timeouts"] and one["evals"] == 3 for one in sizes)
    assert len(STAGES) - 1 == len(sizes)


def test_nothing_happens_but_by_default_in_one_stage() -> None:
    default = {size.name: size.default for size in KERNEL.world.schema.sizes}

    assert default == STAGES["proofs as by default"].sizes


def test_modes_and_lengths_are_off_and_on() -> None:
    assert [0, 1, 0, 1, 0, 0, 2, 0, 1] == [stage.sizes["depth"] for stage in STAGES.values()]
    assert [1, 1, 1, 1, 2, 2, 2, 1, 1] == [stage.sizes["count"] for stage in STAGES.values()]
    assert [1, 1, 2, 2, 2, 2, 2, 1, 1] == [stage.sizes["cap"] for stage in STAGES.values()]


def test_lists_that_are_empty_by_default_have_members() -> None:
    assert [0, 0, 1, 1, 1, 1, 1, 0, 0] == [stage.sizes["growth"] for stage in STAGES.values()]


def test_every_rule_of_the_kernel_can_happen_in_some_stage() -> None:
    happening = {
        rule.name for stage in STAGES.values() for rule in list_possible(KERNEL, KERNEL.rules, stage)
    }

    assert {rule.name for rule in KERNEL.rules} == happening
