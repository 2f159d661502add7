import pytest

from nomadspec.model.cluster.admission.preferences import (
    check_affinities,
    check_constraint,
    check_constraints,
    check_spreads,
)
from nomadspec.model.cluster.entities import Affinity, Constraint, Operand, Spread, SpreadTarget


def complain_of(left: str, operand: str, right: str) -> list[str]:
    return [
        found.text for found in check_constraint(Constraint(ltarget=left, operand=operand, rtarget=right))
    ]


@pytest.mark.parametrize(
    ("left", "operand", "right"),
    [
        ("${attr.kernel.name}", "=", "linux"),
        ("${node.class}", "!=", "a"),
        ("${meta.rack}", "is_set", ""),
        ("plain text", "regexp", "^p"),
        ("", "distinct_hosts", ""),
        ("${node.datacenter}", "distinct_property", ""),
        ("${node.datacenter}", "distinct_property", "3"),
        ("${attr.nomad.version}", "version", ">= 1.0, < 2"),
        ("${attr.nomad.version}", "semver", ">= 1.0.0"),
        ("${attr.os.signals}", "set_contains", "SIGHUP"),
    ],
)
def test_good_constraints(left: str, operand: str, right: str) -> None:
    assert [] == complain_of(left, operand, right)


@pytest.mark.parametrize(
    ("left", "operand", "right", "complaints"),
    [
        ("${node.class}", "", "a", ["Missing constraint operand", 'Unknown constraint type ""']),
        ("${node.class}", "~=", "a", ['Unknown constraint type "~="']),
        ("", "=", "a", ["no attribute provided but is required by operator"]),
        ("${node.class}", "set_contains_any", "", ["Set contains constraint requires an RTarget"]),
        (
            "${node.class}",
            "regexp",
            "a[",
            ["Regular expression failed to compile: error parsing regexp: missing closing ]: `[`"],
        ),
        (
            "${node.class}",
            "version",
            "x.y",
            ["Version constraint is invalid: malformed constraint: x.y"],
        ),
        (
            "${node.class}",
            "distinct_property",
            "0",
            ["Distinct Property must have an allowed count of 1 or greater: 0 < 1"],
        ),
        (
            "${node.class}",
            "distinct_property",
            "two",
            [
                'Failed to convert RTarget "two" to uint64: strconv.ParseUint: parsing "two": invalid syntax',
            ],
        ),
    ],
)
def test_bad_constraints_in_the_words_of_the_server(
    left: str, operand: str, right: str, complaints: list[str]
) -> None:
    """OBJ-131."""
    assert complaints == complain_of(left, operand, right)


@pytest.mark.parametrize(
    ("left", "operand", "right"),
    [
        ("${node.class}", "=", ""),
        ("${node.class}", "is_set", "a"),
        ("${node.class}", "semver", "x.y"),
        ("${node.class}", "regexp", "(?<=a)b"),
        ("${node.colour}", "=", "a"),
        ("${attr.x", "=", "a"),
    ],
)
def test_bad_constraints_for_which_nobody_gives_the_words(left: str, operand: str, right: str) -> None:
    """OBJ-131."""
    (found,) = check_constraint(Constraint(ltarget=left, operand=operand, rtarget=right))

    assert not found.is_worded


def test_a_constraint_is_named_by_its_number() -> None:
    good, bad = Constraint(operand=Operand.DISTINCT_HOSTS), Constraint(ltarget="a", operand="~")
    (found,) = check_constraints([good, bad])

    assert "Constraint 2 validation failed: " == found.text


@pytest.mark.parametrize(
    ("affinity", "complaints"),
    [
        (Affinity(ltarget="a", rtarget="b", operand="=", weight=-100), []),
        (Affinity(ltarget="a", rtarget="b", operand="=", weight=0), ["Affinity weight cannot be zero"]),
        (
            Affinity(ltarget="a", rtarget="b", weight=1),
            ["Missing affinity operand", 'Unknown affinity operator ""'],
        ),
        (
            Affinity(ltarget="a", operand="distinct_hosts", weight=1),
            ['Unknown affinity operator "distinct_hosts"'],
        ),
        (Affinity(ltarget="${odd}", rtarget="b", operand="=", weight=1), []),
    ],
)
def test_affinities(affinity: Affinity, complaints: list[str]) -> None:
    """OBJ-133."""
    assert complaints == [part.text for found in check_affinities([affinity]) for part in found.parts]


@pytest.mark.parametrize("weight", [-101, 101])
def test_an_affinity_weighs_a_hundred_at_most(weight: int) -> None:
    (found,) = check_affinities([Affinity(ltarget="a", rtarget="b", operand="=", weight=weight)])

    assert str(weight) in found.parts[0].text


def spread(*targets: tuple[str, int], weight: int = 50, attribute: str = "${node.datacenter}") -> Spread:
    return Spread(
        attribute=attribute,
        weight=weight,
        spread_target=tuple(SpreadTarget(value=value, percent=percent) for value, percent in targets),
    )


@pytest.mark.parametrize(
    ("wanted", "complaints"),
    [
        (spread(("a", 60), ("b", 40)), []),
        (spread(weight=0), ["Spread block must have a positive weight from 0 to 100"]),
        (spread(weight=101), ["Spread block must have a positive weight from 0 to 100"]),
        (spread(attribute=""), ["Missing spread attribute"]),
        (spread(("a", 10), ("a", 20)), ['Spread target value "a" already defined']),
        (
            spread(("a", 60), ("b", 50)),
            ["Sum of spread target percentages must not be greater than 100%; got 110%"],
        ),
        (
            spread(("a", 101)),
            [
                'Spread target percentage for value "a" must be between 0 and 100',
                "Sum of spread target percentages must not be greater than 100%; got 101%",
            ],
        ),
    ],
)
def test_spreads(wanted: Spread, complaints: list[str]) -> None:
    """OBJ-134."""
    assert complaints == [part.text for found in check_spreads([wanted]) for part in found.parts]


@pytest.mark.parametrize(
    "expression", ["a{4294967295}", "(" * 5000, "(" * 3000 + ")" * 3001, "a{" + "9" * 5000 + "}"]
)
def test_expressions_beyond_the_bounds_of_python_are_complained_of(expression: str) -> None:
    (complaint,) = complain_of("${node.class}", "regexp", expression)

    assert complaint.startswith("Regular expression failed to compile: error parsing regexp: ")


def test_counts_of_any_length_are_read() -> None:
    assert [] == complain_of("${node.class}", "distinct_property", "0" * 5000 + "3")
    for count in ("9" * 5000, str(2**64)):
        trouble = f'strconv.ParseUint: parsing "{count}": value out of range'
        assert [f'Failed to convert RTarget "{count}" to uint64: {trouble}'] == complain_of(
            "${node.class}", "distinct_property", count
        )
