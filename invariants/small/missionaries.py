"""What must be true on both banks of the river."""

import sys

from nomadspec.model.language.logic import Flag, all_of
from nomadspec.model.language.property import always, properties_in, sometimes
from nomadspec.model.small.missionaries import MISSIONARIES as RULES
from nomadspec.model.small.missionaries import River, is_across, is_safe


@always("River!Safe", why="who is outnumbered is eaten")
def nobody_is_eaten(s: River) -> Flag:
    """On no bank missionaries are outnumbered."""
    return all_of(
        is_safe(s.missionaries, s.cannibals), is_safe(s.pairs - s.missionaries, s.pairs - s.cannibals)
    )


@sometimes("River!Solved", why="it is what the puzzle asks for")
def everyone_is_across(s: River) -> Flag:
    """Everyone is on the second bank."""
    return is_across(s)


MISSIONARIES = RULES.with_properties(properties_in(sys.modules[__name__]))
