"""Judges the recordings of fit tests, of scores of fit, and of offers of ports."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import AllocatedPort, Allocation, NetworkResource, Node
from nomadspec.model.cluster.resources.amounts import Amounts
from nomadspec.model.cluster.resources.capacity import compute_capacity
from nomadspec.model.cluster.resources.fit import judge_fit
from nomadspec.model.cluster.resources.port_index import BadNodePortsError, add_allocs, index_node
from nomadspec.model.cluster.resources.port_offer import (
    Ask,
    FreePorts,
    NoOfferError,
    list_refusals,
    offer_ports,
    prepare_ask,
)
from nomadspec.model.cluster.resources.scores import compute_binpack, compute_spread

FIT_RULES: Final[Rules] = (("used", "RANK-26"), ("dimension", "PLAN-54"), ("", "RANK-30"))
SCORE_RULES: Final[Rules] = (("score_binpack", "RANK-46"), ("score_spread", "RANK-47"))
PORT_RULES: Final[Rules] = (
    ("set_node_error", "NET-04"),
    ("collision", "NET-07"),
    ("collision_reason", "NET-06"),
    ("used_ports", "NET-03"),
    ("error", "NET-14"),
    ("Value_recorded", "NET-13"),
    ("ports", "NET-15"),
)

SCORE_TOLERANCE: Final = 1e-12
"""Powers of ten may differ by so much, relative to the score, between libraries of mathematics."""

_ANSWERS: Final = frozenset({"dimension", "set_node_error", "error", "ports"})
"""The fields of shapes below that are answers."""

_SILENT_NAN: Final = "7ff8000000000001"
_PORT_COLLISIONS: Final = ("reserved node port collision", "reserved alloc port collision")


class FitVector(msgspec.Struct, frozen=True):
    """One recording of a fit test."""

    id: str
    node: dict[str, Any]
    allocs: list[dict[str, Any]]
    check_devices: bool
    dimension: str


class ScoreVector(msgspec.Struct, frozen=True):
    """One recording of the scores of a node that is used so far."""

    id: str
    node_cpu: Whole
    node_memory_mb: Whole
    reserved_cpu: Whole
    reserved_memory_mb: Whole
    used_cpu: Whole
    used_memory_mb: Whole


class PortVector(msgspec.Struct, frozen=True):
    """One recording of the ports in use on a node, and of what is offered for an ask."""

    id: str
    node: dict[str, Any]
    allocs: list[dict[str, Any]]
    ask: dict[str, Any]
    set_node_error: str | None = None
    error: str | None = None
    ports: list[dict[str, Any]] | None = None


def judge_allocs_fit(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Test whether the allocations fit, and score what they use."""
    told = read_shape(FitVector, vector)
    node = read(Node, told.node, source=told.id)
    allocs = [read(Allocation, each, source=told.id) for each in told.allocs]
    fit = judge_fit(node, allocs, checks_claims=told.check_devices)
    model: dict[str, Any] = {
        "fits": fit.fits,
        "dimension": agree_on_port_text(told.dimension, fit.dimension, context),
        "used": _show_amounts(fit.used),
        **_show_scores(vector, compute_capacity(node), fit.used),
    }
    if fit.error:
        model["error"] = fit.error
    yield from compare(_take_answers(vector, FitVector, "tags"), model, "", (*SCORE_RULES, *FIT_RULES))


def _show_amounts(amounts: Amounts) -> dict[str, Any]:
    return {
        "CpuShares": amounts.cpu_mhz,
        "ReservedCores": sorted(amounts.cores),
        "MemoryMB": amounts.memory_mb,
        "MemoryMaxMB": amounts.memory_max_mb,
        "DiskMB": amounts.disk_mb,
    }


def agree_on_port_text(recorded: str, model: str, context: Context) -> str:
    """Give the model's reason in the recording's words where only the end of a port collision differs.

    What follows the second colon tells which ports collide, or how a text cannot be read; it is information.
    """
    if recorded == model or not model.startswith(_PORT_COLLISIONS):
        return model
    if recorded.split(":")[:2] != model.split(":")[:2]:
        return model
    context.forgive("collision-details")
    return recorded


