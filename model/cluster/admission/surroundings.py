"""What admission knows beside the job: the configuration of the server and what is stored."""

from dataclasses import dataclass, field

from nomadspec.model.cluster.entities import NAMESPACE_DEFAULT, POOL_ALL, POOL_DEFAULT


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The part of the server's configuration and state that admission reads."""

    namespaces: frozenset[str] = frozenset({NAMESPACE_DEFAULT})
    node_pools: frozenset[str] = frozenset({POOL_ALL, POOL_DEFAULT})
    default_priority: int = 50
    most_priority: int = 100
    most_count: int = 50_000
    """The largest sum of a job's counts; 0 means that there is no limit."""
    vault_clusters: frozenset[str] = field(default_factory=frozenset)
    is_memory_oversubscription_enabled: bool = False
