"""What a job asks of nodes: constraints, affinities and spreads."""

from enum import StrEnum

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Int8, Uint8


class Operand(StrEnum):
    """How the two sides of a constraint are compared."""

    EQUAL = "="
    EQUAL_TWICE = "=="
    IS = "is"
    UNEQUAL = "!="
    NOT = "not"
    LESS = "<"
    LESS_OR_EQUAL = "<="
    GREATER = ">"
    GREATER_OR_EQUAL = ">="
    REGEXP = "regexp"
    VERSION = "version"
    SEMVER = "semver"
    SET_CONTAINS = "set_contains"
    SET_CONTAINS_ALL = "set_contains_all"
    SET_CONTAINS_ANY = "set_contains_any"
    DISTINCT_HOSTS = "distinct_hosts"
    DISTINCT_PROPERTY = "distinct_property"
    IS_SET = "is_set"
    IS_NOT_SET = "is_not_set"


class Constraint(Struct, frozen=True, kw_only=True):
    """A condition that a node has to meet."""

    ltarget: str = ""
    rtarget: str = ""
    operand: str = ""


class Affinity(Struct, frozen=True, kw_only=True):
    """A condition that makes a node better or worse, by its weight."""

    ltarget: str = ""
    rtarget: str = ""
    operand: str = ""
    weight: Int8 = 0


class SpreadTarget(Struct, frozen=True, kw_only=True):
    """The share of allocations that should go to one value of the attribute."""

    value: str = ""
    percent: Uint8 = 0


class Spread(Struct, frozen=True, kw_only=True):
    """The wish that allocations spread over the values of an attribute."""

    attribute: str = ""
    weight: Int8 = 0
    spread_target: tuple[SpreadTarget, ...] = ()
