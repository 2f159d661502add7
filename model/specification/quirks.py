"""Every quirk by its ID: one named deviation from the intended behaviour.

A quirk is a defect of the release that the specification describes, or a historical bug. Its ID is that of
chapter 12 (``02/S5``), that of the catalogue of bugs (``BUG-013``), or, where neither has an entry, one of
our own (``X-07``) with the rules that admit the deviation. Some of our own are no defect of any release: they
show that a checker can fail. A rule asks ``s.has(QUIRK)`` in one place and nowhere else.
"""

from nomadspec.model.errors import UnknownNameError
from nomadspec.model.specification.quirk import Quirk

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
FORGOTTEN_REAPER = Quirk(
    "02/S6",
    happens="Pausing the broker ends the loop that reaps failed evals; they then hold their jobs for good.",
    intended="The loop goes on when the broker does.",
)
DEAD_END = Quirk(
    "02/S12",
    happens="A system eval that used up its plan attempts is failed, and nothing tries again.",
    intended="A blocked eval stays behind, as for service and batch jobs.",
)
FORGOTTEN_BATCH = Quirk(
    "02/S14",
    happens="Evals that a failed log entry should have canceled are forgotten until the next leader.",
    intended="They stay on the list and are canceled by a later entry.",
)
STORED_CORE_EVAL = Quirk(
    "02/S13",
    happens="A core eval that was cancelable in the broker is written to the state store as canceled.",
    intended="Core evals live in the broker only.",
)
STALE_DEPLOYMENT = Quirk(
    "08/S2",
    happens="A plan writes the deployment status that its scheduler saw, and so undoes a later end or pause.",
    intended="No plan changes the status of a deployment that has ended, or lets a paused one go on.",
)
SILENT_PURGE = Quirk(
    "09/S8",
    happens="Purging a job completes its pending evals in the store only: the broker still delivers them.",
    intended="An eval that a purge has completed is gone from the broker too.",
)
REVIVED_ALLOCATION = Quirk(
    "X-04",
    happens="An update in place that was planned before a stop or an eviction sets the alloc to run again.",
    intended="An alloc that was told to stop is never told to run again.",
    spec=("OBJ-212", "PLAN-74"),
)
OVERWRITTEN_REPORT = Quirk(
    "X-05",
    happens="A plan writes lost or unknown over a later report of the client.",
    intended="A final report of a client stands.",
    spec=("ALLOC-07", "PLAN-74"),
)
STALE_REGISTRATION = Quirk(
    "X-06",
    happens="A node that registers again is stored with the status it had when the request was looked at.",
    intended="Registering again leaves the status of a node alone.",
    spec=("OBJ-163", "NODEST-02"),
)
HASTY_CANCEL = Quirk(
    "X-07",
    happens="An alloc that reconnects cancels its follow-up eval, be it with a worker or finished already.",
    intended="Only a follow-up that still waits is cancelled.",
    spec=("FSM-23",),
)
LOST_ACK = Quirk(
    "X-08",
    happens="An eval whose ack was lost after its outcome was written is delivered and written once more.",
    intended="A delivery of an eval that has ended changes nothing.",
    spec=("WORKER-03", "BROKER-32"),
)
DISPLACED_IS_DELIVERED = Quirk(
    "X-09",
    happens="A system eval that lost to a newer blocked one is cancelled, yet its node still wakes it.",
    intended="A blocked eval that was displaced is woken by nothing.",
    spec=("BLOCKED-21", "BLOCKED-41"),
)
STALE_JUDGEMENT = Quirk(
    "03/S2",
    happens="While entries are in flight the applier judges a plan by a state older than the plan's own.",
    intended="A plan is judged by a state at least as new as the one that it was made from.",
)
UNREPORTED_FAILURE = Quirk(
    "03/S4",
    happens="An entry that the store refuses is answered as if it had been written.",
    intended="The answer to a plan says whether the store has written it.",
)
ERROR_AFTER_DISPATCH = Quirk(
    "03/S5",
    happens="The applier hands out an entry that its snapshot cannot take in, and then goes on without it.",
    intended="What was handed to the log is in the snapshot that later plans are judged by.",
)
UNCHECKED_UPDATE = Quirk(
    "03/S8",
    happens="An update in place is committed without a look at capacity, even if the alloc grows by it.",
    intended="An in-place update is committed only if the node has room for the alloc as it will be.",
)
FAILING_PURGE = Quirk(
    "03/S15",
    happens="The plan of a job that was purged meanwhile is an error, so its eval may end as failed.",
    intended="An eval whose job is gone is complete, for there is nothing left to plan.",
)
SHARED_FOLLOW_UP = Quirk(
    "02/S3",
    happens="The first alloc that reconnects cancels a follow-up eval that other unknown allocs wait for.",
    intended="A follow-up eval is cancelled only when no other live alloc has it.",
)
SILENT_DROP = Quirk(
    "03/S13",
    happens="Placements of a job that has been stopped meanwhile are left out, and reported as made.",
    intended="The answer to a plan lists only allocs that were placed.",
)
PHANTOM_EFFECTS = Quirk(
    "X-10",
    happens="The applier goes on judging plans by a snapshot that shows an entry which has failed.",
    intended="An entry that failed leaves nothing behind in the applier's snapshot.",
    spec=("PLAN-31", "PLAN-34"),
)
FORGOTTEN_WAKE = Quirk(
    "X-11",
    happens="An eval that was woken, but has not run when the leader changes, is blocked again for nothing.",
    intended="A new leader runs an eval for which capacity came free.",
    spec=("LEADER-02", "EVAL-04", "BLOCKED-46"),
)
KEPT_TWICE = Quirk(
    "X-12",
    happens="An eval whose ack was lost after it was blocked again is with both blocked evals and broker.",
    intended="A delivery that has blocked its eval again is over, even if its ack is lost.",
    spec=("WORKER-30", "WORKER-32", "BROKER-32", "BLOCKED-22"),
)
SURVIVING_PLAN = Quirk(
    "X-13",
    happens="A plan that is with the applier when the broker is paused is applied, and its eval runs anew.",
    intended="The broker goes on only when no plan from before the pause is left.",
    spec=("LEADER-04", "PLAN-13"),
)
LEFT_CAPTURED = Quirk(
    "X-14",
    happens="When a system job is placed, its canceled blocked eval can still be woken.",
    intended="A blocked eval that is canceled because its job is placed is woken by nothing.",
    spec=("BLOCKED-45", "EVAL-35"),
)
WOKEN_TWICE = Quirk(
    "X-16",
    happens="A system eval that its class has woken stays under its node, which wakes it once more.",
    intended="A blocked eval that has been woken is under no node any more.",
    spec=("BLOCKED-41", "BROKER-36"),
)
OVERWRITTEN_END = Quirk(
    "X-17",
    happens="A worker fails an eval that a purge has completed meanwhile: it becomes failed.",
    intended="An eval that a purge has completed stays complete, whatever outcome its worker has.",
    spec=("EVAL-37", "EVAL-46"),
)
VOID_EFFECTS = Quirk(
    "X-18",
    happens="A plan judged on top of an entry that the store refuses is committed all the same.",
    intended="An entry that the store refuses has failed, and plans judged on top of it are judged anew.",
    spec=("PLAN-31", "PLAN-34", "PLAN-92"),
)
UNSEEN_LOSS = Quirk(
    "X-15",
    happens="An entry places an alloc on a node that went down while it was in flight, and no eval follows.",
    intended="Where a node went down while an entry was in flight, the job of its placement is evaluated.",
    spec=("PLAN-32", "PLAN-37", "TRIG-29", "NODEST-12"),
)
OLDEST_FIRST = Quirk(
    "02/S2",
    happens="Of the pending evals of a job the highest priority is kept, however old; others are canceled.",
    intended="Of the pending evals of a job the newest one is kept.",
)
FORGOTTEN_HANDLER = Quirk(
    "X-20",
    happens="A node event whose handler finds no leader gets no evals, not from the next leader either.",
    intended="The evals of a node event are written in the end.",
    spec=("FSM-30", "NODEST-12", "LEADER-08"),
)
HASTY_COLLECTION = Quirk(
    "X-21",
    happens="The collector deletes an eval that has ended while the broker or a worker still has it.",
    intended="An eval that is queued, tracked or worked on is not collected.",
    spec=("FSM-03", "GC-92"),
)
HASTY_REAP = Quirk(
    "X-22",
    happens="The collector purges a job that was registered again since it was found dead.",
    intended="A job is purged by the collector only while it is dead.",
    spec=("GC-05", "GC-92", "GC-94"),
)
COUNTED_ONCE = Quirk(
    "08/S7",
    happens="An alloc of a deployment that becomes healthy again stays counted as unhealthy.",
    intended="The counters of a deployment are those of its allocs.",
)
LINGERING_UNKNOWN = Quirk(
    "X-43",
    happens="A system alloc that is unknown when its node is purged or down stays unknown for good.",
    intended="An unknown alloc of a node that is gone or down is lost, like any other.",
    spec=("NODE-02", "NODE-08", "NODE-12"),
)
UNATTENDED_DEPLOYMENT = Quirk(
    "08/S3",
    happens="A watcher whose write failed forgets it, and its deployment never ends.",
    intended="A watcher repeats a write that failed.",
    spec=("DEP-37", "DEP-43"),
)
ORPHANED_DEPLOYMENT = Quirk(
    "X-23",
    happens="A plan made before a purge begins a deployment of a job that is gone.",
    intended="A plan begins no deployment of a job that is gone, be its name registered again or not.",
    spec=("DEP-08", "DEP-16", "DEP-18", "DEP-31"),
)
RELABELLED_PLACEMENT = Quirk(
    "X-30",
    happens="An alloc planned for one version of a job is stored under a later version.",
    intended="An alloc carries the version of the job that it was planned for.",
    spec=("PLAN-12", "PLAN-13", "PLAN-15", "PLAN-71"),
)
REVIVED_VERSION = Quirk(
    "X-41",
    happens="Marking an older version of a job stable makes it the current one, even if the job was stopped.",
    intended="Marking a version stable changes the current job only where it is of that version.",
    spec=("DEP-63", "OBJ-401"),
)
COUNTED_ANEW = Quirk(
    "X-42",
    happens="An alloc whose health an in-place update takes back stays counted, and may count twice.",
    intended="A deployment counts an alloc as healthy or unhealthy only while it is.",
    spec=("DEP-24", "OBJ-421"),
)
SUCCESS_OF_THE_ENDED = Quirk(
    "X-50",
    happens="A deployment counts healthy allocs that have ended: it succeeds by them, or is never late.",
    intended="A deployment is successful by healthy allocs that still live.",
    spec=("REC-89", "REC-90", "SYSDEP-20", "DEP-24", "05/S10"),
)
HELD_FOR_NOTHING = Quirk(
    "X-51",
    happens="A failed alloc that was healthy is left to its deployment, which then ends as successful.",
    intended="A deployment holds back only failed allocs that it has still to judge.",
    spec=("RESCHED-15", "REC-90"),
)
REPLACED_BY_NOTHING = Quirk(
    "X-52",
    happens="A new version that no node can take still drives the old one off, node by node.",
    intended="A system job's alloc runs on where no node can take its replacement.",
    spec=("SYSTEM-21", "SYSTEM-28", "SYSDEP-20"),
)
SUCCESS_OF_NOTHING = Quirk(
    "X-53",
    happens="A deployment of a system job ends as successful when its last node is lost to it.",
    intended="A deployment that desires allocs is successful only when it has that many.",
    spec=("SYSDEP-20", "SYSDEP-21"),
)
UNVISITED_DEPLOYMENT = Quirk(
    "X-54",
    happens="The deployment of a system job that has no node at all is not cancelled by a newer version.",
    intended="A deployment of an older version is cancelled, whether any node is there or not.",
    spec=("NODE-04", "SYSDEP-05"),
)
STOPPED_AGAIN = Quirk(
    "X-55",
    happens="A stopped alloc of an older version is stopped again by each eval until it is replaced.",
    intended="Only allocs that are to run are stopped.",
    spec=("NODE-20", "SYSTEM-19", "SYSTEM-21"),
)
NOTED_AS_NEW = Quirk(
    "X-56",
    happens="A note on a terminal alloc counts as a placement, and a node that takes none rejects it.",
    intended="A node rejects placements, not notes on its terminal allocs.",
    spec=("PLAN-51", "RESCHED-22", "GENERIC-38"),
)
NOTED_HOST = Quirk(
    "X-57",
    happens="An alloc that has ended keeps its host from others of its job while something is noted of it.",
    intended="Only allocs that run or shall run keep a distinct host.",
    spec=("FEAS-43", "FEAS-44", "RESCHED-22"),
)
NOTED_AGAIN = Quirk(
    "X-58",
    happens="That a replacement found no room is written down by every evaluation that finds none.",
    intended="It is written down when it is new.",
    spec=("GENERIC-38", "RESCHED-18"),
)
UNCOUNTED_UNKNOWN = Quirk(
    "X-59",
    happens="An alloc of a system job does not count for its deployment as it becomes unknown.",
    intended="An alloc counts for its deployment as it becomes unknown, as it does before and after.",
    spec=("NODE-07", "SYSDEP-10", "SYSDEP-11"),
)
SPENT_BY_A_NOTE = Quirk(
    "01/S11",
    happens="A note that a replacement found no room counts as if all of its attempts were used up.",
    intended="An alloc that was never placed again has all of its attempts left.",
)
TURN_OF_THE_HOSTLESS = Quirk(
    "X-60",
    happens="A node that cannot take the new version of a system job uses up the limit of its update.",
    intended="Nodes that can take the new version have their turn before those that cannot.",
    spec=("SYSTEM-21", "SYSTEM-22", "DEP-26"),
)
UPDATED_WHILE_DISCONNECTED = Quirk(
    "X-61",
    happens="A plan that marks an alloc unknown may update it in place as well: its node is rejected.",
    intended="An alloc that becomes unknown is updated by a later plan.",
    spec=("DISC-17", "PLAN-51", "GENERIC-08", "04/S-23"),
)
UNMADE_FOLLOW_UP = Quirk(
    "X-62",
    happens="A delayed eval notes follow-ups with the allocs that wait for them, and does not make them.",
    intended="Every eval makes the follow-ups that it notes.",
    spec=("GENERIC-44", "GENERIC-45", "EVAL-18", "RESCHED-19", "RESCHED-22"),
)
AWAITED_REPORT = Quirk(
    "X-63",
    happens="A node that reconnects before its allocs are unknown waits for a report that never comes.",
    intended="A reconnecting node waits only for its unknown allocs.",
    spec=("NODEST-09", "NODEST-20", "CLIENT-04", "CLIENT-07"),
)
OUTDATED_JUDGEMENT = Quirk(
    "X-64",
    happens="A plan is dispatched to a node that was drained, ineligible or lost after the snapshot.",
    intended="When a plan is dispatched, its nodes are judged once more, by the state of that moment.",
    spec=("PLAN-31", "PLAN-32", "PLAN-36", "PLAN-51", "NODEST-16"),
)
UNNOTICED_END = Quirk(
    "X-65",
    happens="A drain goes on when its node is empty, if the last alloc there was not the drain's to move.",
    intended="A drain ends once nothing is left on its node to wait for, whatever ended it.",
    spec=("DRAIN-03", "DRAIN-06", "DRAIN-07", "DRAIN-12"),
)
UNTOLD_SYSBATCH = Quirk(
    "X-66",
    happens="No evaluation is made for a sysbatch job when a node that runs it is lost.",
    intended="A sysbatch job is evaluated when a node is lost on which it still runs.",
    spec=("TRIG-29", "NODE-11", "NODE-12"),
)
UNMARKED_END = Quirk(
    "X-67",
    happens="The drainer forgets which allocs it was to tell to migrate when the entry of that fails.",
    intended="The drainer tells its allocs to migrate until an entry says so; only then a drain ends.",
    spec=("DRAIN-10", "DRAIN-13"),
)
UNPROMOTED_SUCCESS = Quirk(
    "X-68",
    happens="A paused deployment of a system job is successful although its canaries were never promoted.",
    intended="A deployment with canaries is successful only after their promotion, be it paused or not.",
    spec=("SYSDEP-12", "SYSDEP-20", "SYSDEP-21"),
)
REPLACED_AGAIN = Quirk(
    "X-69",
    happens="An unknown alloc is counted, updated or stopped as if it ran, though it was replaced.",
    intended="An unknown alloc that was replaced, or that its group can do without, is left alone.",
    spec=("DISC-08", "DISC-12", "REC-76", "REC-78", "REC-87", "REC-93"),
)
OLD_APPOINTMENT = Quirk(
    "X-70",
    happens="An unknown alloc that gets another lost_after is looked at when the earlier one would be over.",
    intended="An unknown alloc is looked at when the lost_after that it has is over.",
    spec=("DISC-06", "DISC-11", "DISC-12", "NODEST-08"),
)
UNREPLACED_CANARY = Quirk(
    "X-71",
    happens="A lost canary is not placed again by an eval that finds no alloc to be replaced.",
    intended="A lost canary is placed again as long as its group waits for a promotion.",
    spec=("REC-67", "REC-69", "DEP-27", "DEP-42", "04/S-18"),
)
AWAITED_CANARY = Quirk(
    "X-72",
    happens="A system job's deployment waits for lost canaries although nothing is left to be replaced.",
    intended="Where nothing is left to be replaced only canaries that are there wait for a promotion.",
    spec=("SYSDEP-12", "SYSDEP-15", "SYSDEP-20", "SYSDEP-21", "DEP-27"),
)
ERASED_REQUEST = Quirk(
    "X-73",
    happens="An in-place update made earlier erases that an alloc is to migrate or to be rescheduled.",
    intended="What was asked of an alloc stays asked, whatever a plan writes.",
    spec=("OBJ-215", "PLAN-74", "ALLOC-03", "ALLOC-15"),
)
DEPLOYED_AGAIN = Quirk(
    "X-74",
    happens="A version that was deployed successfully is deployed again once none of its allocs is left.",
    intended="A version that was deployed successfully is not deployed again: its allocs are only replaced.",
    spec=("REC-09", "REC-14", "REC-87", "REC-84"),
)
UNPLACED_UNKNOWN = Quirk(
    "X-75",
    happens="An unknown alloc that found no room when its follow-up ran is not placed when there is room.",
    intended="An unknown alloc that is due is placed by whichever evaluation finds room for it.",
    spec=("DISC-08", "RESCHED-17", "RESCHED-18", "GENERIC-40"),
)
UNDEPLOYED_CANARY = Quirk(
    "X-76",
    happens="With max_parallel 0 canaries are placed without a deployment that they could be promoted with.",
    intended="With max_parallel 0 there is no deployment and no canary: everything is replaced at once.",
    spec=("OBJ-102", "REC-69", "REC-82", "REC-87"),
)
SPENT_NAMES = Quirk(
    "X-77",
    happens="Where allocs of another version, or not placed, hold all names, a version has one twice.",
    intended="An alloc whose name is taken gets one that no other of its version has.",
    spec=("REC-58", "REC-60", "REC-64", "REC-78", "GENERIC-27", "GENERIC-36"),
)
SURPLUS_EVICTION = Quirk(
    "X-78",
    happens="A system job with canaries places another of its groups where a surplus canary made room.",
    intended="Only as many allocs make room for canaries as there shall be canaries.",
    spec=("SYSTEM-21", "SYSDEP-12", "SYSDEP-13", "SYSDEP-14"),
)
UNASKED_REVERT = Quirk(
    "08/S5",
    happens="A failing deployment reverts its job although it was stopped or registered anew meanwhile.",
    intended="A failing deployment reverts only the version that it deployed.",
    spec=("DEP-43", "DEP-60", "DEP-61"),
)
UNHEARD_CHILD = Quirk(
    "01/S21",
    happens="A child that is registered after its parent was purged is stored without its evaluation.",
    intended="A registration writes its evaluation, whether the job's parent is still there or not.",
    spec=("FSM-11", "JOB-21", "JOB-25"),
)
FORGOTTEN_RESCHEDULE = Quirk(
    "04/S-03",
    happens="Of due allocs of a group that found no place all but the first are stopped without a word.",
    intended="Every due alloc that found no place is kept, and says so.",
)
LOST_BEHIND_DUE = Quirk(
    "04/S-04",
    happens="While a deployment is held, due allocs are placed a second time instead of the lost ones.",
    intended="While a deployment is held, each lost alloc that is missing is placed, and each due one once.",
)
STRAY_DEPLOYMENT = Quirk(
    "04/S-07",
    happens="Once an alloc was placed as an older version, later ones are marked with its deployment too.",
    intended="Only allocs placed as an older version carry the deployment of that version.",
)
CANCELLED_IS_JOINED = Quirk(
    "04/S-08",
    happens="Allocs are marked with a deployment that their plan cancels, or that is of an older version.",
    intended="Only the deployment of a job's current version marks allocs, unless the plan cancels it.",
)
UNCHECKED_RUN = Quirk(
    "04/S-09",
    happens="A batch alloc whose version limits its run follows its job without a look at its node.",
    intended="An alloc follows its job where it is only if its node still takes it.",
)
IDLE_FOLLOW_UP = Quirk(
    "04/S-10",
    happens="The follow-up of a batch alloc out of reach looks at it and never replaces it.",
    intended="The follow-up of an alloc out of reach replaces it, for batch jobs as for services.",
)
UNRELATED_STOP = Quirk(
    "04/S-11",
    happens="When a group has too many, any alloc may go where the highest names are those of lost ones.",
    intended="When a group has too many, allocs whose names others have go first, then the highest names.",
)
SURPLUS_RESCHEDULE = Quirk(
    "04/S-12",
    happens="A due alloc is placed again even if its group has all that it should without it.",
    intended="A due alloc is placed again only while its group has less than it should.",
)
STUCK_MARK = Quirk(
    "04/S-14",
    happens="A name that three allocs or more have stays marked, however many of them are renamed.",
    intended="A name is marked as long as more than one alloc has it.",
)
SILENT_RESCHEDULE = Quirk(
    "04/S-15",
    happens="A failed alloc that was placed again is stopped, and does not say why.",
    intended="A failed alloc that was placed again says that it was rescheduled.",
)
REWRITTEN_FAILURE = Quirk(
    "04/S-16",
    happens="An alloc that found no new place gets the present job, and may be stopped and kept at once.",
    intended="An alloc that found no new place is kept, with its own job, and is not stopped.",
)
CROWDED_CANARIES = Quirk(
    "04/S-18",
    happens="No more canaries are placed at once than the group has allocs.",
    intended="All canaries that are missing are placed at once.",
)
STOPPED_UNKNOWN = Quirk(
    "04/S-20",
    happens="While a deployment is held, a due alloc out of reach is stopped when it is replaced.",
    intended="An alloc out of reach is left alone until its client is back, held deployment or not.",
)
LEAKED_FOLLOW_UP = Quirk(
    "04/S-21",
    happens="A rejected plan leaves on a moving alloc which follow-up eval was made for it, in memory only.",
    intended="A rejected plan leaves nothing behind in memory.",
)
HASTY_RETURN = Quirk(
    "04/S-22",
    happens="An alloc counts as back once its node is fine, before its client has said that it runs.",
    intended="An alloc is back when its client has said so.",
)
ENDLESS_ATTEMPTS = Quirk(
    "05/S4",
    happens="A plan that was rejected as a whole counts as progress because it carries its deployment.",
    intended="Only what was placed, stopped or changed of a deployment counts as progress.",
)
UPDATES_WHILE_HELD = Quirk(
    "05/S1",
    happens="A system job goes on replacing its allocs while its deployment is paused or has failed.",
    intended="While a deployment is held nothing is replaced.",
)
STUCK_DEPLOYMENT = Quirk(
    "05/S2",
    happens="A failed or cancelled deployment of a system job stays the current one of all later versions.",
    intended="A deployment is the current one of its own version only.",
)
UNREPLACED_STOP = Quirk(
    "05/S5",
    happens="A system alloc that was told to go is not replaced before the job is looked at again.",
    intended="A stopped alloc is replaced at once where its node may still be used.",
)
OUTDATED_CANDIDATES = Quirk(
    "05/S9",
    happens="Kept allocs of older versions count into totals that only the new version can reach.",
    intended="A deployment has to reach only the nodes that have its version or are to get it.",
)
UNASKED_GRACE = Quirk(
    "05/S13",
    happens="A system alloc out of reach becomes unknown even if its group gives it no time for that.",
    intended="Without such time an alloc out of reach is lost at once.",
)
CANCELLED_MEMBERS = Quirk(
    "05/S14",
    happens="System allocs join a deployment that their plan cancels, updated ones any older one.",
    intended="Allocs of a system job join no deployment that is cancelled, or of another version.",
    spec=("SYSTEM-18", "SYSTEM-33", "SYSDEP-09"),
)
WRAPPED_COUNT = Quirk(
    "05/S15",
    happens="A replacement that no node can host lowers a count that it was never in, even below zero.",
    intended="Only allocs that were counted are taken off.",
)
CANARIES_AT_ONCE = Quirk(
    "05/S16",
    happens="Canaries that no deployment counts are all placed at once, whatever may go in parallel.",
    intended="An alloc that no deployment counts as a canary is replaced within max_parallel.",
)
COARSE_CLASSES = Quirk(
    "06/S-01",
    happens="The first node of a class decides for all of them, even by facts that differ within a class.",
    intended="A node is judged by its own facts.",
)
INHERITED_NETWORK = Quirk(
    "06/S-02",
    happens="A group without a network is checked for that of the group which was looked at before it.",
    intended="A group without a network needs none of a node.",
)
UPDATED_TWICE = Quirk(
    "06/S-04",
    happens="An alloc that is updated in place uses up a distinct property twice.",
    intended="An alloc uses up a distinct property once, be it updated or not.",
)
UNCOUNTED_STOPS = Quirk(
    "06/S-06",
    happens="Stopping an alloc that had ended frees a distinct property; one stop of several does not.",
    intended="Every stop of an alloc that was counted frees a distinct property, and no other does.",
)
CUT_COUNT = Quirk(
    "06/S-09",
    happens="Storage volumes in use on a node are counted up to the first source without a volume.",
    intended="All storage volumes in use on a node are counted, each under the name that it has there.",
)
CONSUMED_CLAIM = Quirk(
    "06/S-10",
    happens="A claim on a sticky volume binds no node that is looked at after the volume's own.",
    intended="A claim on a sticky volume binds all nodes until it is met.",
)
LONE_WITNESS = Quirk(
    "06/S-11",
    happens="One alloc of each group is asked whether it writes to a volume for single writers.",
    intended="Every alloc on the node is asked.",
)
SHARED_WEIGHTS = Quirk(
    "07/S-01",
    happens="The weight of a spread is a share of the weights of all groups that were placed so far.",
    intended="It is a share of the weights of its own group.",
)
LEAKED_LIMIT = Quirk(
    "07/S-03",
    happens="A group without wishes looks at as many nodes as one with wishes that was placed before it.",
    intended="How many nodes are looked at depends on the group alone.",
)
STRANGE_NAMESAKE = Quirk(
    "07/S-07",
    happens="Allocs of a job of the same name in another namespace collide.",
    intended="Only allocs of the job itself collide.",
)
FORGOTTEN_OFFER = Quirk(
    "07/S-13",
    happens="After an eviction ports and devices that the same alloc got before can be offered again.",
    intended="A port or device offered to an alloc stays taken.",
)
STUCK_SPREADS = Quirk(
    "07/S-16",
    happens="A version of a job without spreads is placed by those of the version before.",
    intended="A version is placed by its own spreads.",
)
OVERRIDDEN_REST = Quirk(
    "07/S-20",
    happens="The rest that targets leave replaces an explicit target for all other values.",
    intended="A share that was given to all other values holds.",
)
FEIGNED_EVICTION = Quirk(
    "07/S-24",
    happens="A system alloc follows its job where it is if others could go, and none of them goes.",
    intended="An alloc follows its job where it is only if it fits beside the others.",
)
VAIN_EVICTION = Quirk(
    "X-40",
    happens="Preemption measures the room that it frees without the job's own allocs.",
    intended="Whatever stays on a node takes room there.",
    spec=("PREEMPT-03", "PREEMPT-09"),
)
EXHAUSTED_EXPRESSION = Quirk(
    "01/S6",
    happens="One cron expression that never matches again ends a job whose other expressions still would.",
    intended="The next launch is the earliest that any of the expressions gives.",
)
UNREACHABLE_TOTALS = Quirk(
    "BUG-066",
    happens="Nodes that cannot run a system job stay in the totals that its deployment has to reach.",
    intended="A deployment has to reach only the nodes that can run the job.",
    shipped=False,
    spec=("SYSDEP-10", "SYSDEP-11"),
)
UNCHECKED_CAPACITY = Quirk(
    "X-01",
    happens="The plan applier of the benchmark protocol commits a plan without looking at capacity.",
    intended="A node's part of a plan is committed only if it fits beside the node's allocs.",
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
