"""Why rules of the chapters, and quirks of the release, are not cited: one by one."""

from collections.abc import Mapping
from typing import Final

from nomadspec.checkers.reference.uncited_kinds import (
    FOLLOWS,
    LEFT_OUT,
    OUTSIDE,
    PROCESS,
    UNSWITCHED,
    Uncited,
)

RULES: Final[Mapping[str, Uncited]] = {
    "OBJ-003": Uncited(
        FOLLOWS, "Says how to read the defaults of OBJ-430; the model takes a stored job as it is."
    ),
    "OBJ-004": Uncited(
        FOLLOWS, "Durations are integers of nanoseconds everywhere; nothing could round them."
    ),
    "OBJ-016": Uncited(OUTSIDE, "Prefixes belong to list queries; the model looks up whole IDs."),
    "OBJ-025": Uncited(FOLLOWS, "Follows from the writes that set times; each of them is cited on its own."),
    "OBJ-103": Uncited(FOLLOWS, "No decision reads stagger; admission alone looks at it, by OBJ-100."),
    "OBJ-293": Uncited(LEFT_OUT, "The configuration of agents is not modelled; a world begins with its own."),
    "OBJ-431": Uncited(FOLLOWS, "Tells a checker what not to assume; the oracle reads stored jobs only."),
    "BROKER-24": Uncited(PROCESS, "Wake-ups show in no answer of the broker."),
    "WORKER-11": Uncited(PROCESS, "A repeated call is the call that succeeds at last, and an error ends it."),
    "WORKER-12": Uncited(PROCESS, "A server that stops takes no further part."),
    "LEADER-03": Uncited(PROCESS, "A leader that fails to start is a leader that is lost again."),
    "LEADER-09": Uncited(PROCESS, "Losing and gaining leadership are two acts, whatever the signal."),
    "PLAN-41": Uncited(LEFT_OUT, "Quotas are Enterprise's and no part of the model."),
    "PLAN-81": Uncited(FOLLOWS, "Points to the attempt loop, whose IDs are cited."),
    "FEAS-85": Uncited(LEFT_OUT, "Quotas are Enterprise's; the last check of the pipeline is not there."),
    "RANK-36": Uncited(LEFT_OUT, "NUMA placement is Enterprise's; one node of memory is assumed."),
    "TRIG-30": Uncited(FOLLOWS, "A worked scenario; the IDs that it combines are cited."),
    "TRIG-31": Uncited(FOLLOWS, "A worked scenario of a canary update; its steps are cited on their own."),
    "TRIG-32": Uncited(FOLLOWS, "A worked scenario of flapping nodes; its steps are cited on their own."),
    "ALLOC-23": Uncited(OUTSIDE, "A management request writes what TRIG-12 and DEP-36 write by rule."),
    "GC-33": Uncited(FOLLOWS, "A look-up of the model never fails."),
    "GC-70": Uncited(LEFT_OUT, "Claims of CSI volumes are not modelled beyond feasibility."),
    "GC-71": Uncited(LEFT_OUT, "CSI plugins are facts of nodes here and have no table."),
    "GC-72": Uncited(LEFT_OUT, "One-time tokens are not modelled."),
    "GC-73": Uncited(LEFT_OUT, "ACL tokens are not modelled."),
    "GC-74": Uncited(LEFT_OUT, "Root keys are not modelled."),
    "01/S2": Uncited(
        UNSWITCHED, "Needs the default of the API layer before the server's; one layer is modelled."
    ),
    "01/S12": Uncited(UNSWITCHED, "Withdrawn: the real server does not do it."),
    "01/S20": Uncited(UNSWITCHED, "The same defect has the switch 08/S2."),
    "01/S22": Uncited(UNSWITCHED, "An annotation counts oddly and decides nothing; no profile mends it."),
    "02/S15": Uncited(UNSWITCHED, "Follows from BROKER-07 in every profile: until an ack it is outstanding."),
    "02/S17": Uncited(UNSWITCHED, "Paging by filter belongs to the endpoint."),
    "03/S14": Uncited(UNSWITCHED, "Needs IDs that are drawn while an entry is applied."),
    "04/S-02": Uncited(UNSWITCHED, "Follows from DISC-10 and BATCH-12 in every profile."),
    "04/S-19": Uncited(UNSWITCHED, "Follows from REC-36 and DISC-06 in every profile."),
    "05/S8": Uncited(UNSWITCHED, "A crash of the applier on a group state that is null."),
    "05/S11": Uncited(UNSWITCHED, "A remark on an upstream test."),
    "05/S12": Uncited(UNSWITCHED, "Follows from SYSDEP-23 in every profile."),
    "07/S-19": Uncited(UNSWITCHED, "Concerns the memory that two calls share; each call here has its own."),
    "07/S-23": Uncited(UNSWITCHED, "Follows from PLAN-54 in every profile."),
    "08/S4": Uncited(UNSWITCHED, "Needs a query that fails."),
    "08/S6": Uncited(UNSWITCHED, "A crash of the watcher after a failover."),
    "08/S8": Uncited(UNSWITCHED, "A guard without effect; leaving it out is the same."),
    "08/S12": Uncited(UNSWITCHED, "Corrects a document; SYSDEP-01 says what is so."),
    "09/S6": Uncited(UNSWITCHED, "A crash of the scaling endpoint."),
    "10/S4": Uncited(UNSWITCHED, "Follows from GC-81 in every profile."),
    "10/S6": Uncited(UNSWITCHED, "ACL tokens are not modelled."),
    "10/S7": Uncited(UNSWITCHED, "Follows from EVAL-46 and GC-10 in every profile."),
    "10/S11": Uncited(UNSWITCHED, "The world has one clock."),
}
