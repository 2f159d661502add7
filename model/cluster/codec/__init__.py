"""Nomad's JSON in and out; nothing else knows how a field is spelled there."""

from nomadspec.model.cluster.codec.codec import find_unknown, read, write, write_dense, write_json
from nomadspec.model.cluster.codec.instant import format_instant, parse_instant
from nomadspec.model.cluster.codec.reader import Dialect
from nomadspec.model.cluster.codec.spelling import spell

__all__ = [
    "Dialect",
    "find_unknown",
    "format_instant",
    "parse_instant",
    "read",
    "spell",
    "write",
    "write_dense",
    "write_json",
]
