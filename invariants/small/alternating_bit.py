"""What must be true of the alternating bit protocol."""

import sys

from nomadspec.model.language.logic import Flag, Value, all_of, iff, implies
from nomadspec.model.language.property import By, always, eventually, lemma, properties_in, sometimes, step
from nomadspec.model.small.alternating_bit import ALTERNATING_BIT as RULES
from nomadspec.model.small.alternating_bit import Bit, Line, receive


@always("ABP!Safety", why="a packet that is handed on twice, or not at all, spoils what it is part of")
def nothing_is_lost_or_doubled(s: Line) -> Flag:
    """As many packets were handed on as the sender knows of, or one more."""
    return all_of(s.sent <= s.received, s.received <= s.sent + 1)


@step("ABP!Receive", why="packets have an order")
def packets_come_in_order(s: Line, n: Line, by: By) -> Flag:
    """A packet which is handed on is the next one."""
    if not by.is_(receive):
        return True
    return implies(n.received > s.received, s.number == s.received)


@sometimes("ABP!Repeat", why="the bit only matters where a packet comes again")
def a_packet_comes_again(s: Line) -> Flag:
    """A packet is under way that was handed on already."""
    return all_of(s.data != Bit.NOTHING, s.number < s.received)


@eventually("ABP!Liveness", why="what is sent should arrive")
def everything_arrives(s: Line) -> Value:
    """The sender knows that all packets were received."""
    return s.sent == s.packets


@lemma("ABP!Safety", why="a bit can only tell two packets apart that follow each other")
def bits_tell_packets_apart(s: Line) -> Flag:
    """What is under way is of the packet that is sent, or of the one before, which was received."""
    return all_of(
        s.sending != Bit.NOTHING,
        s.expected != Bit.NOTHING,
        iff(s.received == s.sent, s.expected == s.sending),
        implies(s.receipt == s.sending, s.received > s.sent),
        implies(s.data == s.sending, s.number == s.sent),
        implies(all_of(s.data != Bit.NOTHING, s.data != s.sending), s.received == s.sent),
    )


@lemma("ABP!Send", why="behind the last packet nothing is sent")
def no_packet_is_beyond_the_last(s: Line) -> Flag:
    """What is under way or received is one of the packets."""
    return all_of(
        s.sent <= s.packets,
        implies(s.received > s.sent, s.sent < s.packets),
        implies(s.data == s.sending, s.sent < s.packets),
    )


ALTERNATING_BIT = RULES.with_properties(properties_in(sys.modules[__name__]))
