"""Each ID that nothing cites has a reason of its own, and no other ID has one."""

import re

import pytest

from nomadspec.checkers.reference.citations import list_citations
from nomadspec.checkers.reference.uncited import UNCITED, find_uncited
from nomadspec.checkers.reference.uncited_kinds import KINDS
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.specification.catalogue import list_ids

NAMED = re.compile(r"\b(?:[A-Z]+-\d+[a-z]?|\d\d/S-?\d+)\b")


@pytest.fixture(name="cited", scope="module")
def _cited() -> set[str]:
    return {citation.spec_id for citation in list_citations()}


def test_every_id_is_either_cited_or_has_a_reason(cited: set[str]) -> None:
    without = [spec_id for spec_id in list_ids() if spec_id not in cited and spec_id not in UNCITED]
    both = sorted(cited & UNCITED.keys())

    assert (without, both) == ([], [])


def test_every_kind_is_known_and_used() -> None:
    assert {one.kind for one in UNCITED.values()} == KINDS.keys()


def test_a_reason_is_a_sentence_that_leans_on_cited_ids_only(cited: set[str]) -> None:
    assert not [spec_id for spec_id, one in UNCITED.items() if not re.fullmatch(r"[A-Z0-9].+\.", one.why)]
    leaning = {name for one in UNCITED.values() for name in NAMED.findall(one.why)}

    assert not leaning - cited


def test_what_states_behaviour_is_cited_where_it_is_done() -> None:
    done = {(one.spec_id, one.name) for one in list_citations() if one.kind == "function"}

    assert done >= {
        ("OBJ-135", "gather_needs"),
        ("OBJ-135", "list_affinities"),
        ("OBJ-135", "list_spreads"),
        ("OBJ-226", "write_planned_alloc"),
        ("OBJ-263", "filter"),
        ("OBJ-264", "note_exhausted"),
        ("OBJ-277", "has_old_client"),
        ("TRIG-18", "make_blocked"),
        ("DEP-58", "ScaleJob"),
        ("SYSDEP-25", "update_deployment_status"),
        ("EVAL-27", "finish"),
        ("OBJ-017", "delete_evals"),
        ("GC-35", "_collect_jobs"),
        ("TRIG-26", "EnqueueCoreEval"),
        ("TRIG-27", "ack"),
        ("03/S12", "_make_ineligible"),
    }
    assert ("OBJ-135", "check_task") not in done


def test_what_has_no_reason_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="no reason for the uncited ID named 'BROKER-25'"):
        find_uncited("BROKER-25")
