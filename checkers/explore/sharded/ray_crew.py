"""Hands on Ray: processes of a cluster, which make the search's tools themselves from what it is about.

Ray is no part of this package: it is used where it is installed. Whatever a hand is told goes through Ray,
and nothing here depends on where the hands are. Ray writes what it sends as pickles, and reading those runs
what they name: only here are processes told something in that form, so a cluster has to be trusted.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Protocol

from nomadspec.checkers.explore.sharded.crew import Crew, LostHandError
from nomadspec.checkers.explore.sharded.ray_stdout import keep_stdout
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.stopping import retake_signals
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.errors import UnavailableError, UsageError
from nomadspec.model.language.bounded import BoundedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nomadspec.checkers.explore.sharded.hand import Hand
    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.language.declared_model import DeclaredModel
    from nomadspec.model.specification.profiles import Profile

PACKAGE: Final = "ray"
_LOOK_S: Final = 5.0
"""So long answers are waited for before it is looked whether anybody is there to give them."""


class Cluster(Protocol):
    """What is used of Ray."""

    exceptions: Any
    """What can go wrong, by name."""

    def is_initialized(self) -> bool:
        """True if this process is connected."""
        ...

    def init(self, **options: Any) -> object:
        """Connect, or start processes on this machine."""
        ...

    def remote(self, made: Callable[..., Any]) -> Any:  # noqa: ANN401 -- Ray makes its own of them
        """Make a class whose objects live in processes of their own, or a function that is called there."""
        ...

    def get(self, answers: Any, *, timeout: float) -> Any:  # noqa: ANN401 -- promises, and what they promised
        """Wait for answers, for some seconds."""
        ...

    def nodes(self) -> list[dict[str, Any]]:
        """List the machines of the cluster."""
        ...

    def get_runtime_context(self) -> Any:  # noqa: ANN401 -- an object of Ray's
        """Tell where this process is."""
        ...

    def kill(self, actor: Any) -> None:  # noqa: ANN401 -- an object of such a class
        """End the process of an object."""
        ...


@dataclass(frozen=True, slots=True)
class About:
    """What a search is about, to be sent to where its tools are made again."""

    model: DeclaredModel | str
    """The name of a model that every installation has, or the model itself."""
    scope: str
    sizes: Mapping[str, int]
    profile: Profile
    asked: tuple[str, ...]
    reduction: str
    stops_at_first: bool

    def make_task(self) -> Task:
        """Make the tools."""
        model = find_model(self.model) if isinstance(self.model, str) else self.model
        bounded = BoundedModel(model, self.scope, self.sizes, self.profile)
        return make_task(bounded, self.asked, self.reduction, stops_at_first=self.stops_at_first)


def describe_task(task: Task) -> About:
    """Describe a search so that its tools can be made elsewhere."""
    bounded = task.bounded
    return About(
        _name_model(bounded.declared),
        bounded.scope,
        dict(bounded.sizes),
        bounded.profile,
        task.asked,
        task.reduction_name,
        task.stops_at_first,
    )


def _name_model(model: DeclaredModel) -> DeclaredModel | str:
    return (
        model.name
        if model.name in list_model_names(with_classics=True) and find_model(model.name) is model
        else model
    )


def is_ray_available() -> bool:
    """True if Ray is installed."""
    return find_spec(PACKAGE) is not None


def find_cluster() -> Cluster:
    """Give Ray, connected, or say how to come by it."""
    if not is_ray_available():
        raise UsageError(
            f"--ray needs the package {PACKAGE}, which is not installed: pip install {PACKAGE}, or share the "
            "search among processes of this machine with --workers."
        )
    cluster: Cluster = import_module(PACKAGE)
    if not cluster.is_initialized():
        _connect(cluster)
        keep_stdout()
        retake_signals()  # Ray ends the program at SIGTERM, and then nothing would be kept
    return cluster


def _connect(cluster: Cluster) -> None:
    try:
        cluster.init(log_to_driver=False, include_dashboard=False, logging_level=logging.WARNING)
    except Exception as problem:  # Ray raises what it met, also an Exception that is nothing else
        reason, *_ = str(problem).splitlines() or [type(problem).__name__]
        raise UnavailableError(
            f"Ray does not start ({reason.rstrip('.')}): call again, or share the search among processes of "
            "this machine with --workers."
        ) from problem


def wait_for(cluster: Cluster, answers: Any) -> Any:  # noqa: ANN401 -- promises, and what they promised
    """Wait for answers for as long as this machine belongs to the cluster: without it, Ray waits for good."""
    while True:
        try:
            return cluster.get(answers, timeout=_LOOK_S)
        except cluster.exceptions.GetTimeoutError as problem:
            here = cluster.get_runtime_context().get_node_id()
            if not any(node["Alive"] for node in cluster.nodes() if node["NodeID"] == here):
                raise LostHandError from problem


class RemoteHand:
    """A hand where it lives: it is made there, and does what it is told."""

    def __init__(
        self, make_hand: Callable[[Task, Sequence[int]], Hand], about: About, shards: Sequence[int]
    ) -> None:
        """Make the hand."""
        self._hand = make_hand(about.make_task(), shards)

    def do(self, word: str, given: tuple[Any, ...]) -> Any:  # noqa: ANN401 -- whatever the hand answers
        """Do one thing."""
        return getattr(self._hand, word)(*given)


class RayCrew(Crew):
    """Hands in as many processes of a cluster."""

    def __init__(
        self,
        cluster: Cluster,
        make_hand: Callable[[Task, Sequence[int]], Hand],
        about: About,
        hands: int,
        shards: int,
    ) -> None:
        """Start the hands."""
        super().__init__(hands, shards)
        self._cluster = cluster
        kind = cluster.remote(RemoteHand)
        self._actors = [
            kind.remote(make_hand, about, range(number, shards, hands)) for number in range(hands)
        ]

    def ask(self, hands: Sequence[int], word: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Let hands work at the same time, and wait for all of them."""
        asked = [
            self._actors[hand].do.remote(word, given) for hand, given in zip(hands, arguments, strict=True)
        ]
        try:
            answers: list[Any] = wait_for(self._cluster, asked)
        except self._cluster.exceptions.RayActorError as problem:
            raise LostHandError from problem
        return answers

    def close(self) -> None:
        """End the hands."""
        for actor in self._actors:
            self._cluster.kill(actor)
