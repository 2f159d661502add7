"""The whole cluster as one immutable value: the replicated state, and beside it what lives only in memory.

An act (`acts/`) is what an actor can do with it. Nothing here decides anything: the components do.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.agenda import NOTHING_KEPT, Agenda, Kept, follow_client, follow_state, keep
from nomadspec.model.cluster.components.blocked_state import BlockedEvals
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings
from nomadspec.model.cluster.components.client import Client
from nomadspec.model.cluster.components.deployment_watch import Watchers
from nomadspec.model.cluster.components.drainer import Drainer
from nomadspec.model.cluster.components.leader_memory import Memory
from nomadspec.model.cluster.components.periodic import Dispatcher
from nomadspec.model.cluster.components.plan_pipeline import Applier
from nomadspec.model.cluster.components.plan_queue import PlanQueue
from nomadspec.model.cluster.components.plan_rejections import Rejections
from nomadspec.model.cluster.entities import Evaluation, Plan, PlanResult
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.scheduler.planner import Call
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.run import Transaction
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import RowKey
from nomadspec.model.specification.profiles import Profile

START_NS = 1_900_000_000 * NS_PER_S
"""When a cluster begins, where nobody says otherwise: some time in 2030."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the configuration of the servers says, and the profile under which they work."""

    profile: Profile
    seed: int = 0
    """What is left to chance inside a call of a scheduler follows from it."""
    delivery_limit: int = 3
    pipeline_depth: int = 1
    """How many plans may be committed at once (`plan_apply_pipeline`)."""
    followers: int = 0
    """How many other servers there are, whose workers read what these have applied."""
    pauses_workers: bool = False
    """Whether the leader pauses three quarters of its own workers, as servers with many of them do."""
    tracks_rejections: bool = False
    rejection_threshold: int = 100

    def make_broker(self) -> Broker:
        """Make the broker of a server."""
        return Broker(settings=BrokerSettings(profile=self.profile, delivery_limit=self.delivery_limit))


class Delivered(msgspec.Struct, frozen=True, kw_only=True):
    """An evaluation in the hands of a worker.

    Spec: WORKER-05, WORKER-08.
    """

    eval: Evaluation
    token: str
    number: int
    """Deliveries are counted; what a worker makes for this one carries the number in its ID."""
    wait_index: int
    """The state of the worker's server must have come so far."""
    snapshot_index: int = 0
    """How far that state had come when it was taken; 0 before."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What the servers answered to the operator who asked last."""

    error: str = ""
    """Why the request was refused; empty where it was not."""
    says: str = ""
    """What else they told: what a dry run would change, which version is restored."""


class Worker(msgspec.Struct, frozen=True, kw_only=True):
    """A scheduler worker: what it holds, and how far its scheduler has come with it."""

    id: str
    server: str = ""
    """The follower whose state it reads; empty for the leader."""
    is_paused: bool = False
    held: Delivered | None = None
    call: Call | None = None
    awaits_plan: bool = False
    """Whether a plan of it is queued, judged or committed, and not answered."""
    answer: Answer | None = None
    """What came back for its plan, until the scheduler goes on with it."""
    waits_since_ns: int = 0
    """Since when it waits for the state of its server to come far enough."""
    rests_until_ns: int = 0
    """It gave a delivery back since its server was behind, and takes no other before this time ..."""
    rests_for: int = 0
    """... unless its server has come so far."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A plan that was judged and is not dispatched yet, since an earlier entry is in flight.

    Spec: PLAN-31, PLAN-36.
    """

    plan: Plan
    result: PlanResult


class InFlight(msgspec.Struct, frozen=True, kw_only=True):
    """A plan's entry in the log whose commit nobody has seen yet."""

    plan: Plan
    result: PlanResult
    request: ApplyPlanResults
    is_lost: bool = False
    """Whether its plan was answered with an error although the entry may commit (03/S5)."""


class Leader(msgspec.Struct, frozen=True, kw_only=True):
    """What only the leader remembers, and loses with its leadership."""

    elected_at_ns: int = 0
    memory: Memory
    plans: PlanQueue
    applier: Applier
    judged: Judged | None = None
    in_flight: tuple[InFlight, ...] = ()
    ended: tuple[int, ...] = ()
    """The indexes of ended entries that the applier has not collected; 0 for one that failed."""
    has_reaper: bool = True
    """Whether somebody ends the evaluations that were delivered too often: a pause may end that (02/S6)."""
    watchers: Watchers = Watchers()
    drainer: Drainer = Drainer()
    dispatcher: Dispatcher
    heartbeats: HashTrieMap[str, int] = HashTrieMap()
    """By node, when its heartbeat is missed."""


