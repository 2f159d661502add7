"""What JSON text or range stands behind an integer, and how a text of bytes is spelled."""

from enum import Enum
from typing import Annotated, Final, NamedTuple

NS_PER_US: Final = 1_000
NS_PER_MS: Final = 1_000_000
NS_PER_S: Final = 1_000_000_000


class Form(Enum):
    """A value whose JSON differs from what its Python type suggests."""

    INSTANT = "RFC 3339 text of a time, kept as unix nanoseconds"
    BYTE_LIST = "a list of small integers, or the base64 text of them"


class Range(NamedTuple):
    """The integers that a field can hold."""

    low: int
    high: int


Instant = Annotated[int, Form.INSTANT]
ByteList = Annotated[tuple[int, ...], Form.BYTE_LIST]
"""As in the topology of a processor, online or offline.

Spec: WIRE-022.
"""
Uint64 = Annotated[int, Range(0, 2**64 - 1)]
Uint16 = Annotated[int, Range(0, 2**16 - 1)]
Uint8 = Annotated[int, Range(0, 2**8 - 1)]
Int8 = Annotated[int, Range(-(2**7), 2**7 - 1)]
INT64: Final = Range(-(2**63), 2**63 - 1)
