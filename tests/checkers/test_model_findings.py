"""The known findings are told apart and looked up."""

import pytest

from nomadspec.checkers.model_findings import find_finding, list_findings, name_known
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.findings import KNOWN, make_known


def test_a_finding_is_looked_up_by_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)

    assert KNOWN is find_finding("F-99")
    assert (KNOWN,) == list_findings("2pc") == list_findings()
    assert () == list_findings("core")
    with pytest.raises(UnknownNameError, match="F-99"):
        find_finding("F-98")


def test_a_profile_shows_the_findings_whose_quirk_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)

    assert (KNOWN,) == name_known("2pc", "X-03")
    assert () == name_known("2pc", "intended")
    assert () == name_known("core", "X-03")


def test_every_finding_names_what_is_there() -> None:
    known = list_findings()

    assert len({one.id for one in known}) == len(known)
    for one in known:
        model = find_model(one.model)
        assert one.scope == model.find_scope(one.scope).name
        assert one.violates in {"deadlock", *[prop.name for prop in model.properties]}
        assert NOMAD_2_0.has(one.cure)


def test_no_finding_is_told_twice() -> None:
    told = [(one.violates, one.cure.id) for one in list_findings()]

    assert sorted(set(told)) == sorted(told)
