"""Every quirk by its ID: one named deviation from the intended behaviour.

A quirk is a defect of the release that the specification describes, a historical bug, or, under an
``X-`` ID, one of our own that shows a checker can fail. IDs of the first kind are chapter 12's or, where it
has no entry, that of the rule that admits the deviation (``FSM-23``); those of the second are the catalogue's
``BUG-nnn``. A rule asks ``s.has(QUIRK)`` in one place and nowhere else.
"""

from dataclasses import dataclass

from nomadspec.model.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Quirk:
    """One named deviation: its ID, what happens, and what was intended instead."""

    id: str
    happens: str
    intended: str
    shipped: bool = True
    """Whether the release that the specification describes has it."""

    def __str__(self) -> str:
        """Show the ID: it is what people type."""
        return self.id


DROPPED_DELAYED_FIRES = Quirk(
    "02/S5",
    happens="A delayed follow-up that was called off still becomes ready when it heads the delay heap.",
    intended="An eval that left the delay heap is never delivered.",
)
CANCELLED_IS_DELIVERED = Quirk(
    "BUG-013",
    happens="An eval that was cancelled while it waits in the broker is delivered and written again.",
    intended="A terminal eval is never delivered and its status never changes.",
)
FORCED_RUNNING = Quirk(
    "01/S4",
    happens="A plan made before a system job was stopped sets the stopped job to running again.",
    intended="A stopped system job is dead until it is registered again.",
)
LEAKED_NACK_DELAY = Quirk(
    "02/S7",
    happens="The delay after a nack stays in the eval, so a later wake-up of it waits that long once more.",
    intended="A delay after a nack is over with the delivery that follows it.",
)
STORED_CORE_EVAL = Quirk(
    "02/S13",
    happens="A core eval that was superseded in the broker is written to the state store as canceled.",
    intended="Core evals live in the broker only.",
)
STALE_DEPLOYMENT = Quirk(
    "08/S2",
    happens="A plan brings the status its scheduler saw and so revives a deployment that has ended since.",
    intended="No plan changes the status of a deployment that has ended.",
)
SILENT_PURGE = Quirk(
    "09/S8",
    happens="Purging a job completes its pending evals in the store only: the broker still delivers them.",
    intended="An eval that a purge has completed is gone from the broker too.",
)
REVIVED_ALLOCATION = Quirk(
    "OBJ-212",
    happens="An update in place that was planned before a stop or an eviction sets the alloc to run again.",
    intended="An alloc that was told to stop is never told to run again.",
)
OVERWRITTEN_REPORT = Quirk(
    "ALLOC-07",
    happens="A plan writes lost or unknown over what the client has reported since the plan was made.",
    intended="A final report of a client stands.",
)
STALE_REGISTRATION = Quirk(
    "OBJ-163",
    happens="A node that registers again is stored with the status it had when the request was looked at.",
    intended="Registering again leaves the status of a node alone.",
)
HASTY_CANCEL = Quirk(
    "FSM-23",
    happens="An alloc that reconnects cancels its follow-up eval, be it with a worker or finished already.",
    intended="Only a follow-up that still waits is cancelled.",
)
LOST_ACK = Quirk(
    "WORKER-03",
    happens="An eval whose ack was lost after its outcome was written is delivered and written once more.",
    intended="A delivery of an eval that has ended changes nothing.",
)
DISPLACED_IS_DELIVERED = Quirk(
    "BLOCKED-21",
    happens="A system eval that lost to a newer blocked one is cancelled, yet its node still wakes it.",
    intended="A blocked eval that was displaced is woken by nothing.",
)
UNCHECKED_CAPACITY = Quirk(
    "X-01",
    happens="The plan applier of the benchmark protocol commits a plan without looking at capacity.",
    intended="A node's part of a plan is committed only if it fits what is already there.",
    shipped=False,
)
REUSED_TOKEN = Quirk(
    "X-02",
    happens="The broker of the benchmark protocol hands out an eval again under its old token.",
    intended="Each delivery has a token of its own.",
    shipped=False,
)
HASTY_COMMIT = Quirk(
    "X-03",
    happens="The transaction manager commits as soon as one resource manager is prepared.",
    intended="The transaction manager commits when every resource manager is prepared.",
    shipped=False,
)


def list_quirks() -> tuple[Quirk, ...]:
    """List every quirk that is declared in this file, in its order."""
    return tuple(value for value in globals().values() if isinstance(value, Quirk))


def find_quirk(quirk_id: str) -> Quirk:
    """Find a quirk by its ID."""
    for quirk in list_quirks():
        if quirk.id == quirk_id:
            return quirk
    raise UnknownNameError("quirk", quirk_id, (quirk.id for quirk in list_quirks()))
