"""Statements that set a cluster up, let time pass, and hold things back."""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.scenario.doing import do
from nomadspec.checkers.scenario.grammar import statement
from nomadspec.checkers.scenario.language import Options, WordError
from nomadspec.checkers.scenario.objects import NODE_OPTIONS, build_node
from nomadspec.checkers.scenario.option_values import read_amount, read_flag
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import RegisterNode
from nomadspec.model.cluster.acts.registry import list_acts, list_choices, show
from nomadspec.model.cluster.world import Settings
from nomadspec.model.errors import UsageError, suggest
from nomadspec.model.specification.profiles import find_profile

CLUSTER_OPTIONS: Final = {
    **NODE_OPTIONS,
    "workers": "a count: workers of the leader",
    "followers": "a count: other servers, each with a worker",
    "pauses": "yes or no: whether the leader pauses three quarters of its workers",
    "pipeline": "a count: plans that are committed at once",
    "deliveries": "a count: how often an evaluation is delivered at most",
    "rejections": "a count: a node that rejects so many plans becomes ineligible",
    "seed": "a number",
    "profile": "a profile",
}


@statement("cluster COUNT nodes", **CLUSTER_OPTIONS)
def begin_cluster(run: Run, count: int, options: Options) -> None:
    """Begin with servers that have a leader, and so many nodes alike: node-1, node-2, ..."""
    if run.events or run.has_cluster:
        raise WordError("cluster", "the cluster has begun already; write this line first, and once in a file")
    profile = find_profile(options["profile"]) if "profile" in options else run.profile
    settings = Settings(
        profile=profile,
        seed=read_amount(options, "seed", 0),
        delivery_limit=read_amount(options, "deliveries", 3),
        pipeline_depth=read_amount(options, "pipeline", 1),
        followers=read_amount(options, "followers", 0),
        pauses_workers=read_flag(options, "pauses"),
        tracks_rejections="rejections" in options,
        rejection_threshold=read_amount(options, "rejections", 100),
    )
    run.begin(settings, workers=read_amount(options, "workers", 2))
    run.has_cluster = True
    for number in range(1, count + 1):
        run.take(RegisterNode(node=build_node(f"node-{number}", options)))
    run.settle()


@statement("node NAME joins", **NODE_OPTIONS)
def add_node(run: Run, name: str, options: Options) -> None:
    """A further node registers."""
    do(run, RegisterNode(node=build_node(name, options)))


@statement("wait DURATION")
def wait(run: Run, duration_ns: int) -> None:
    """Let time pass, and happen what is due meanwhile."""
    run.wait(duration_ns)


@statement("count from here")
def mark(run: Run) -> None:
    """Count evaluations, entries of the log and acts from here on only."""
    run.mark()


@statement("hold ACTOR")
def hold(run: Run, held: str) -> None:
    """Let an actor or an act wait until it is released: worker, applier, log, client, StartTasks, ..."""
    known = {name for cls in list_acts() for name in (cls.actor, cls.__name__)}
    if held not in known:
        raise WordError(held, f"{held!r} is no actor and no act; {suggest(held, sorted(known))}")
    run.held.add(held)


@statement("release ACTOR")
def release(run: Run, held: str) -> None:
    """Let what was held go on."""
    if held not in run.held:
        raise WordError(held, f"{held!r} is not held")
    run.held.discard(held)
    run.settle()


@statement("do ACT")
def do_act(run: Run, text: str) -> None:
    """Take one act with what is chosen about it, and nothing else: do 'Dequeue(worker-1, service)'."""
    chosen = next((one for one in list_choices(run.world) if show(one) == text), None)
    if chosen is None:
        possible = [show(one) for one in list_choices(run.world)]
        raise UsageError(f"{text} is not possible here; {suggest(text, possible)}")
    run.take(chosen)


@statement("once ACT")
def act_once(run: Run, name: str) -> None:
    """Take one act of a name although it is held, and let happen what follows: once JudgePlan."""
    known = {cls.__name__: cls for cls in list_acts()}
    if name not in known:
        raise WordError(name, f"{name!r} is no act; {suggest(name, known)}")
    chosen = next(iter(known[name].choices(run.world)), None)
    if chosen is None:
        raise WordError(name, f"{name} is not possible here")
    run.take(chosen)
    run.settle()


@statement("settle")
def settle(run: Run) -> None:
    """Let happen what can without waiting, after acts that were taken one by one."""
    run.settle()
