import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.manifest import Published
from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.mutants.mutant import Mutant, list_mutants
from nomadspec.checkers.mutants.scene import Scene, make_scene
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.requested_properties import list_with_lemmas
from nomadspec.checkers.verdict import ExploreReport
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ModelError
from nomadspec.model.language.fingerprint import format_digest
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import PROMISES, TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import PATH_KINDS
from tests.checkers.asking import SOUND
from tests.checkers.mutants.jar import JAR, mutant_of, search_of

TWO = make_scene(JAR, search_of())


def compare(scene: Scene, mutant: Mutant) -> Difference:
    with swapped(mutant.part.function, mutant.edit.definition):
        return scene.compare(mutant.part)


def test_a_step_that_breaks_a_property_is_noticed() -> None:
    found = compare(TWO, mutant_of("take", "effect left out", "t.lid"))

    assert "nobody_is_robbed" in found.names


def test_a_world_that_is_missed_is_noticed() -> None:
    found = compare(TWO, mutant_of("take", "effect left out", "t.happy"))

    assert {"all_are_happy"} <= found.names


@pytest.mark.parametrize(
    ("function", "before"),
    [
        ("light_next_if_any", "t.when(s.at[guest] + 1 < s.many)"),
        ("the_next_is_dark_if_any", "s.at[g] + 1 < s.many"),
    ],
)
def test_a_mutant_that_asks_a_table_for_what_it_has_not_is_noticed(function: str, before: str) -> None:
    scene = make_scene(SOUND, Published("street", "default", "nomad-2.0", "none", "holds", 0.0, "fast"))
    mutants = [one for one in list_mutants(SOUND) if one.part.name == function and one.edit.before in before]

    assert TEXTS_HAVE_ANSWERS in set[str]().union(*(compare(scene, mutant).names for mutant in mutants))


def test_a_hole_in_the_properties_lets_a_mutant_pass() -> None:
    assert Difference(Effect.WORLDS) == compare(TWO, mutant_of("fill", "effect left out", "labelled"))


def test_a_property_made_true_is_not_noticed_by_what_holds() -> None:
    assert Difference(Effect.STEPS) == compare(TWO, mutant_of("nobody_is_robbed", "property made true"))


def test_a_property_that_is_wrong_now_is_noticed() -> None:
    found = compare(TWO, mutant_of("nobody_is_robbed", "comparison turned", "s.sweets == 0"))

    assert frozenset({"nobody_is_robbed"}) == found.names


def test_a_property_is_asked_about_a_mutant_of_a_rule() -> None:
    mutant = mutant_of("take", "effect left out", "t.lid")
    with swapped(mutant.part.function, mutant.edit.definition):
        first = TWO.find_first(mutant.part, "nobody_is_robbed")
        assert first is not None
        assert first > 0
        assert TWO.find_first(mutant.part, "joy_lasts") is None


def test_what_shows_in_no_single_world_is_found_as_well() -> None:
    mutant = mutant_of("take", "effect left out", "t.happy")
    with swapped(mutant.part.function, mutant.edit.definition):
        assert 0 == TWO.find_first(mutant.part, "all_are_happy")


def cases(name: str, *searches: Published) -> list[tuple[str, Published, Mutant]]:
    return [(name, search, mutant) for search in searches for mutant in list_mutants(model_of(name))]


def model_of(name: str) -> Model:
    return JAR if name == "jar" else find_model(name)


HASTY = Published("2pc", "hasty", "X-03", "none", "violated", 0.1, "fast", violates="managers_agree")
QUICK = cases("jar", search_of(), search_of("three"), search_of("two", "symmetry"))
WIDE = cases("2pc", HASTY)


@pytest.mark.parametrize(("name", "search", "mutant"), QUICK[::9] + WIDE[::14])
def test_a_kept_search_finds_what_a_fresh_one_finds(name: str, search: Published, mutant: Mutant) -> None:
    check_alike(model_of(name), search, mutant)


@pytest.mark.deep
@pytest.mark.parametrize(("name", "search", "mutant"), QUICK + WIDE)
def test_each_kept_search_finds_what_a_fresh_one_finds(name: str, search: Published, mutant: Mutant) -> None:
    check_alike(model_of(name), search, mutant)


def check_alike(model: Model, search: Published, mutant: Mutant) -> None:
    """Compare a kept search with one that begins from nothing."""
    scene = make_scene(model, search)
    usual = list_found(explore_of(model, search), search)
    with swapped(mutant.part.function, mutant.edit.definition):
        try:
            fresh = explore_of(model, search)
        except ModelError:
            fresh = None
        try:
            found = scene.compare(mutant.part)
        except ModelError:
            assert fresh is None or any(one.property in PROMISES for one in fresh.findings)
            return

    assert fresh is not None
    assert list_found(fresh, search) ^ usual == found.names
    is_other = fresh.digest != format_digest(scene.usual.digest)
    assert is_other == (found.effect is Effect.WORLDS)


def list_found(report: ExploreReport, search: Published) -> set[str]:
    """Name what was found; under a reduction a kept search asks nothing about endless paths."""
    is_whole = search.reduction == "none"
    return {one.property for one in report.findings if is_whole or one.kind not in PATH_KINDS}


def explore_of(model: Model, search: Published) -> ExploreReport:
    bounded = model.at(search.scope, profile=search.profile)
    return explore(
        bounded,
        properties=list_with_lemmas(bounded),
        reduction=search.reduction,
        stop_at_first=False,
        engine="interpreted",
    )
