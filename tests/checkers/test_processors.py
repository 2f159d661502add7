import multiprocessing
import os

import pytest

from nomadspec.checkers.processors import can_fork, count_processors


def test_only_processors_that_may_be_used_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0, 3, 5}, raising=False)

    assert 3 == count_processors()


@pytest.mark.parametrize(("known", "counted"), [(8, 8), (None, 1)])
def test_where_nothing_says_what_may_be_used_all_count(
    monkeypatch: pytest.MonkeyPatch, known: int | None, counted: int
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: known)

    assert counted == count_processors()


@pytest.mark.parametrize(("methods", "expected"), [(["spawn"], False), (["fork", "spawn"], True)])
def test_some_systems_copy_no_process(
    monkeypatch: pytest.MonkeyPatch, methods: list[str], *, expected: bool
) -> None:
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: methods)

    assert expected is can_fork()
