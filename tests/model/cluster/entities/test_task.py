"""Tests of `model/cluster/entities/task.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.task import (
    Action,
    ChangeScript,
    CSIPluginConfig,
    DispatchPayload,
    Lifecycle,
    LogConfig,
    Secret,
    Task,
    TaskArtifact,
    Template,
    VolumeMount,
    WaitConfig,
    is_main,
)
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (Lifecycle, "Hook Sidecar"),
        (ChangeScript, "Command Args Timeout FailOnError RunOnFirstRender"),
        (WaitConfig, "Min Max"),
        (
            Template,
            (
                "SourcePath DestPath EmbeddedTmpl ChangeMode ChangeSignal ChangeScript Once Splay Perms Uid "
                "Gid LeftDelim RightDelim Envvars VaultGrace Wait ErrMissingKey"
            ),
        ),
        (
            TaskArtifact,
            "GetterSource GetterOptions GetterHeaders GetterMode GetterInsecure RelativeDest Chown",
        ),
        (Secret, "Name Provider Path Config Env"),
        (LogConfig, "MaxFiles MaxFileSizeMB Disabled"),
        (VolumeMount, "Volume Destination ReadOnly PropagationMode SELinuxLabel"),
        (DispatchPayload, "File"),
        (CSIPluginConfig, "ID Type MountDir StagePublishBaseDir HealthTimeout"),
        (Action, "Name Command Args"),
        (
            Task,
            (
                "Name Driver User Config Env Services Vault Secrets Consul Templates Constraints Affinities "
                "Resources RestartPolicy DispatchPayload Lifecycle Meta KillTimeout LogConfig Artifacts "
                "Leader ShutdownDelay VolumeMounts ScalingPolicies KillSignal Kind CSIPluginConfig Identity "
                "Identities Actions Schedule"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


@pytest.mark.parametrize(
    ("lifecycle", "is_one"),
    [(None, True), (Lifecycle(sidecar=True), True), (Lifecycle(hook="prestart"), False)],
)
def test_a_task_without_a_hook_is_a_main_one(lifecycle: Lifecycle | None, is_one: bool) -> None:
    """OBJ-121."""
    assert is_one == is_main(Task(lifecycle=lifecycle))
