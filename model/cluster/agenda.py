"""The agenda of a cluster: the few nodes to which something may happen, so that nobody has to ask them all.

`compute_agenda` says by a look at every node what an agenda is. A world keeps one beside its clients and
tables, and has it follow what an act wrote; one that was kept for other clients or tables is not believed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace
from rpds import HashTrieMap, HashTrieSet

from nomadspec.model.cluster.components.client import (
    Client,
    find_out_of_reach_due,
    has_news,
    is_news,
    put,
)
from nomadspec.model.cluster.entities import Allocation, NodeStatus
from nomadspec.model.cluster.store.run import Transaction
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS, NODES

Clients: TypeAlias = "HashTrieMap[str, Client]"


class Agenda(msgspec.Struct, frozen=True, kw_only=True):
    """By what may happen to them, the nodes to which it may."""

    unready: HashTrieSet[str] = HashTrieSet()
    """Nodes that the servers do not call ready."""
    unpulled: HashTrieSet[str] = HashTrieSet()
    """Their clients have not seen what the servers have changed."""
    starting: HashTrieSet[str] = HashTrieSet()
    """Something on them is to start."""
    stopping: HashTrieSet[str] = HashTrieSet()
    """Something on them is to stop."""
    reporting: HashTrieSet[str] = HashTrieSet()
    """Their clients have something to report."""
    cut_off: HashTrieSet[str] = HashTrieSet()
    """Their clients do not reach the servers."""
    timed: HashTrieMap[str, int] = HashTrieMap()
    """When the first timer of a client runs out, of those that have one."""
    dues: HashTrieMap[int, int] = HashTrieMap()
    """How many of these run out at each time: there are far fewer times than clients."""

    @property
    def first_due_ns(self) -> int | None:
        """When the first timer of all clients runs out."""
        return min(self.dues, default=None)


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """An agenda with the clients and the tables that it is of."""

    agenda: Agenda = Agenda()
    clients: Clients = HashTrieMap()
    nodes: object = None
    allocs: object = None

    def is_of(self, state: State, clients: Clients) -> bool:
        """True if it is of these very clients and tables."""
        return self.clients is clients and self.nodes is state.nodes and self.allocs is state.allocs


NOTHING_KEPT: Final = Kept()


def compute_agenda(state: State, clients: Clients) -> Agenda:
    """Look at every node."""
    agenda = Agenda(
        unready=HashTrieSet(node.id for node in state.nodes.values() if node.status != NodeStatus.READY)
    )
    for client in clients.values():
        agenda = _note_news(_note_client(agenda, client), client, state)
    return agenda


def keep(state: State, clients: Clients) -> Kept:
    """Keep an agenda from now on."""
    return Kept(
        agenda=compute_agenda(state, clients), clients=clients, nodes=state.nodes, allocs=state.allocs
    )


def follow_client(
    kept: Kept, client: Client, clients: Clients, state: State, *, has_seen_all: bool = False
) -> Kept:
    """Follow the change of one client, of which it may be known that it has nothing left to see."""
    agenda = _note_client(kept.agenda, client, kept.clients.get(client.node_id))
    if has_seen_all:
        agenda = replace(agenda, unpulled=put(agenda.unpulled, client.node_id, is_in=False))
    elif client.node_id in agenda.unpulled or client.node_id not in kept.clients:
        agenda = _note_news(agenda, client, state)
    return replace(kept, agenda=agenda, clients=clients)


def follow_state(kept: Kept, state: State, transactions: Iterable[Transaction]) -> Kept:
    """Follow what was written."""
    agenda = kept.agenda
    nodes, changed = set[str](), dict[str, list[Allocation | None]]()
    for transaction in transactions:
        for (table, key), before in transaction.before.items():
            if table == NODES:
                nodes.add(str(key))
            elif table == ALLOCS:
                now = transaction.after.allocs.get(str(key))
                if isinstance(before, Allocation) and (now is None or now.node_id != before.node_id):
                    changed.setdefault(before.node_id, []).append(None)
                if now and not (isinstance(before, Allocation) and _is_no_news(before, now)):
                    changed.setdefault(now.node_id, []).append(now)
    for node_id in nodes:
        node = state.nodes.get(node_id)
        is_unready = node is not None and node.status != NodeStatus.READY
        agenda = replace(agenda, unready=put(agenda.unready, node_id, is_in=is_unready))
    for node_id, allocs in changed.items():
        client = kept.clients.get(node_id)
        if client is not None:
            agenda = _note_changes(agenda, client, state, allocs)
    return replace(kept, agenda=agenda, nodes=state.nodes, allocs=state.allocs)


def _note_client(agenda: Agenda, client: Client, before: Client | None = None) -> Agenda:
    """Note what may happen to a client; what of it is as it was before need not be looked at."""
    node_id, timed, dues = client.node_id, agenda.timed, agenda.dues
    before_ns = timed.get(node_id)
    due_ns = before_ns if before and _has_same_timers(before, client) else _find_first_timer(client)
    if due_ns != before_ns:
        timed = timed.discard(node_id) if due_ns is None else timed.insert(node_id, due_ns)
        dues = _count(_count(dues, before_ns, -1), due_ns, 1)
    return Agenda(
        unready=agenda.unready,
        unpulled=agenda.unpulled,
        starting=put(agenda.starting, node_id, is_in=bool(client.to_start)),
        stopping=put(agenda.stopping, node_id, is_in=bool(client.to_stop)),
        reporting=put(agenda.reporting, node_id, is_in=bool(client.to_report)),
        cut_off=put(agenda.cut_off, node_id, is_in=not client.is_connected),
        timed=timed,
        dues=dues,
    )


def _count(dues: HashTrieMap[int, int], due_ns: int | None, more: int) -> HashTrieMap[int, int]:
    if due_ns is None:
        return dues
    count = dues.get(due_ns, 0) + more
    return dues.insert(due_ns, count) if count else dues.discard(due_ns)


def _has_same_timers(before: Client, client: Client) -> bool:
    has_leaving = before.leaving or client.leaving
    return before.timers is client.timers and not has_leaving


def _find_first_timer(client: Client) -> int | None:
    times = [*client.timers.values()] if client.timers else []
    for alloc_id in client.leaving if client.leaving and not client.is_connected else ():
        due_ns = find_out_of_reach_due(client, client.runners[alloc_id])
        times += [] if due_ns is None else [due_ns]
    return min(times, default=None)


def _is_no_news(before: Allocation, now: Allocation) -> bool:
    """True if a client that has seen an allocation as it was has nothing to see now."""
    return before.node_id == now.node_id and before.alloc_modify_index == now.alloc_modify_index


def _note_changes(
    agenda: Agenda, client: Client, state: State, allocs: Iterable[Allocation | None]
) -> Agenda:
    """Note whether a client has something to see now; what it had not seen before is looked at as a whole."""
    if all(alloc is not None and is_news(client, alloc) for alloc in allocs):
        return replace(agenda, unpulled=put(agenda.unpulled, client.node_id, is_in=True))
    return _note_news(agenda, client, state)


def _note_news(agenda: Agenda, client: Client, state: State) -> Agenda:
    unpulled = put(agenda.unpulled, client.node_id, is_in=has_news(client, state))
    return agenda if unpulled is agenda.unpulled else replace(agenda, unpulled=unpulled)
