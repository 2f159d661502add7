from nomadspec.checkers.mutants.altered import Altered
from nomadspec.checkers.mutants.mutant import Mutant, list_mutants
from nomadspec.checkers.mutants.scene import make_scene
from nomadspec.checkers.mutants.steps import AlteredSteps, make_move
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.model.errors import ModelError
from tests.checkers.mutants.jar import JAR, mutant_of, search_of

SCENE = make_scene(JAR, search_of())


def test_a_move_does_what_the_interpreter_does() -> None:
    bounded, layout = SCENE.task.bounded, SCENE.task.layout
    moves = [make_move(bounded, layout, position) for position in range(len(bounded.instances))]
    for packed in SCENE.worlds:
        after = [(at, move.after(packed, bounded, layout)) for at, move in enumerate(moves)]

        assert Stepper(bounded, layout).successors(packed) == [step for step in after if step[1] is not None]


def test_altered_steps_are_those_of_the_altered_model() -> None:
    rules = [one for one in list_mutants(JAR) if not one.part.is_property]
    for mutant in rules:
        with swapped(mutant.part.function, mutant.edit.definition):
            check_steps(mutant)

    assert rules


def check_steps(mutant: Mutant) -> None:
    """Compare what is remembered with the interpreter, which runs the text that is in force."""
    altered = Altered(SCENE.task.bounded, mutant.part)
    steps, layout = AlteredSteps(SCENE.steps, altered), SCENE.task.layout
    for packed in SCENE.worlds:
        cells = layout.unpack(packed)
        try:
            expected = [(one.number, layout.pack(after)) for one, after in altered.successors(cells)]
        except ModelError:
            continue  # the engine refuses this one, and so it never gets here

        assert expected == steps.successors(packed)


def test_a_difference_that_no_world_shows_is_none() -> None:
    assert not differs(mutant_of("take", "effect left out", "t.lid"), worlds=())
    assert differs(mutant_of("fill", "effect left out", "labelled"), worlds=SCENE.worlds)


def differs(mutant: Mutant, worlds: tuple[int, ...]) -> bool:
    with swapped(mutant.part.function, mutant.edit.definition):
        altered = Altered(SCENE.task.bounded, mutant.part)
        return AlteredSteps(SCENE.steps, altered).differ(worlds)
