"""Titles of the actions and invariants of the two TLA+ modules that calibrate the engines."""

from collections.abc import Mapping
from typing import Final

TITLES: Final[Mapping[str, str]] = {
    "Core!Ack": "An ack with a valid token ends the evaluation as complete or blocked.",
    "Core!Apply": "The applier commits a plan's nodes that are up and have room.",
    "Core!Dequeue": "An idle worker takes a ready job with a fresh token and a snapshot.",
    "Core!Flip": "A node goes down or comes up and wakes the jobs concerned.",
    "Core!Nack": "A nack with a valid token makes the job ready again or failed.",
    "Core!NackTimeout": "An outstanding evaluation times out and is redelivered or failed.",
    "Core!NoOver": "No node holds more allocations than it has capacity.",
    "Core!OneOut": "No two workers hold one job with the same token.",
    "Core!Schedule": "A worker plans a maximal fit on its snapshot and queues it.",
    "TwoPhase!RMChooseToAbort": "A working resource manager may abort by itself.",
    "TwoPhase!RMPrepare": "A working resource manager prepares and tells the transaction manager.",
    "TwoPhase!RMRcvAbortMsg": "A resource manager aborts when told to.",
    "TwoPhase!RMRcvCommitMsg": "A resource manager commits when told to.",
    "TwoPhase!TCConsistent": "No two resource managers end committed and aborted.",
    "TwoPhase!TMAbort": "The transaction manager aborts while it has not decided.",
    "TwoPhase!TMCommit": "The transaction manager commits once all have prepared.",
    "TwoPhase!TMRcvPrepared": "The transaction manager notes who has prepared.",
}
