"""What must be true of the detection of termination."""

import sys

from nomadspec.model.language.logic import Flag, all_of, exists, for_all, implies, not_
from nomadspec.model.language.property import always, eventually, properties_in, sometimes
from nomadspec.model.small.ewd840 import EWD840 as RULES
from nomadspec.model.small.ewd840 import Ring, is_detected


def is_terminated(s: Ring) -> Flag:
    """True while nobody works any more."""
    return for_all(not_(s.active[node]) for node in s.nodes)


@always("EWD840!TerminationDetection", why="stopping too early loses work")
def termination_is_detected_only_when_all_nodes_rest(s: Ring) -> Flag:
    """No node works any more once termination is detected."""
    return implies(is_detected(s), is_terminated(s))


@sometimes("EWD840!SendMsg", why="colours only matter where the token meets a black node")
def the_token_is_with_a_black_node(s: Ring) -> Flag:
    """A black node other than the first has the token."""
    return exists(all_of(node > 0, s.token_at == node, s.black[node]) for node in s.nodes)


@eventually("EWD840!Liveness", why="a termination that is never detected helps nobody", given=is_terminated)
def termination_is_detected(s: Ring) -> Flag:
    """Termination is detected."""
    return is_detected(s)


EWD840 = RULES.with_properties(properties_in(sys.modules[__name__]))
