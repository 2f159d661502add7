"""Node: whether it can be reached."""

from enum import StrEnum
from typing import Final

from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, change, creation, remark
from nomadspec.model.specification.quirks import STALE_REGISTRATION


class NodeStatus(StrEnum):
    """The status of a node."""

    INITIALIZING = "initializing"
    READY = "ready"
    DOWN = "down"
    DISCONNECTED = "disconnected"


S = NodeStatus  # the table reads better with a short name

# fmt: off
_ARROWS: Final = (
    creation(ABSENT, S.INITIALIZING, "a client registers", "NODEST-02 CLIENT-01"),

    change(S.INITIALIZING, S.READY, "heartbeat", "NODEST-09 OBJ-161"),
    change(S.READY, S.DOWN, "missed heartbeat", "NODEST-08"),
    change(S.READY, S.DISCONNECTED, "missed, allocs wait", "NODEST-08"),
    change(S.INITIALIZING, S.DOWN, "missed heartbeat", "NODEST-08"),
    change(S.DISCONNECTED, S.DISCONNECTED, "timer, allocs still wait", "NODEST-08"),
    change(S.DISCONNECTED, S.DOWN, "timer, nothing waits", "NODEST-08"),
    change(S.DISCONNECTED, S.INITIALIZING, "heartbeat", "NODEST-09 NODEST-20 OBJ-161"),
    change(S.DOWN, S.READY, "heartbeat", "NODEST-09"),

    change(S.INITIALIZING, ABSENT, "deregistered", "NODEST-15"),
    change(S.READY, ABSENT, "deregistered", "NODEST-15"),
    change(S.DISCONNECTED, ABSENT, "deregistered", "NODEST-15"),
    change(S.DOWN, ABSENT, "deregistered; garbage collection", "NODEST-15 GC-60"),

    change(S.READY, S.INITIALIZING, "registers, heartbeat between", "OBJ-163 NODEST-02", STALE_REGISTRATION),
    change(S.READY, S.DOWN, "registers, heartbeat between", "OBJ-163 NODEST-02", STALE_REGISTRATION),
    change(S.INITIALIZING, S.DISCONNECTED, "registers, heartbeat between", "OBJ-163 NODEST-02",
           STALE_REGISTRATION),
    change(S.DOWN, S.READY, "registers, timer between", "OBJ-163 NODEST-02", STALE_REGISTRATION),
    change(S.DOWN, S.INITIALIZING, "registers, timer between", "OBJ-163 NODEST-02", STALE_REGISTRATION),
    change(S.DOWN, S.DISCONNECTED, "registers, timer between", "OBJ-163 NODEST-02", STALE_REGISTRATION),
    change(S.DISCONNECTED, S.READY, "registers, timer between", "OBJ-163 NODEST-02", STALE_REGISTRATION),
)
# fmt: on

NODE: Final = Lifecycle(
    name="node",
    title="Node",
    statuses=NodeStatus,
    origin="client",
    initial=(S.INITIALIZING,),
    trouble=(S.DOWN, S.DISCONNECTED),
    happy_path=(S.INITIALIZING, S.READY),
    arrows=_ARROWS,
    remarks=(
        remark(
            "The store takes any status after any other. The table lists what clients ask for and what the "
            "leader's timers write; a caller of the status interface may ask for more.",
            "OBJ-161",
        ),
        remark(
            "Registering again is meant to keep the status. The handler copies it from the state it sees, "
            "and the entry replaces what was written since.",
            "NODEST-02 OBJ-163",
        ),
        remark(
            "A node that registers for the first time may name a status of its own; clients name "
            "initializing.",
            "NODEST-02 NODEST-06 CLIENT-01",
        ),
        remark(
            "A disconnected node becomes ready only by way of initializing, once its allocs have reported; "
            "a node that was down becomes ready at once.",
            "NODEST-09 NODEST-20",
        ),
        remark(
            "Eligibility and draining are not part of the status: a ready node may be ineligible.",
            "NODEST-01 OBJ-155",
        ),
    ),
)
