from nomadspec.invariants.kernel.endings import (
    clients_report_what_they_run,
    collectors_leave_queues_alone,
    deleted_allocations_leave_nothing,
    drains_end_when_nothing_is_left,
    ends_are_reported_once,
    events_of_nodes_are_news,
    failures_are_evaluated,
    follow_ups_are_called_off,
    marks_stay_until_the_end,
    nodes_wait_for_the_unknown,
    only_dead_jobs_are_doomed,
    only_the_unknown_come_back,
    only_the_unknown_have_little_time,
    only_what_is_over_is_collected,
    purges_empty_the_broker,
    purges_leave_no_trace,
    time_runs_out_for_a_reason,
    what_is_owed_is_written_once,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.clients import fail_alloc
from nomadspec.model.kernel.collection import collect_alloc, collect_eval, delete_eval, doom_job
from nomadspec.model.kernel.disconnects import reconnect_alloc, run_out_of_time
from nomadspec.model.kernel.jobs import purge_job
from nomadspec.model.kernel.nodes import (
    end_drain,
    give_up_node,
    lose_handler,
    lose_node,
    move_alloc,
    recover_node,
    write_node_eval,
)
from nomadspec.model.kernel.state import Place
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

SILENT = {**ALONE, "nodes": 2, "evals": 4, "silences": 1}

MATRIX = Matrix(
    {
        "a purge leaves a version behind": Deviation(
            (deleted_allocations_leave_nothing,),
            changed=spoil(purge_job, "alloc_version", 1, "job", 0),
            sizes={**ALONE, "purges": 1, "updates": 1},
        ),
        "what is placed is late": Deviation(
            (only_the_unknown_have_little_time,),
            changed=spoil(apply_plan, "is_late", 1, "job", 0),
            sizes={**ALONE, "silences": 1},
        ),
        "a failure is not reported": Deviation(
            (clients_report_what_they_run,),
            changed=spoil(fail_alloc, "is_reported", False, "job", "alloc"),
            sizes={**ALONE, "reports": 1},
        ),
        "a failure makes no evaluation": Deviation(
            (failures_are_evaluated,),
            changed=spoil(fail_alloc, "made", 1, "job"),
            sizes={**ALONE, "reports": 1},
        ),
        "what is placed has been reported": Deviation(
            (ends_are_reported_once,),
            changed=spoil(apply_plan, "is_reported", True, "job", 0),
            sizes=ALONE,
        ),
        "who is back still has a deadline": Deviation(
            (follow_ups_are_called_off,),
            changed=spoil(reconnect_alloc, "deadline", 0, "job", "alloc"),
            sizes=SILENT,
        ),
        "what was never away comes back": Deviation(
            (only_the_unknown_come_back,), changed=loosen(reconnect_alloc, 1), sizes=ALONE
        ),
        "time runs out before the follow-up": Deviation(
            (time_runs_out_for_a_reason,), changed=loosen(run_out_of_time, 3), sizes=SILENT
        ),
        "a node goes down twice": Deviation(
            (events_of_nodes_are_news,),
            changed=loosen(lose_node, 2),
            sizes={**ALONE, "node_changes": 2},
        ),
        "a node is given up at once": Deviation(
            (nodes_wait_for_the_unknown,), changed=loosen(give_up_node, 2), sizes=SILENT
        ),
        "a drain ends before the node is empty": Deviation(
            (drains_end_when_nothing_is_left,),
            changed=loosen(end_drain, 2),
            sizes={**ALONE, "moves": 1},
        ),
        "what is not there is to move": Deviation(
            (marks_stay_until_the_end,),
            changed=loosen(move_alloc, 3),
            sizes={**ALONE, "moves": 1},
        ),
        "what was written is owed still": Deviation(
            (what_is_owed_is_written_once,),
            changed=spoil(write_node_eval, "owed", True, "job"),
            sizes={**ALONE, "node_changes": 1},
        ),
        "what runs is collected": Deviation(
            (only_what_is_over_is_collected,),
            changed=loosen(collect_alloc, 2),
            sizes={**ALONE, "collections": 1},
        ),
        "a job that is wanted is doomed": Deviation(
            (only_dead_jobs_are_doomed,),
            changed=loosen(doom_job, 3),
            sizes={**ALONE, "collections": 1},
        ),
        "a job is doomed twice": Deviation(
            (only_dead_jobs_are_doomed,),
            changed=loosen(doom_job, 2),
            sizes={**ALONE, "evals": 3, "stops": 1, "collections": 2},
        ),
        "what is not there is deleted": Deviation(
            (only_what_is_over_is_collected,),
            changed=loosen(delete_eval, 3),
            sizes={**ALONE, "pauses": 1, "collections": 1},
        ),
        "a purge leaves its evaluation ready": Deviation(
            (purges_empty_the_broker,),
            changed=spoil(purge_job, "place", Place.READY, "job", 0),
            sizes={**ALONE, "purges": 1},
        ),
        "a purge leaves news behind": Deviation(
            (purges_leave_no_trace,),
            changed=spoil(purge_job, "is_news", True, "job"),
            sizes={**ALONE, "purges": 1},
        ),
        "what is collected is queued": Deviation(
            (collectors_leave_queues_alone,),
            changed=spoil(collect_eval, "place", Place.READY, "job", "number"),
            sizes={**ALONE, "collections": 1},
        ),
        "a handler gives up": Deviation(
            (what_is_owed_is_written_once,),
            changed=loosen(lose_handler, 0),
            sizes={**ALONE, "node_changes": 1, "elections": 1},
        ),
        "what is owed is forgotten with the next event": Deviation(
            (what_is_owed_is_written_once,),
            changed=spoil(recover_node, "owed", False, 0),
            sizes={**ALONE, "node_changes": 2},
        ),
        "a job is doomed without a leader": Deviation(
            (only_dead_jobs_are_doomed,),
            changed=loosen(doom_job, 0),
            sizes={**ALONE, "evals": 3, "stops": 1, "collections": 1, "elections": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
