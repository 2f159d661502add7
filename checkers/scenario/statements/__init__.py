"""The statements of scenarios by subject: what can be said of a cluster, a line each."""

from nomadspec.checkers.scenario.statements import (
    allocations,
    clusters,
    deployments,
    expectations,
    jobs,
    nodes,
    servers,
    settings,
)

__all__ = ["allocations", "clusters", "deployments", "expectations", "jobs", "nodes", "servers", "settings"]
