"""What a placement attempt met: how many nodes it looked at, filtered and found full, and the best scores."""

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.cluster.entities.resources import Resources


class NodeScoreMeta(Struct, frozen=True, kw_only=True):
    """The scores of one node."""

    node_id: str = ""
    scores: Mapping[str, float] = {}
    norm_score: float = 0.0


class AllocMetric(Struct, frozen=True, kw_only=True):
    """What one attempt to place an allocation met.

    Spec: OBJ-262.
    """

    nodes_evaluated: int = 0
    nodes_filtered: int = 0
    nodes_in_pool: int = 0
    node_pool: str = ""
    nodes_available: Mapping[str, int] = {}
    class_filtered: Mapping[str, int] = {}
    constraint_filtered: Mapping[str, int] = {}
    nodes_exhausted: int = 0
    class_exhausted: Mapping[str, int] = {}
    dimension_exhausted: Mapping[str, int] = {}
    quota_exhausted: tuple[str, ...] = ()
    resources_exhausted: Mapping[str, Resources] = {}
    scores: Mapping[str, float] = {}
    score_meta_data: tuple[NodeScoreMeta, ...] = ()
    allocation_time_ns: int = 0
    coalesced_failures: int = 0
