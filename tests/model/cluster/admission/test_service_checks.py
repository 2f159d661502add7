import pytest

from nomadspec.model.cluster.admission.service_checks import check_services
from nomadspec.model.cluster.entities import Service, Task, TaskGroup


def make(name: str = "web", provider: str = "nomad") -> Service:
    return Service(name=name, provider=provider)


@pytest.mark.parametrize("name", ["web", "a", "Web-2", "x" * 63, "${JOB}-web"])
def test_good_names(name: str) -> None:
    assert [] == list(check_services(TaskGroup(services=(make(name),))))


@pytest.mark.parametrize("name", ["", "web_1", "-web", "web-", "x" * 64, "a b"])
def test_bad_names(name: str) -> None:
    (found,) = check_services(TaskGroup(services=(make(name),)))

    assert f"Service[0] {name} validation failed: " == found.text
    assert found.parts[0].text.endswith(f'no longer than 63 characters: "{name}"')


def test_an_unknown_provider_is_named() -> None:
    _, found = check_services(TaskGroup(services=(make(), make("a"), make("b", "tide"))))

    assert "Service[2] b validation failed: " == found.text
    assert ['Service provider must be "consul", or "nomad"; not "tide"'] == [
        part.text for part in found.parts
    ]


def test_group_and_tasks_have_one_provider() -> None:
    """OBJ-070."""
    group = TaskGroup(services=(make(),), tasks=(Task(services=(make(provider="consul"),)),))
    (found,) = check_services(group)

    assert found.text.startswith("Multiple service providers used")
