"""Faults put into the functions that claims are about, to show that each claim can fail.

A fault replaces one expression in the text of one function. The function keeps its name and place, so
everybody who calls it calls the faulty one while it lasts.
"""

from __future__ import annotations
import __future__

import inspect
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Final, cast

from nomadspec.checkers.smt.question import Answer, Patience
from nomadspec.checkers.smt.resources.proof import prove_part
from nomadspec.checkers.verdict import ProofRow
from nomadspec.invariants.cluster.resources.claim import Claim
from nomadspec.model.cluster.components import plan_node
from nomadspec.model.cluster.resources import (
    amounts,
    capacity,
    cores,
    device_offer,
    devices,
    fit,
    load,
    port_index,
    port_offer,
)
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.specification.profiles import INTENDED

SURVIVED: Final = "survived"

_QUESTION_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Fault:
    """An expression of a function, and what stands there instead."""

    breaks: str
    """The claim that must notice."""
    function: Callable[..., object]
    old: str
    new: str

    @property
    def name(self) -> str:
        """Say what is changed where."""
        return f"{self.function.__qualname__}: {self.old} -> {self.new}"


_SHORTAGE: Final = fit.find_shortage
_SUM: Final = load.add_amounts
_FLAT: Final = amounts.flatten
_LEFT: Final = capacity.compute_capacity
_MARK: Final = port_index.PortIndex.mark
_TWICE: Final = devices.has_device_used_twice

FAULTS: Final = (
    Fault("cpu_is_never_oversubscribed", _SHORTAGE, "capacity.cpu_mhz < used.cpu_mhz", "False"),
    Fault(
        "cpu_is_never_oversubscribed",
        _SHORTAGE,
        "capacity.cpu_mhz < used.cpu_mhz",
        "capacity.cpu_mhz <= used.cpu_mhz",
    ),
    Fault("cpu_is_never_oversubscribed", _SUM, "used.cpu_mhz + amounts.cpu_mhz", "amounts.cpu_mhz"),
    Fault("cpu_is_never_oversubscribed", _FLAT, "pinned_mhz + max(cpu_mhz)", "max(cpu_mhz)"),
    Fault("cpu_is_never_oversubscribed", _FLAT, "pinned_mhz + max(cpu_mhz)", "pinned_mhz + sum(cpu_mhz)"),
    Fault("cpu_is_never_oversubscribed", _LEFT, "there.cpu_mhz - kept.cpu.cpu_shares", "there.cpu_mhz"),
    Fault("memory_is_never_oversubscribed", _SHORTAGE, "capacity.memory_mb < used.memory_mb", "False"),
    Fault("memory_is_never_oversubscribed", _SUM, "used.memory_mb + amounts.memory_mb", "used.memory_mb"),
    Fault("memory_is_never_oversubscribed", _FLAT, "max(memory_mb)", "memory_mb[0]"),
    Fault(
        "memory_is_never_oversubscribed",
        _LEFT,
        "there.memory_mb - kept.memory.memory_mb",
        "there.memory_mb + kept.memory.memory_mb",
    ),
    Fault("disk_is_never_oversubscribed", _SHORTAGE, "capacity.disk_mb < used.disk_mb", "False"),
    Fault("disk_is_never_oversubscribed", _FLAT, "allocated.shared.disk_mb", "0"),
    Fault("disk_is_never_oversubscribed", _LEFT, "there.disk_mb - kept.disk.disk_mb", "there.disk_mb"),
    Fault(
        "memory_max_decides_nothing",
        _SHORTAGE,
        "capacity.memory_mb < used.memory_mb",
        "capacity.memory_max_mb < used.memory_max_mb",
    ),
    Fault(
        "memory_max_decides_nothing", _FLAT, "memory.memory_max_mb or memory.memory_mb", "memory.memory_mb"
    ),
    Fault("cores_are_never_shared", _SHORTAGE, "if load.has_shared_core", "if False"),
    Fault("cores_are_never_shared", _SHORTAGE, "not used.cores <= capacity.cores", "False"),
    Fault("cores_are_never_shared", _SUM, "not used.cores.isdisjoint(amounts.cores)", "False"),
    Fault("cores_are_never_shared", _SUM, "used.cores | amounts.cores", "used.cores"),
    Fault(
        "cores_are_never_shared",
        _LEFT,
        "there.cores.difference(kept.cpu.reserved_cpu_cores)",
        "there.cores",
    ),
    Fault("cores_are_never_shared", capacity.list_usable_cores, "if not core.disable", "if True"),
    Fault("ports_are_never_given_twice", _MARK, "port in self.kept.get(ip, _NO_PORTS)", "False"),
    Fault("ports_are_never_given_twice", _MARK, "port in ports or", ""),
    Fault("ports_are_never_given_twice", _MARK, "ports.add(port)", "pass"),
    Fault("ports_are_never_given_twice", port_index.is_port, "value < PORT_LIMIT", "value <= PORT_LIMIT"),
    Fault(
        "ports_are_never_given_twice",
        port_index.compute_kept_ports,
        "kept[address.address] |= own",
        "kept[address.address] = own",
    ),
    Fault("ports_are_never_given_twice", port_index.add_alloc, "task.networks[0]", "task.networks[-1]"),
    Fault("devices_are_never_used_twice", _TWICE, "device in healthy", "device not in healthy"),
    Fault("devices_are_never_used_twice", _TWICE, "seen.add(device)", "pass"),
    Fault("devices_are_never_used_twice", devices.list_devices, "if instance.healthy", "if True"),
    Fault(
        "allocs_are_never_too_many",
        _SHORTAGE,
        "load.members > node.node_max_allocs",
        "load.members >= node.node_max_allocs",
    ),
    Fault(
        "removed_allocs_oversubscribe_no_node",
        _SHORTAGE,
        "load.members > node.node_max_allocs",
        "load.members != node.node_max_allocs",
    ),
    Fault("allocs_are_never_too_many", _SUM, "load.members + 1", "load.members"),
    Fault("the_check_of_a_node_is_exact", fit.judge_fit, "_find_port_problem(node, allocs)", "FITS"),
    Fault("the_check_of_a_node_is_exact", fit.judge_fit, "_find_claim_problem(node, allocs)", "FITS"),
    Fault("placements_never_oversubscribe", plan_node.propose, "*placed]", "]"),
    Fault("placements_never_oversubscribe", plan_node.propose, "if alloc.id not in replaced", "if False"),
    Fault(
        "in_place_update_never_oversubscribes",
        plan_node.judge_node,
        "is_in_place and profile.has(UNCHECKED_UPDATE)",
        "is_in_place",
    ),
    Fault(
        "offers_are_free",
        cores.choose_cores,
        "list_usable_cores(topology) - taken",
        "list_usable_cores(topology)",
    ),
    Fault("offers_are_free", cores.choose_cores, "len(free) < count", "len(free) <= count"),
    Fault("offers_are_free", device_offer._weigh, "Device(kind, instance.id) not in used", "True"),  # noqa: SLF001 -- the fault belongs there
    Fault(
        "offers_are_free",
        device_offer.list_best_options,
        "len(option.free_ids) >= request.count",
        "len(option.free_ids) > request.count",
    ),
    Fault("offers_are_free", port_offer.FreePorts.__contains__, "port not in self.spoken_for and", ""),
    Fault(
        "offers_are_free", port_offer.FreePorts.__contains__, "not self.index.is_used(self.ip, port)", "True"
    ),
    Fault("offers_are_free", port_offer.offer_ports, "chosen.add(given.value)", "pass"),
)


