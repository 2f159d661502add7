"""From rules to properties and back."""

from pathlib import Path

import pytest

from nomadspec.checkers.report.relations import (
    find_properties,
    find_rules,
    list_property_facts,
    list_rule_facts,
    require_citing,
)
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UsageError

KERNEL = find_model("kernel")
RULES = {rule.name: rule for rule in KERNEL.rules}
ALL_RULES = (*KERNEL.rules, *KERNEL.starts)
PROPERTIES = {prop.name: prop for prop in KERNEL.properties}


def test_those_of_the_file_of_the_same_name_come_first() -> None:
    files = [Path(prop.file).name for prop in find_properties(RULES["LoseNode"], KERNEL)]

    assert "nodes.py" == files[0]
    assert {"nodes.py"} < set(files)
    assert files.count("nodes.py") == files.index(next(file for file in files if file != "nodes.py"))


def test_the_way_back_is_the_same() -> None:
    near = [(rule.name, prop.name) for rule in ALL_RULES for prop in find_properties(rule, KERNEL)]
    back = [
        (rule.name, prop.name)
        for prop in KERNEL.properties
        for rule in find_rules(prop, KERNEL)
        if set(rule.spec) & set(prop.spec)
    ]

    assert set(back) <= set(near)


def test_what_shares_no_id_has_those_of_its_file() -> None:
    alone = [
        rule for rule in KERNEL.rules if not any({*rule.spec} & {*prop.spec} for prop in KERNEL.properties)
    ]

    assert alone
    for rule in alone:
        assert {Path(rule.file).name} == {Path(prop.file).name for prop in find_properties(rule, KERNEL)}


def test_a_line_each_and_how_many_are_left_out() -> None:
    facts = list_property_facts(RULES["ApplyPlan"], KERNEL)
    left_out = len(find_properties(RULES["ApplyPlan"], KERNEL)) - 10

    assert ["properties", *[""] * 10] == [name for name, _ in facts]
    assert f"and {left_out} more: add --json" == facts[-1][1]
    assert ["rules", ""] == [
        name for name, _ in list_rule_facts(PROPERTIES["no_node_is_oversubscribed"], KERNEL)
    ]


def test_an_id_leads_to_what_cites_it() -> None:
    with pytest.raises(UsageError, match=r"^No property cites BROKER-20: .*; rules that do: A \(core\); "):
        require_citing("property", "BROKER-20", "rules", [("A", "core")])
    with pytest.raises(UsageError, match=r"; nor does any of the rules that were searched\.$"):
        require_citing("property", "BROKER-20", "rules", [])

    require_citing("property", "moon", "rules", [])
