"""How long the harm of findings lasts, where their scenarios do not tell."""

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from nomadspec.model.specification.quirks import UNDEPLOYED_CANARY

LOOK = "evaluate web\nwait 1h\n"
DEPLOYMENT = (
    "cluster 1 nodes\nregister web count 3\nwait 1m\nregister web count 3 canary 1 max_parallel 0 image v2\n"
)


def _count_versions(profile: Profile, looks: int) -> tuple[int, int]:
    run = play_lines(parse_lines(f"{DEPLOYMENT}wait 1h\n{LOOK * looks}", "lasting"), profile)
    running = [each for each in run.world.state.list_allocs() if each.client_status == "running"]
    versions = [each.job.version for each in running if each.job is not None and each.desired_status == "run"]
    return versions.count(0), versions.count(1)


def test_no_evaluation_deploys_a_version_with_canaries_and_without_a_deployment() -> None:
    """C-28: a person has to register another version."""
    assert UNDEPLOYED_CANARY in NOMAD_2_0.quirks
    assert [(3, 1), (2, 2), (2, 2), (2, 2)] == [_count_versions(NOMAD_2_0, looks) for looks in range(4)]
    assert (0, 3) == _count_versions(INTENDED, 0)
