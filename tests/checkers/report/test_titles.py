"""Titles beside IDs."""

from click import unstyle

from nomadspec.checkers.report.titles import (
    find_titles,
    lead_to_titles,
    list_facts,
    name_with_title,
    render_titles,
)


def test_an_id_is_named_with_its_title() -> None:
    assert "BROKER-05: A waiting evaluation does not hold its job's slot" == name_with_title("BROKER-05")


def test_the_ids_of_another_specification_stand_alone() -> None:
    assert "LEASE-1" == name_with_title("LEASE-1")
    assert {} == find_titles(["LEASE-1"])
    assert "" == render_titles(["LEASE-1"])
    assert "" == lead_to_titles(["LEASE-1"])


def test_titles_are_found_once_and_in_order() -> None:
    assert ["GC-23", "BROKER-05"] == list(find_titles(["GC-23", "BROKER-05", "GC-23"]))


def test_facts_have_a_line_for_each_id() -> None:
    assert [("formalises", "LEASE-1"), ("", "LEASE-2")] == list_facts(["LEASE-1", "LEASE-2"])
    assert [("formalises", "nothing")] == list_facts([])


def test_a_table_of_titles() -> None:
    assert ["ID     TITLE", "GC-23  Blocked and pending evaluations are never collected."] == [
        line.rstrip() for line in unstyle(render_titles(["GC-23"])).splitlines()
    ]
