"""Applying entries: which types there are, and what comes of one."""

import pytest

from nomadspec.model.cluster.store import Entry, State, apply
from nomadspec.model.cluster.store.entries import HANDLERS, OUTSIDE_TABLES, REQUEST_TYPES, find_request_type
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import EvalUpdate, JobDeregister, NodeDeregister
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.store.made import make_eval


def test_every_type_of_entry_has_a_handler() -> None:
    assert set(REQUEST_TYPES.values()) <= set(HANDLERS)
    assert not set(OUTSIDE_TABLES) & set(REQUEST_TYPES)


def test_types_are_found_by_the_names_that_logs_give_them() -> None:
    assert NodeDeregister is find_request_type("NodeDeregister")
    for name in ("JobVersionTag", "DeploymentStatusUpdate", "BatchNodeUpdateDrain"):
        assert find_request_type(name) in HANDLERS


def test_an_unknown_type_is_told() -> None:
    with pytest.raises(InputError, match="Nothing"):
        find_request_type("Nothing")


def test_the_state_before_stays_as_it_is() -> None:
    before = make_initial_state()
    after = apply(before, Entry(5, EvalUpdate(evals=(make_eval(),))), profile=NOMAD_2_0).state

    assert (0, 1) == (len(before.evals), len(after.evals))


def test_a_refused_entry_with_two_transactions_shows_the_one_that_was_made() -> None:
    """FSM-12."""
    applied = apply(State(), Entry(5, JobDeregister(job_id="web", eval=make_eval())), profile=NOMAD_2_0)

    assert applied.error is not None
    assert 1 == len(applied.transactions)
