"""Where in a visiting order each node must stand, by what each search visited and which nodes it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nomadspec.model.cluster.entities import Allocation, Node


def suggest_places(nodes: Sequence[Node], placed: Sequence[Allocation | None]) -> Mapping[int, str]:
    """Suggest nodes for places of an order, so that each search can have visited the nodes that it shows.

    A search begins where the one before ended. Whoever is shown by several searches stands where their
    stretches meet. Places that nothing is known of are left out.
    """
    count = len(nodes)
    wanted: dict[str, list[int]] = {}
    start = 0
    for alloc in placed:
        if alloc is None or alloc.metrics is None:
            continue  # all nodes were visited, and the cursor came back
        visited = alloc.metrics.nodes_evaluated
        stretch = [(start + at) % count for at in range(visited)] if count else []
        for node_id, places in _list_wishes(alloc, stretch, is_whole=visited >= count):
            known = wanted.get(node_id)
            wanted[node_id] = places if known is None else [at for at in known if at in places]
        start = (start + visited) % count if count else 0
    return _match(wanted)


def _list_wishes(
    alloc: Allocation, stretch: Sequence[int], *, is_whole: bool
) -> Iterator[tuple[str, list[int]]]:
    """List where the nodes of a search should stand: the one that was taken first, the others last.

    The last of a search that saw not all nodes is one that scored.
    """
    scores = (
        {meta.node_id: meta.norm_score for meta in alloc.metrics.score_meta_data} if alloc.metrics else {}
    )
    best = scores.get(alloc.node_id)
    is_tied = sum(score == best for score in scores.values()) > 1
    is_alone = len(scores) == 1 and not is_whole
    if is_tied or not is_whole:
        yield alloc.node_id, list(reversed(stretch)) if is_alone else list(stretch)
    if not is_whole:
        for node_id in scores:
            if node_id != alloc.node_id:
                yield node_id, list(reversed(stretch))


def _match(wanted: Mapping[str, Sequence[int]]) -> Mapping[int, str]:
    """Give each node a place of its own, as far as that is possible; who is least free comes first."""
    taken: dict[int, str] = {}

    def give(node_id: str, tried: set[int]) -> bool:
        for place in wanted[node_id]:
            if place in tried:
                continue
            tried.add(place)
            if place not in taken or give(taken[place], tried):
                taken[place] = node_id
                return True
        return False

    for node_id in sorted(wanted, key=lambda each: len(wanted[each])):
        free = next((place for place in wanted[node_id] if place not in taken), None)
        if free is None:
            give(node_id, set())
        else:
            taken[free] = node_id
    return taken
