from nomadspec.checkers.oracle.families.watched_deployment import (
    Placed,
    Scene,
    Version,
    find_image,
    make_scene,
    make_update,
    place,
)
from nomadspec.model.cluster.entities import Deployment, DeploymentState, Job, Task, TaskGroup
from nomadspec.model.cluster.store.requests import AllocClientUpdate
from nomadspec.model.specification.profiles import NOMAD_2_0

JOB = Job(
    id="j",
    namespace="default",
    node_pool="default",
    modify_index=5,
    task_groups=(TaskGroup(name="g", tasks=(Task(),)),),
)
DEPLOYMENT = Deployment(
    id="d", namespace="default", job_id="j", status="running", task_groups={"g": DeploymentState()}
)


def begin() -> Scene:
    versions = [Version(2, Stable=False, image="v:2"), Version(1, Stable=True, image="v:1")]
    placed = [Placed("a", "g", Canary=True)]
    return make_scene(7, JOB, versions, DEPLOYMENT, placed, has_eval=True, profile=NOMAD_2_0)


def test_versions_are_told_apart_by_their_image() -> None:
    versions = begin().state.list_job_versions("default", "j")

    assert [(2, False, "v:2"), (1, True, "v:1")] == [
        (job.version, job.stable, find_image(job)) for job in versions
    ]


def test_the_first_eval_is_newer_than_the_allocs() -> None:
    scene = begin()

    assert scene.state.evals["eval-before"].create_index > scene.state.allocs["a"].modify_index


def test_what_is_placed_counts() -> None:
    scene = place(begin(), [Placed("b", "g", Canary=False)])

    group = scene.state.deployments["d"].task_groups["g"]
    assert group
    assert 1 == group.placed_allocs
    assert "pending" == scene.state.allocs["b"].client_status


def test_reports_bear_the_time_and_each_write_makes_another_id() -> None:
    scene = begin()
    update = make_update(scene, "a", "running", healthy=True)
    after, error = scene.write(AllocClientUpdate(alloc=(update,)))

    assert "" == error
    assert scene.next_id != after.next_id
    status = after.state.allocs["a"].deployment_status
    assert status
    assert (True, 7, True) == (status.healthy, status.timestamp_ns, status.canary)
    assert None is make_update(scene, "a", "running", healthy=None).deployment_status