@contextmanager
def put_in(fault: Fault) -> Iterator[None]:
    """Put a fault into its function for a while."""
    function = cast("FunctionType", fault.function)
    usual = function.__code__
    function.__code__ = compile_faulty(function, fault)
    try:
        yield
    finally:
        function.__code__ = usual


def compile_faulty(function: FunctionType, fault: Fault) -> CodeType:
    """Compile a function with a fault in its text."""
    text = textwrap.dedent(inspect.getsource(function))
    if text.count(fault.old) != 1:
        raise ImpossibleError(f"{fault.old!r} should stand in {function.__qualname__} exactly once.")
    faulty = text.replace(fault.old, fault.new)
    flags = __future__.annotations.compiler_flag
    namespace = dict(function.__globals__)
    exec(compile(faulty, "<faulty>", "exec", flags=flags, dont_inherit=True), namespace)  # noqa: S102 -- a text of this package
    made: FunctionType = namespace[function.__name__]
    return made.__code__


def judge_fault(claim: Claim, fault: Fault) -> ProofRow:
    """Say which part of a claim notices a fault."""
    began = time.perf_counter()
    with put_in(fault):
        for part in claim.parts:
            proof = prove_part(claim, part, INTENDED, Patience(None, _QUESTION_SECONDS))
            if proof.answer is Answer.BROKEN and proof.example is not None:
                return ProofRow(fault.name, part.name, time.perf_counter() - began)
    return ProofRow(fault.name, SURVIVED, time.perf_counter() - began)


def judge_faults(claim: Claim) -> tuple[ProofRow, ...]:
    """Try all faults that a claim must notice."""
    return tuple(judge_fault(claim, fault) for fault in FAULTS if fault.breaks == claim.name)
