"""What an operator or a scheduler asks for in a step, told by what the scope counts of it."""

from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Flag


def has_purged(s: Kernel, n: Kernel) -> Flag:
    """True where an operator purges a job."""
    return n.purged > s.purged


def has_stopped(s: Kernel, n: Kernel) -> Flag:
    """True where an operator stops a job."""
    return n.stopped > s.stopped


def has_registered_again(s: Kernel, n: Kernel) -> Flag:
    """True where an operator registers a job that was stopped or is gone."""
    return n.returned > s.returned


def has_updated(s: Kernel, n: Kernel) -> Flag:
    """True where an operator registers a new version of a job."""
    return n.updated > s.updated


def has_asked_for_an_eval(s: Kernel, n: Kernel) -> Flag:
    """True where an operator asks for an evaluation of a job."""
    return n.requested > s.requested


def has_told_to_migrate(s: Kernel, n: Kernel) -> Flag:
    """True where an operator drains a node, or stops an allocation."""
    return n.migrations_made > s.migrations_made


def has_begun_a_deployment(s: Kernel, n: Kernel) -> Flag:
    """True where a plan begins a deployment."""
    return n.deployments_made > s.deployments_made


def has_changed_a_deployment(s: Kernel, n: Kernel) -> Flag:
    """True where an operator pauses a deployment, lets it go on, or fails it, or health is reported anew."""
    return n.deployment_changes_made > s.deployment_changes_made
