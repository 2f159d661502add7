"""The mistakes of the classics: what each of the small models does under a profile of its own, and must not.

They are quirks, since a rule asks for them as it asks for any other, and the ID of one names the profile that
has only it. They are none of Nomad's: no release has them, and no list of its quirks shows them. An ID begins
with the name of its model.
"""

from nomadspec.model.specification.quirk import Quirk

CARELESS_MOVE = Quirk(
    "hanoi/careless-move",
    happens="A disc that is free is put anywhere, also on a smaller one.",
    intended="A disc is put on larger discs only.",
    shipped=False,
)
SPILLED = Quirk(
    "die-hard/spilled",
    happens="A jug is poured out whole, and what the other cannot hold runs over.",
    intended="Pouring ends when one jug is empty or the other full.",
    shipped=False,
)
FORGOTTEN_BANK = Quirk(
    "missionaries/forgotten-bank",
    happens="Before the boat leaves nobody looks at who stays behind.",
    intended="The boat leaves only if both banks are safe afterwards.",
    shipped=False,
)
LEFT_FORK_FIRST = Quirk(
    "philosophers/left-fork-first",
    happens="Everyone takes the left fork first.",
    intended="Forks have numbers, and everyone takes the lower one first.",
    shipped=False,
)
TURN_FIRST = Quirk(
    "peterson/turn-first",
    happens="A process gives the turn away before it says that it wants to enter.",
    intended="A process says that it wants to enter, and then gives the turn away.",
    shipped=False,
)
UNMARKED_SENDER = Quirk(
    "ewd840/unmarked-sender",
    happens="Who wakes a node that the token has already visited stays white.",
    intended="Who wakes a node that the token has already visited turns black.",
    shipped=False,
)
QUORUM_OF_ONE = Quirk(
    "paxos/quorum-of-one",
    happens="A ballot goes on as soon as one acceptor has promised.",
    intended="A ballot goes on when a majority has promised.",
    shipped=False,
)
FORGOTTEN_VOTE = Quirk(
    "raft/forgotten-vote",
    happens="A server that restarts has forgotten for whom it voted.",
    intended="The vote is on disk before it is given, and outlives a restart.",
    shipped=False,
)
IGNORED_BIT = Quirk(
    "alternating-bit/ignored-bit",
    happens="The receiver takes each packet that comes for a new one.",
    intended="The receiver takes a packet for a new one only if it carries the bit that is expected.",
    shipped=False,
)
UNSEEN_READERS = Quirk(
    "readers-writers/unseen-readers",
    happens="A writer begins when nobody writes, whoever reads.",
    intended="A writer begins when nobody writes and nobody reads.",
    shipped=False,
)
ONE_WAITING_ROOM = Quirk(
    "blocking-queue/one-waiting-room",
    happens="Producers and consumers wait in one room, and whoever has done something wakes any one of them.",
    intended="Who has put something wakes a consumer, and who has taken something wakes a producer.",
    shipped=False,
)


def list_mistakes() -> tuple[Quirk, ...]:
    """List every mistake of a classic, in the order of this file."""
    return tuple(value for value in globals().values() if isinstance(value, Quirk))
