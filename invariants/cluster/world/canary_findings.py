"""Findings of whole clusters about canaries, and about deployments that wait for their promotion."""

from __future__ import annotations

from typing import Final

from nomadspec.invariants.cluster.world.finding import ClusterFinding
from nomadspec.invariants.known_finding import Impact, Lasting, Loss
from nomadspec.model.specification.quirks import (
    AWAITED_CANARY,
    SPENT_NAMES,
    SURPLUS_EVICTION,
    UNDEPLOYED_CANARY,
    UNPROMOTED_SUCCESS,
    UNREPLACED_CANARY,
    UPDATES_WHILE_HELD,
)

CANARY_FINDINGS: Final = (
    ClusterFinding(
        id="C-14",
        title="A paused deployment of a system job succeeds without its promotion",
        happens="Every node that can run the new version of a system job has a canary. The operator pauses "
        "the deployment. The scheduler waits for a promotion only while the deployment is running, so once "
        "the canaries are healthy the paused deployment is successful, and its version is marked stable.",
        conditions=(
            "the job is a system job with canaries",
            "every node that can run the new version has a canary",
            "the deployment is paused before its promotion",
        ),
        violates="successful_deployment_is_healthy",
        cure=UNPROMOTED_SUCCESS,
        impact=Impact(
            harm="a deployment succeeds without its promotion",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="a system job with canaries whose deployment is paused while every node has a canary, as on "
            "few nodes or with canary 100: the next bad version is reverted to one that nobody approved",
        ),
    ),
    ClusterFinding(
        id="C-18",
        title="A paused deployment of a system job replaces all its allocations",
        happens="An operator pauses the deployment of a system job. The system scheduler takes no notice of "
        "that. Each allocation that becomes healthy creates an evaluation, which replaces the next "
        "max_parallel allocations, until every node runs the new version and the deployment is successful.",
        conditions=(
            "the job is a system job, and its deployment is paused before all nodes have the new version",
            "an evaluation runs while it is paused, as every allocation that becomes healthy creates one",
        ),
        violates="paused_deployment_replaces_no_alloc",
        cure=UPDATES_WHILE_HELD,
        impact=Impact(
            harm="a paused deployment goes on to every node",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who halts a bad version of a system job: it is deployed to every node all "
            "the same; failing the deployment stops it, and only another registration undoes it",
        ),
    ),
    ClusterFinding(
        id="C-24",
        title="A lost canary is not placed again, and promotion is refused",
        happens="A node is lost that had the canary of a service and all old allocations that were to be "
        "replaced. The scheduler stops the canary, and places the old version again on another node. In that "
        "plan no old allocation is left to be replaced, so it wants no canaries. No evaluation follows. The "
        "deployment still counts the lost canary as healthy, so it has no deadline and waits for its "
        "promotion, which is refused.",
        conditions=(
            "a deployment waits for the promotion of its canaries",
            "a node is lost, or several at once, with a canary and all old allocations of its group",
        ),
        violates="deployment_to_be_promoted_has_its_canaries",
        cure=UNREPLACED_CANARY,
        impact=Impact(
            harm="a version cannot be promoted",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service with canaries and few allocations that loses a node before the promotion: an "
            "operator or a pipeline waits for ever, with the old version running; any evaluation of the job "
            "rescues it",
        ),
    ),
    ClusterFinding(
        id="C-25",
        title="A system job's deployment waits for canaries that were lost",
        happens="A system job waits for the promotion of its canaries, and they are lost with their nodes. "
        "The other nodes run the new version already: nodes that join get it at once and without a canary. "
        "Nothing is left to be replaced, so the scheduler no longer looks at the canaries, and leaves in the "
        "deployment how many it desires. The deployment waits for a promotion, which is refused.",
        conditions=(
            "the job is a system job with canaries that are not promoted",
            "the nodes of the canaries are lost",
            "every other node has the new version already",
        ),
        violates="deployment_to_be_promoted_has_its_canaries",
        cure=AWAITED_CANARY,
        impact=Impact(
            harm="a deployment never ends",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="an operator or a pipeline that waits for the deployment of a system job on few nodes: the "
            "version runs everywhere and is never marked stable, so the next bad version is reverted to an "
            "older one; another registration rescues it",
        ),
    ),
    ClusterFinding(
        id="C-28",
        title="With max_parallel 0 a canary runs beside the old version for good",
        happens="A service has canaries and max_parallel 0, and a new version of it is registered. "
        "max_parallel 0 turns the update block off: there should be no deployment, and all allocations "
        "should be replaced at once. The scheduler makes no deployment. But it looks at the number of "
        "canaries alone, places them, and replaces nothing else as long as they are not promoted. No "
        "deployment is there to promote them or to be failed, and no evaluation follows: old allocations and "
        "canaries run beside each other. The next evaluation of the job does not know the canary as one. It "
        "stops one of the two that have the same name, the new or the old one. With a count above 1 it "
        "places a further canary, and no evaluation ends it: three of one version become two of each.",
        conditions=(
            "the update block of a service has canaries and max_parallel 0",
            "a new version changes its tasks, so that allocations are to be replaced",
        ),
        violates="no_more_allocs_than_count",
        cure=UNDEPLOYED_CANARY,
        impact=Impact(
            harm="a new version is never deployed",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a service with canaries and max_parallel 0: it runs more allocations than its count, a "
            "singleton twice, and the old version stays; there is no deployment to promote or to fail, and "
            "only another registration rescues it",
        ),
    ),
    ClusterFinding(
        id="C-29",
        title="A migrated allocation gets the index of a canary of its version",
        happens="A canary waits for its promotion. It has the name of the allocation that it is to replace. "
        "That one has to leave its node, and no older version with a deployment is known, so its replacement "
        "is of the new version. The scheduler sees that two have the name, and looks for the next free one. "
        "The group is to have more allocations than before, and a request for one of them has taken that "
        "name, though nothing is placed for it before the promotion. So names are given out once more from "
        "index 0. After the promotion the count is reached, two allocations have the index 0 and none has 1.",
        conditions=(
            "a service has a version without an update block, or its last deployment was collected",
            "a version with a higher count and canaries is registered, and waits for its promotion",
            "an allocation that a canary is to replace has to leave its node meanwhile",
        ),
        violates="names_of_live_allocs_are_distinct",
        cure=SPENT_NAMES,
        impact=Impact(
            harm="two allocations have one index",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="a service whose allocations share work by NOMAD_ALLOC_INDEX: one part is taken twice and "
            "another one never, until one of the two allocations is replaced",
        ),
    ),
    ClusterFinding(
        id="C-30",
        title="A group is placed in room that a surplus canary gives back",
        happens="A system job has canaries in one of its groups. All old allocations of the group make room "
        "for one, and other groups of the job are placed in that room. Then the canaries that are too many "
        "leave the plan, and the allocations that they were to replace stay. The others remain in the "
        "plan, on nodes that have no room for them. The applier rejects these nodes, and each retry "
        "plans the same. The plan carries the deployment, so the worker goes on without end (C-09); "
        "with that mended the evaluation fails. A plan rejected in part keeps only those canaries that "
        "it places (PLAN-49), so that the ones that run count no longer.",
        conditions=(
            "a system job has a group with canaries, and they are fewer than its old allocations",
            "another group of it is placed on a node where an old allocation stays",
            "that node has room for this group only without the old allocation",
        ),
        violates="rejected_plans_end_a_delivery",
        cure=SURPLUS_EVICTION,
        impact=Impact(
            harm="a job is never evaluated again",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a system job with canaries and a second group on full nodes: a worker plans for it without "
            "end, and its promotion is refused although the canary is healthy",
        ),
    ),
)
"""Those in which a canary or a promotion takes part."""