class World(msgspec.Struct, frozen=True, kw_only=True):
    """A cluster at one moment."""

    settings: Settings
    now_ns: int = START_NS
    state: State
    """The replicated state, as far as the log was applied on the leader."""
    leader: Leader
    is_led: bool = False
    """Whether some server leads; without one nothing is delivered and nothing is written."""
    rejections: Rejections
    """The plan rejection tracker, which outlives a leadership."""
    workers: HashTrieMap[str, Worker] = HashTrieMap()
    clients: HashTrieMap[str, Client] = HashTrieMap()
    """By node."""
    followers: HashTrieMap[str, State] = HashTrieMap()
    """By server, the state that it has applied: at most as far as the leader's."""
    reply: Reply = Reply()
    losses: int = 0
    """How many of the next entries the log will not commit."""
    made: int = 0
    """How many IDs were made outside schedulers."""
    deliveries: int = 0
    written: tuple[Transaction, ...] = ()
    """What was written since whoever follows this world last forgot it."""
    kept: Kept = NOTHING_KEPT
    """The agenda as it was last kept; `agenda` knows whether that is still the one."""

    @property
    def agenda(self) -> Agenda:
        """The nodes to which something may happen."""
        return self.keep_agenda().agenda

    def keep_agenda(self) -> Kept:
        """Give the agenda that was kept, or look at every node where it is not of this world."""
        if self.kept.is_of(self.state, self.clients):
            return self.kept
        return keep(self.state, self.clients)

    def find_state(self, worker: Worker) -> State:
        """Find the state that a worker reads."""
        return self.followers.get(worker.server, self.state)


def make_world(settings: Settings, workers: int = 2) -> World:
    """Make a cluster without nodes and jobs that nobody leads yet."""
    own = [Worker(id=f"worker-{number}") for number in range(1, workers + 1)]
    servers = [f"server-{number}" for number in range(2, settings.followers + 2)]
    others = [Worker(id=f"worker-of-{server}", server=server) for server in servers]
    state = make_initial_state()
    return World(
        settings=settings,
        state=state,
        leader=make_leader(settings),
        rejections=Rejections(is_enabled=settings.tracks_rejections, threshold=settings.rejection_threshold),
        workers=HashTrieMap({worker.id: worker for worker in (*own, *others)}),
        followers=HashTrieMap(dict.fromkeys(servers, state)),
    )


def make_leader(settings: Settings) -> Leader:
    """Make the memory of a server that does not lead: everything is switched off."""
    return Leader(
        memory=Memory(broker=settings.make_broker(), blocked_evals=BlockedEvals()),
        plans=PlanQueue(),
        applier=Applier(depth=settings.pipeline_depth),
        dispatcher=Dispatcher(profile=settings.profile),
    )


def with_worker(world: World, worker: Worker) -> World:
    """Give the world with one worker changed."""
    return replace(world, workers=world.workers.insert(worker.id, worker))


def with_client(world: World, client: Client, *, has_seen_all: bool = False) -> World:
    """Give the world with one client changed, which may just have seen all that the servers show."""
    clients = world.clients.insert(client.node_id, client)
    kept = follow_client(world.keep_agenda(), client, clients, world.state, has_seen_all=has_seen_all)
    return replace(world, clients=clients, kept=kept)


def with_state(world: World, state: State, transactions: tuple[Transaction, ...]) -> World:
    """Give the world with the state that some transactions made of the one before."""
    kept = follow_state(world.keep_agenda(), state, transactions)
    return replace(world, state=state, kept=kept, written=(*world.written, *transactions))


def list_written(world: World, table: str) -> dict[RowKey, object]:
    """List the rows of a table that were written since they were forgotten, with what they were before."""
    found: dict[RowKey, object] = {}
    for transaction in world.written:
        for (name, key), before in transaction.before.items():
            if name == table:
                found.setdefault(key, before)
    return found


def with_memory(world: World, memory: Memory) -> World:
    """Give the world with the leader's broker and blocked evaluations changed."""
    return replace(world, leader=replace(world.leader, memory=memory))


def with_broker(world: World, broker: Broker) -> World:
    """Give the world with the broker changed."""
    return with_memory(world, replace(world.leader.memory, broker=broker))


def make_id(world: World, kind: str) -> tuple[World, str]:
    """Make an ID that nothing has yet, such as ``eval-00012``."""
    number = world.made + 1
    return replace(world, made=number), f"{kind}-{number:05d}"
