"""A server of one's own in the hands of Hypothesis: it is driven from outside, and its tables are judged.

Write an adapter with the methods of `Server`, derive from `ServerMachine`, and name it:

    class MyMachine(ServerMachine):
        make_server = MyAdapter

    TestMyServer = MyMachine.TestCase
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, Protocol

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from msgspec import Struct
from msgspec.structs import replace

from nomadspec.checkers.scenario.objects import build_job, build_node
from nomadspec.checkers.stateful.world.drive import REST_NS
from nomadspec.checkers.stateful.world.machine import PLAIN_JOBS, BrokenError, registrations
from nomadspec.checkers.stateful.world.moves import MS, Register, write_options
from nomadspec.invariants.cluster.world import Property, Scope, Step, list_properties
from nomadspec.model.cluster.entities import Job, Node
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import Settings, World, make_world
from nomadspec.model.specification.profiles import INTENDED

_TABLES: Final = frozenset({"allocs", "evals", "jobs", "nodes", "deployments", "summaries", "versions"})
"""What can be read of a server from outside."""

_ASKS_WHO: Final = frozenset(
    {
        "batch_alloc_gets_no_health",
        "ineligible_node_stays_ineligible",
        "only_clients_write_task_states",
        "paused_deployment_stays_paused",
        "reachable_node_is_not_marked_down",
        "client_report_leaves_fields_of_servers",
        "servers_call_allocs_only_lost_or_unknown",
        "stopped_job_gets_no_new_alloc",
        "stopped_job_stays_stopped",
        "summary_of_job_follows_allocs",
    }
)
"""Properties of single acts: between two looks at a server many are taken."""

_OF_TABLES_AT_REST: Final = frozenset(
    {
        "active_deployment_is_of_current_version",
        "deployment_ends_or_waits_for_operator",
        "missing_alloc_is_looked_for",
        "names_of_live_allocs_are_distinct",
        "no_live_alloc_on_down_node",
        "no_more_allocs_than_count",
        "node_runs_one_alloc_of_system_job",
        "stopped_job_has_no_live_alloc",
        "no_alloc_stays_unknown_past_lost_after",
    }
)
"""Properties of clusters at rest that read nothing but tables."""

_WAITS_MS: Final = (1000, 15_000, 70_000)
_MOST_NODES: Final = 3


class Seen(Struct, frozen=True):
    """What a server shows: its tables, and its time."""

    state: State
    """``State.of(jobs=..., nodes=..., allocs=..., evals=...)``, of the tables that it has."""
    now_ns: int


class Server(Protocol):
    """What an adapter does to a server."""

    def begin(self, nodes: Sequence[Node]) -> None:
        """Start anew with these nodes, each of them ready."""

    def register(self, job: Job) -> None:
        """Register a job, as new or as a further version."""

    def stop(self, job_id: str) -> None:
        """Stop a job, if it is there."""

    def lose(self, node_id: str) -> None:
        """Let a client not reach the servers."""

    def find(self, node_id: str) -> None:
        """Let a client reach the servers again."""

    def wait(self, ms: int) -> None:
        """Let time pass, and do what is to be done meanwhile."""

    def see(self) -> Seen:
        """Show the tables."""


def list_asked() -> tuple[Property, ...]:
    """List the properties that can be asked of a server from outside."""
    moving = [
        each
        for each in list_properties(Scope.ALWAYS, Scope.STEP)
        if _TABLES.issuperset(each.reads) and each.name not in _ASKS_WHO
    ]
    resting = [each for each in list_properties(Scope.REST) if each.name in _OF_TABLES_AT_REST]
    return (*moving, *resting)


class ServerMachine(RuleBasedStateMachine):
    """A server of one's own under way in the hands of Hypothesis."""

    make_server: ClassVar[Callable[[], Server]]
    properties: tuple[Property, ...] = list_asked()

    def __init__(self) -> None:
        """Start a server; its nodes are drawn."""
        super().__init__()
        self.server = type(self).make_server()
        self.told: list[str] = []
        self.world = make_world(Settings(profile=INTENDED))

    @initialize(count=st.integers(1, _MOST_NODES))
    def begin(self, count: int) -> None:
        """Set it up."""
        names = [f"node-{number}" for number in range(1, count + 1)]
        self.server.begin([build_node(name, {"cpu": "1000"}) for name in names])
        self.told.append(f"cluster {count} nodes cpu 1000")
        self.world = self._look()

    @rule(job=registrations(PLAIN_JOBS))
    def register(self, job: Register) -> None:
        """An operator registers a job."""
        self.server.register(build_job(job.name, dict(job.options)))
        self._judge(f"register {job.name}{write_options(job.options)}")

    @rule(name=st.sampled_from(PLAIN_JOBS))
    def stop(self, name: str) -> None:
        """An operator stops a job."""
        self.server.stop(name)
        self._judge(f"stop {name}")

    @rule(number=st.integers(1, _MOST_NODES), is_lost=st.booleans())
    def move_node(self, number: int, *, is_lost: bool) -> None:
        """A client is out of reach, or in reach again."""
        name = f"node-{number}"
        if name in self.world.state.nodes:
            (self.server.lose if is_lost else self.server.find)(name)
            self._judge(f"{name} {'misses heartbeats' if is_lost else 'returns'}")

    @rule(ms=st.sampled_from(_WAITS_MS))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self.server.wait(ms)
        self._judge(f"wait {ms}ms")

    def teardown(self) -> None:
        """Let it rest, and ask what must be true then."""
        if self.told and not self.told[-1].startswith("#"):
            self.server.wait(REST_NS // MS)
            self._judge(f"wait {REST_NS // MS}ms", is_at_rest=True)

    def _look(self) -> World:
        seen = self.server.see()
        return replace(make_world(Settings(profile=INTENDED)), state=seen.state, now_ns=seen.now_ns)

    def _judge(self, line: str, *, is_at_rest: bool = False) -> None:
        self.told.append(line)
        step = Step(self.world, None, self._look())
        self.world = step.after
        for each in self.properties:
            if (each.scope is not Scope.REST or is_at_rest) and (found := each.list_witnesses(step)):
                lines = "\n".join(self.told)
                self.told.append("# broken")
                raise BrokenError(f"{each.name}: {found[0]}\n\n{lines}\n")
