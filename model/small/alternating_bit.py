"""The alternating bit protocol: packets over channels that lose some arrive all the same, each once.

It teaches that one bit tells a packet from its repetition, and that what is lost again and again must come
through at last, which is strong fairness.
"""

from enum import IntEnum

from nomadspec.model.language.domain import counter, upto
from nomadspec.model.language.logic import any_of, ite
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule, strong, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, size
from nomadspec.model.specification.mistakes import IGNORED_BIT


class Bit(IntEnum):
    """What a channel holds: nothing, or a message with a bit."""

    NOTHING = 0
    ZERO = 1
    ONE = 2


class Line(World):
    """A sender and a receiver with a bit each, and a channel for one message in each direction."""

    packets = size(3, "how many packets are sent")

    sending = field(Bit, init=Bit.ZERO, about="the bit that the sender sends with")
    expected = field(Bit, init=Bit.ZERO, about="the bit that the receiver expects")
    sent = field(counter(packets), init=0, about="packets whose receipt the sender knows of")
    received = field(counter(packets + 1), init=0, about="packets that the receiver has handed on")
    data = field(Bit, init=Bit.NOTHING, about="the bit of the packet under way")
    number = field(upto(packets), init=0, about="the number of the packet under way")
    receipt = field(Bit, init=Bit.NOTHING, about="the bit of the receipt under way")


def flip(bit: Bit) -> Bit:
    """Give the other bit."""
    return ite(bit == Bit.ZERO, Bit.ONE, Bit.ZERO)


@rule("ABP!Send", fair=weak())
def send(s: Line, t: Line) -> None:
    """The sender sends the first packet that it has no receipt of, maybe once more."""
    t.require(s.sent < s.packets, s.data == Bit.NOTHING)
    t.data = s.sending
    t.number = s.sent


@rule("ABP!LoseData")
def lose_packet(s: Line, t: Line) -> None:
    """The packet under way is lost."""
    t.require(s.data != Bit.NOTHING)
    t.data = Bit.NOTHING
    t.number = 0


@rule("ABP!Receive", fair=strong())
def receive(s: Line, t: Line) -> None:
    """The receiver hands a new packet on, and sends a receipt of what came."""
    t.require(s.data != Bit.NOTHING, s.received <= s.packets)
    is_new = any_of(s.has(IGNORED_BIT), s.data == s.expected)
    t.when(is_new).received = s.received + 1
    t.when(is_new).expected = flip(s.data)
    t.receipt = s.data
    t.data = Bit.NOTHING
    t.number = 0


@rule("ABP!LoseAck")
def lose_receipt(s: Line, t: Line) -> None:
    """The receipt under way is lost."""
    t.require(s.receipt != Bit.NOTHING)
    t.receipt = Bit.NOTHING


@rule("ABP!ReceiveAck", fair=strong())
def take_receipt(s: Line, t: Line) -> None:
    """The sender goes on to the next packet when the receipt is one of the packet that it sends."""
    t.require(s.receipt != Bit.NOTHING)
    is_right = s.receipt == s.sending
    t.when(is_right).sent = s.sent + 1
    t.when(is_right).sending = flip(s.sending)
    t.receipt = Bit.NOTHING


ALTERNATING_BIT = Model(
    name="alternating-bit",
    about="packets arrive once each, over channels that lose messages",
    world=Line,
    rules=(send, lose_packet, receive, lose_receipt, take_receipt),
    is_at_rest=lambda s: s.sent == s.packets,
    scopes=(
        Scope("small", "three packets"),
        Scope("ignorant", "the receiver ignores the bit: must fail", {}, IGNORED_BIT.id),
    ),
)
