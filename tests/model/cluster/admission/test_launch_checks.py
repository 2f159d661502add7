import pytest

from nomadspec.model.cluster.admission.launch_checks import check_parameterized, check_periodic
from nomadspec.model.cluster.entities import ParameterizedJobConfig, PeriodicConfig


def make(*specs: str, spec: str = "", spec_type: str = "cron", zone: str = "") -> PeriodicConfig:
    return PeriodicConfig(enabled=True, specs=specs, spec=spec, spec_type=spec_type, time_zone=zone)


@pytest.mark.parametrize(
    ("periodic", "complaints"),
    [
        (make("@daily", "*/5 * * * *"), []),
        (make(spec="@daily", zone="Europe/Berlin"), []),
        (make(spec="1,2", spec_type="_internal_test"), []),
        (PeriodicConfig(spec="nonsense", spec_type="tide", time_zone="Mars/Base"), []),
        (make(), ["Must specify a spec"]),
        (make("@daily", spec="@daily"), ["Only cron or crons may be used"]),
        (make("@daily", spec_type="tide"), ['Unknown periodic specification type "tide"']),
        (
            make("@daily", "9 * * *"),
            ['Invalid cron spec "9 * * *": missing field(s)'],
        ),
        (make("@daily", zone="Mars/Base"), ['Invalid time zone "Mars/Base": unknown time zone Mars/Base']),
    ],
)
def test_periodic_jobs(periodic: PeriodicConfig, complaints: list[str]) -> None:
    """OBJ-140."""
    assert complaints == [found.text for found in check_periodic(periodic)]


@pytest.mark.parametrize(
    ("parameterized", "complaints"),
    [
        (ParameterizedJobConfig(payload="required", meta_required=("a",), meta_optional=("b",)), []),
        (ParameterizedJobConfig(payload="always"), ['Unknown payload requirement: "always"']),
        (
            ParameterizedJobConfig(payload="optional", meta_required=("a", "b"), meta_optional=("b", "a")),
            ["Required and optional meta keys should be disjoint. Following keys exist in both: [a b]"],
        ),
    ],
)
def test_parameterized_jobs(parameterized: ParameterizedJobConfig, complaints: list[str]) -> None:
    """OBJ-143."""
    assert complaints == [found.text for found in check_parameterized(parameterized)]
