"""Proofs about the arithmetic of resources, made by running the model's own functions on unknown values.

``prove_resources`` asks every claim of ``invariants/cluster/resources``.
"""

from nomadspec.checkers.smt.resources.proof import prove_resources

__all__ = ["prove_resources"]
