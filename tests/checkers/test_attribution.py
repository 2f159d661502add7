"""A violation is put down to a finding only where the cure of that finding ends it."""

from dataclasses import replace

import pytest

from nomadspec.checkers.attribution import (
    Attribution,
    Owned,
    Search,
    attribute,
    cure,
    find_owners,
    make_search,
    name_cured,
)
from nomadspec.checkers.explore import explore
from nomadspec.invariants.catalogue import find_model
from nomadspec.invariants.known_finding import Face, KnownFinding
from nomadspec.model.specification.quirks import HASTY_REAP, LOST_ACK, SILENT_PURGE
from tests.checkers.findings import KNOWN, make_known

ACK = replace(KNOWN, id="F-01", model="kernel", shown=Face("stays", "a", 3), cure=LOST_ACK)
REAP = replace(
    KNOWN,
    id="F-02",
    model="kernel",
    shown=Face("kept", "a", 3),
    cure=HASTY_REAP,
    faces=(Face("stays", "a", 3),),
)


def break_unless(*cured: str) -> Search:
    """Make a search that finds every property violated unless all these quirks are mended."""
    return lambda profile, _name: not {f"-{one}" for one in cured} <= set(profile.split())


@pytest.fixture(autouse=True)
def _two_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch, ACK, REAP)


def test_a_violation_belongs_to_the_finding_whose_cure_ends_it() -> None:
    said = attribute("kernel", "nomad-2.0", ["stays"], break_unless(HASTY_REAP.id))

    assert (Attribution("stays", ("F-02",), f"nomad-2.0 -{HASTY_REAP.id}"),) == said


def test_two_causes_are_found_where_no_cure_alone_helps() -> None:
    (said,) = attribute("kernel", "nomad-2.0", ["stays"], break_unless(HASTY_REAP.id, LOST_ACK.id))

    assert ("F-01", "F-02") == said.findings


def test_what_remains_with_every_cure_is_put_down_to_nothing() -> None:
    (said,) = attribute("kernel", "nomad-2.0", ["stays"], break_unless(LOST_ACK.id, SILENT_PURGE.id))

    assert () == said.findings
    assert f"nomad-2.0 -{LOST_ACK.id} -{HASTY_REAP.id}" == said.cured


def test_a_property_that_no_finding_names_is_not_explained() -> None:
    (said,) = attribute("kernel", "nomad-2.0", ["new"], break_unless())

    assert () == said.findings


def test_only_what_a_profile_has_is_cured() -> None:
    assert f"nomad-2.0 -{LOST_ACK.id} -{HASTY_REAP.id}" == cure(f"nomad-2.0 -{LOST_ACK.id}", [ACK, REAP])
    assert "intended" == cure("intended", [ACK, REAP])


def test_samples_ask_where_everything_known_is_cured() -> None:
    assert f"nomad-2.0 -{LOST_ACK.id} -{HASTY_REAP.id}" == name_cured("kernel", "nomad-2.0")
    assert "intended" == name_cured("kernel", "intended")
    assert "nomad-2.0" == name_cured("core", "nomad-2.0")


def test_a_search_that_is_cut_short_shows_no_cure() -> None:
    model = find_model("2pc")

    assert make_search(model, "hasty", "none")("X-03", "managers_agree")
    assert not make_search(model, "hasty", "none")("intended", "managers_agree")
    assert make_search(model, "hasty", "none", seconds=1e-9)("intended", "managers_agree")


def test_a_story_shows_the_finding_without_whose_quirk_its_steps_do_not_show_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_known(monkeypatch)
    bounded = find_model("2pc").at("hasty")
    findings = explore(bounded).findings

    assert {"managers_agree": Owned((KNOWN,), is_mended=True)} == find_owners(findings, bounded, "2pc")
    assert {} == find_owners(findings, bounded, "my.py:KERNEL")
    assert {} == find_owners(findings, find_model("2pc").at("hasty", profile="intended"), "2pc")


@pytest.mark.parametrize(
    ("known", "is_mended"),
    [
        (replace(KNOWN, shown=replace(KNOWN.shown, violates="other")), True),
        (replace(KNOWN, cure=LOST_ACK), False),
    ],
)
def test_a_finding_of_something_else_explains_nothing(
    monkeypatch: pytest.MonkeyPatch, known: KnownFinding, *, is_mended: bool
) -> None:
    """That mending all that is known ends it is said; so is that it does not."""
    make_known(monkeypatch, known)
    bounded = find_model("2pc").at("hasty", profile=f"X-03 +{LOST_ACK}")

    owners = find_owners(explore(bounded).findings, bounded, "2pc")

    assert {"managers_agree": Owned((), is_mended=is_mended)} == owners


def test_what_leads_to_the_same_is_mended_where_one_cure_does_not_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = replace(KNOWN, cure=LOST_ACK, beside=(KNOWN.cure,))
    make_known(monkeypatch, both)
    bounded = find_model("2pc").at("hasty", profile=f"X-03 +{LOST_ACK}")

    owners = find_owners(explore(bounded).findings, bounded, "2pc")

    assert {"managers_agree": Owned((both,), is_mended=True)} == owners
