"""Arrows: what there is to take, and what a step takes."""

from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.status_changes import Arrows, list_lives
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel


def list_first_steps(bounded: BoundedModel, *rules: str) -> list[list[str]]:
    """Take the first instance of each rule from the first world, and list the arrows."""
    layout = Layout(bounded)
    program, arrows = Program(bounded, layout), Arrows(bounded, layout)
    packed, taken = program.initial[0], []
    for name in rules:
        position = next(at for at in program.list_possible(packed) if bounded.instances[at].rule.name == name)
        after = program.compute_after(packed, position)
        taken.append(arrows.list_taken(packed, position, after))
        packed = after
    return taken


def test_the_kernel_takes_arrows_of_the_tables() -> None:
    bounded = find_model("kernel").at("cancelable", profile="nomad-2.0")
    dequeued, begun = list_first_steps(bounded, "Dequeue", "Begin")

    assert ["place of an evaluation: ready -> unacked"] == dequeued
    assert [] == begun
    assert set(dequeued) <= set(Arrows(bounded, Layout(bounded)).names)


def test_a_profile_opens_arrows() -> None:
    kernel = find_model("kernel")
    intended, shipped = (
        {
            name
            for life in list_lives(kernel.at("cancelable", profile=profile))
            for name in (life.name_arrow(*pair) for pair in life.arrows or ())
        }
        for profile in ("intended", "nomad-2.0")
    )

    assert intended < shipped
    assert "evaluation: pending -> complete" in intended
    assert "evaluation: complete -> failed" in shipped - intended


def test_deployments_have_arrows_where_there_are_any() -> None:
    kernel = find_model("kernel")

    assert ["evaluation", "place of an evaluation", "allocation"] == [
        life.name for life in list_lives(kernel.at("cancelable", profile="nomad-2.0"))
    ]
    assert "deployment" == list_lives(kernel.at("deployment", profile="nomad-2.0"))[-1].name


def test_without_a_table_statuses_are_fields_with_names() -> None:
    bounded = find_model("2pc").at(profile="nomad-2.0")
    (taken,) = list_first_steps(bounded, "Prepare")

    assert ["state: working -> prepared"] == taken
    assert () == Arrows(bounded, Layout(bounded)).names