def judge_scores(vector: Mapping[str, Any], _: Context) -> Iterator[Difference]:
    """Score a node that is used so far."""
    told = read_shape(ScoreVector, vector)
    capacity = Amounts(
        cpu_mhz=told.node_cpu - told.reserved_cpu, memory_mb=told.node_memory_mb - told.reserved_memory_mb
    )
    used = Amounts(cpu_mhz=told.used_cpu, memory_mb=told.used_memory_mb)
    model = _show_scores(vector, capacity, used)
    yield from compare(_take_answers(vector, ScoreVector), model, "", SCORE_RULES)


def _take_answers(vector: Mapping[str, Any], shape: type[msgspec.Struct], *others: str) -> dict[str, Any]:
    """Leave out of a recording what was asked, and what is there for information only."""
    asked = {field for field in shape.__struct_fields__ if field not in _ANSWERS} | set(others)
    return {name: item for name, item in vector.items() if name not in asked}


def _show_scores(vector: Mapping[str, Any], capacity: Amounts, used: Amounts) -> dict[str, Any]:
    return {
        "score_binpack": _agree_on_score(vector.get("score_binpack"), compute_binpack(capacity, used)),
        "score_spread": _agree_on_score(vector.get("score_spread"), compute_spread(capacity, used)),
    }


def _agree_on_score(recorded: object, score: float) -> dict[str, Any]:
    """Show a score; within the tolerance it is the recorded one, with the bits that belong to it."""
    value = recorded.get("value") if isinstance(recorded, Mapping) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        score = float(value) if math.isclose(score, value, rel_tol=SCORE_TOLERANCE) else score
    if math.isnan(score):
        return {"value": "NaN", "bits": _SILENT_NAN}
    shown = score if math.isfinite(score) else "+Inf" if score > 0 else "-Inf"
    return {"value": shown, "bits": struct.pack(">d", score).hex()}


def judge_ports(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Index the ports of a node, and follow the offer for an ask."""
    told = read_shape(PortVector, vector)
    node = read(Node, told.node, source=told.id)
    allocs = [read(Allocation, each, source=told.id) for each in told.allocs]
    network = read(NetworkResource, told.ask, source=told.id)
    recorded = _take_answers(vector, PortVector)
    try:
        index = index_node(node)
    except BadNodePortsError as error:
        text = told.set_node_error or str(error)
        if text != str(error):
            context.note(f"worded otherwise: {text!r}, where the model says {str(error)!r}")
        yield from compare(recorded, {"set_node_error": text}, "", PORT_RULES)
        return
    reason = add_allocs(index, allocs)
    model: dict[str, Any] = {
        "collision": bool(reason),
        "collision_reason": reason,
        "used_ports": {ip: sorted(ports) for ip, ports in index.list_used().items()},
    }
    model |= _answer_ask(prepare_ask(index, node, network), told)
    yield from compare(recorded, model, "", PORT_RULES)


def _answer_ask(ask: Ask, told: PortVector) -> dict[str, Any]:
    """Answer an ask, by the choices that were recorded as far as they are allowed."""
    if told.error is not None and told.error in list_refusals(ask):
        return {"error": told.error}
    chosen = iter([port.get("Value_recorded") for port in told.ports or () if port.get("dynamic")])

    def choose(free: FreePorts) -> int | None:
        lowest = free.find_lowest()
        if lowest is None:
            return None
        value = next(chosen, None)
        return value if isinstance(value, int) and value in free else lowest

    try:
        offer = offer_ports(ask, choose)
    except NoOfferError as refusal:
        return {"error": str(refusal)}
    fixed = len(ask.network.reserved_ports)
    return {"ports": [_show_port(port, is_dynamic=at >= fixed) for at, port in enumerate(offer)]}


def _show_port(port: AllocatedPort, *, is_dynamic: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "Label": port.label,
        "HostIP": port.host_ip,
        "IgnoreCollision": port.ignore_collision,
    }
    if is_dynamic:
        return shown | {"dynamic": True, "Value_recorded": port.value, "To_recorded": port.to}
    return shown | {"Value": port.value, "To": port.to}


JUDGES: Final[Mapping[str, Judge]] = {
    "allocs-fit": judge_allocs_fit,
    "ports": judge_ports,
    "scores": judge_scores,
}
