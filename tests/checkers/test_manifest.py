"""The manifest is readable, agrees with the models, and is refused where it is wrong."""

from pathlib import Path

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.manifest import Effort, Published, find_published, list_published, load_manifest
from nomadspec.checkers.model_findings import find_finding, list_findings
from nomadspec.checkers.report.verification import find_problems
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.errors import InputError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK
from nomadspec.model.specification.profiles import find_profile

ENTRY = """[[scope]]
model = "core"
scope = "small"
profile = "intended"
reduction = "none"
verdict = "holds"
distinct = 3
generated = 4
depth = 2
seconds = 1
effort = "fast"
"""


def test_every_scope_of_every_model_is_published() -> None:
    names = list_model_names(with_classics=True)
    scopes = {(name, scope.name) for name in names for scope in find_model(name).scopes}

    assert scopes == {(entry.model, entry.scope) for entry in list_published()}


def test_every_entry_names_what_is_there() -> None:
    for entry in list_published():
        model = find_model(entry.model)
        assert entry.profile == find_profile(entry.profile).name
        assert entry.violates in {None, DEADLOCK, *(prop.name for prop in model.properties)}


def test_scopes_that_hold_are_published_for_both_profiles() -> None:
    holding = {
        (e.model, e.scope, e.reduction, e.profile)
        for e in list_published()
        if not e.is_failing and e.profile in {"nomad-2.0", "intended"}
    }

    assert holding == {
        (model, scope, reduction, profile)
        for model, scope, reduction, _ in holding
        for profile in ("nomad-2.0", "intended")
    }


def test_what_is_known_is_a_finding_that_its_cure_ends() -> None:
    entries = list_published()
    shown = {(name, entry.scope) for entry in entries for name in entry.known}

    for finding in list_findings():
        cured = [e for e in entries if (e.scope, e.profile) == (finding.scope, finding.cured_profile)]
        assert (finding.id, finding.scope) in shown
        assert {finding.shown.reduction, "none"} & {entry.reduction for entry in cured}
        # where one with several faces is known, it may be so for another of them
        others = [find_finding(name) for e in cured for name in e.known]
        assert all(other.faces or other.violates != finding.violates for other in others)


def test_what_must_be_reachable_is_promised_by_a_published_scope() -> None:
    published = {(entry.model, entry.scope) for entry in list_published() if not entry.is_failing}
    broken = [
        (name, prop.name, scope)
        for name in list_model_names()
        for prop in find_model(name).list_properties(Kind.SOMETIMES)
        for scope in prop.scopes
        if (name, scope) not in published
    ]

    assert [] == broken


def test_failing_scopes_are_judged_under_the_profile_that_they_are_about() -> None:
    for entry in list_published():
        if entry.is_failing:
            assert find_model(entry.model).find_scope(entry.scope).profile == entry.profile


def test_symmetry_changes_no_depth() -> None:
    depths = {(e.model, e.scope, e.profile, e.depth) for e in list_published() if not e.is_failing}

    assert len({place[:-1] for place in depths}) == len(depths)


def test_the_known_counts_are_published() -> None:
    counts = {
        (e.model, e.scope, e.reduction): (e.distinct, e.generated, e.depth)
        for e in list_published()
        if not e.is_failing and e.model in {"core", "2pc"}
    }

    assert counts == {
        ("core", "small", "none"): (34_069, 87_945, 21),
        ("core", "small", "symmetry"): (4_351, 11_305, 21),
        ("core", "flip", "none"): (1_209_975, 3_017_107, 39),
        ("core", "flip", "symmetry"): (152_064, 378_833, 39),
        ("core", "full", "none"): (16_559_713, 41_570_043, 60),
        ("core", "full", "symmetry"): (2_088_090, 5_239_045, 60),
        ("2pc", "small", "none"): (8_832, 58_146, 17),
        ("2pc", "small", "symmetry"): (314, 2_048, 17),
        ("2pc", "full", "none"): (1_745_408, 18_507_778, 26),
        ("2pc", "full", "symmetry"): (1_461, 15_287, 26),
    }


def test_published_searches_of_a_scope_are_found() -> None:
    assert {"none", "symmetry"} == {entry.reduction for entry in find_published("2pc", "small")}
    assert () == find_published("2pc", "nowhere")


def test_to_find_a_scope_is_to_read_all_and_choose() -> None:
    scopes = {(entry.model, entry.scope) for entry in list_published()}
    found = [entry for scope in scopes for entry in find_published(*scope)]

    assert set(list_published()) == set(found)
    assert len(list_published()) == len(found)


def test_a_number_may_stand_for_seconds(tmp_path: Path) -> None:
    (entry,) = load_manifest(write(tmp_path, ENTRY))

    assert 1.0 == entry.seconds
    assert Effort.FAST is entry.least_effort
    assert "core small, intended" == entry.title


def test_what_is_known_is_listed(tmp_path: Path) -> None:
    text = ENTRY.replace("intended", "nomad-2.0") + 'known = ["F-01", "F-02"]\n'
    (entry,) = load_manifest(write(tmp_path, text))

    assert ("F-01", "F-02") == entry.known


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1", "it lists no scopes; write [[scope]] above each entry"),
        ("x = ", "it is not TOML"),
        (ENTRY.replace('verdict = "holds"\n', ""), "at scope 1: verdict is missing; give it a text"),
        (ENTRY.replace("depth = 2", 'depth = "2"'), "at scope 1: depth should be a number, not '2'"),
        (ENTRY.replace("depth = 2", "depth = true"), "at scope 1: depth should be a number, not True"),
        (ENTRY.replace("depth = 2\n", ""), "a scope that holds has distinct, generated and depth"),
        (ENTRY + "more = 1\n", "at scope 1: 'more' is not a field; known are model, scope"),
        (ENTRY.replace("holds", "fine"), "verdict should be holds or violated, not 'fine'"),
        (ENTRY.replace("fast", "huge"), "effort should be fast, ci or deep, not 'huge'"),
        (ENTRY.replace("holds", "violated"), "violates belongs to scopes that are violated"),
        (
            ENTRY.replace("holds", "violated") + 'violates = "x"\n',
            "nothing may be violated under the profile intended",
        ),
        (ENTRY + 'known = ["F-01"]\n', "known belongs to scopes that hold but for what is known"),
        (ENTRY + "known = [1]\n", "at scope 1: known should be a list of texts, not [1]"),
        (ENTRY + ENTRY, "at scope 2: core small, intended is listed twice"),
    ],
)
def test_what_is_wrong_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        load_manifest(write(tmp_path, text))

    assert sentence in str(caught.value)


def test_a_missing_manifest_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file cannot be read"):
        load_manifest(tmp_path / "none.toml")


MOST_WORLDS = {"kernel": 100}
"""Of scopes that are searched here; to bind one of the kernel takes longer than to search it."""


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(
            one,
            id=one.title,
            marks=[]
            if one.distinct and one.distinct <= MOST_WORLDS.get(one.model, 600)
            else [pytest.mark.deep],
        )
        for one in list_published()
        if one.least_effort is Effort.FAST and one.profile != "intended"
    ],
)
def test_small_searches_find_what_is_published(entry: Published) -> None:
    """Those of more worlds come with the deep tests, and with each ``nomadspec verify``."""
    bounded = find_model(entry.model).at(entry.scope, profile=entry.profile)
    report = explore(bounded, reduction=entry.reduction)

    assert [] == find_problems(entry, report)


def write(folder: Path, text: str) -> Path:
    path = folder / "manifest.toml"
    path.write_text(text)
    return path
