"""The families of recordings."""

import pytest

from nomadspec.checkers.oracle.judgement import Unsupported
from nomadspec.checkers.oracle.registry import (
    DATA,
    Kind,
    find_judge,
    find_kind,
    find_trace_judge,
    list_kinds,
    read_kind,
)
from nomadspec.model.errors import UnknownNameError
from tests.recorded import COMPONENTS


def test_every_recorded_file_is_of_a_kind() -> None:
    found = {f"{path.parent.name}/{path.name.partition('.')[0]}" for path in COMPONENTS.rglob("*.xz")} - {
        "/".join(names) for names in DATA
    }

    assert found == set(list_kinds()) - {"scheduler"}


@pytest.mark.parametrize(
    ("family", "stem", "name"),
    [
        ("broker", "sequences", "broker/sequences"),
        ("broker", "more-sequences", "broker/sequences"),
        ("scheduler", "batch-00", "scheduler"),
        ("tasks-updated", "bases", "tasks-updated/bases"),
    ],
)
def test_a_family_with_one_kind_of_recordings_knows_every_file_name(
    family: str, stem: str, name: str
) -> None:
    kind = find_kind(family, stem)

    assert kind is not None
    assert (name, stem == "bases") == (kind.name, kind.is_data)


def test_other_files_are_unknown() -> None:
    assert find_kind("constraints", "more") is None
    assert find_kind("shopping", "cases") is None


def test_a_kind_can_be_asked_for() -> None:
    assert Kind("constraints", "operands") == read_kind("constraints/operands")
    assert Kind("gc", "cases") == read_kind("gc")
    with pytest.raises(UnknownNameError, match="did you mean broker/sequences"):
        read_kind("brokers/sequence")
    with pytest.raises(UnknownNameError, match="family of recordings named 'tasks-updated/bases'"):
        read_kind("tasks-updated/bases")


def test_every_kind_has_a_judge() -> None:
    assert all(callable(find_judge(read_kind(name))) for name in list_kinds())
    assert callable(find_trace_judge())


def test_a_kind_without_a_judge_is_unsupported() -> None:
    with pytest.raises(Unsupported, match="the model does not cover weather/cases"):
        find_judge(Kind("weather", "cases"))
