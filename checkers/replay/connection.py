"""One connection to the event stream of a running cluster: lines, until it ends or is lost."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from typing import Final
from urllib.parse import urlencode

from nomadspec.checkers.oracle.limits import Limits, refuse_line
from nomadspec.checkers.replay.address import Address
from nomadspec.model.errors import InputError

_PATH: Final = "/v1/event/stream"
_OK: Final = 200
_FIRST_OF_SERVERS: Final = 500
"""From this status on a server has failed, and may answer later; below, it refuses."""
_SHOWN: Final = 200


class LostError(Exception):
    """A connection could not be made, or broke off."""


class _NamedConnection(http.client.HTTPSConnection):
    """A connection whose certificate bears the name that was asked for, whatever its address."""

    def __init__(self, address: Address, tls: ssl.SSLContext, idle_s: float) -> None:
        """Keep what the handshake needs."""
        super().__init__(address.host, address.port, timeout=idle_s, context=tls)
        self._tls = tls
        self._name = address.server_name or address.host

    def connect(self) -> None:
        """Connect, and shake hands by that name."""
        plain = socket.create_connection((self.host, self.port), self.timeout)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self._name)


def open_lines(address: Address, index: int, idle_s: float, limits: Limits) -> Iterator[bytes]:
    """Yield the lines of the stream from an index on, whole ones only.

    A server says something every half a minute; one that is silent for longer than that is lost.
    """
    with closing(_connect(address, idle_s)) as connection:
        response = _ask(connection, address, index)
        number = 0
        while True:
            number += 1
            line = _read_line(response, limits)
            if len(line) > limits.line_bytes:
                raise refuse_line(str(address), number, limits)
            if not line.endswith(b"\n"):
                raise LostError("the stream ended" if not line else _CUT)
            yield line


def _connect(address: Address, idle_s: float) -> http.client.HTTPConnection:
    tls = address.make_tls()
    if tls is None:
        return http.client.HTTPConnection(address.host, address.port, timeout=idle_s)
    return _NamedConnection(address, tls, idle_s)


def _ask(connection: http.client.HTTPConnection, address: Address, index: int) -> http.client.HTTPResponse:
    query = urlencode({"topic": "*", "namespace": address.namespace, "index": index})
    try:
        connection.request("GET", f"{_PATH}?{query}", headers=address.headers)
        response = connection.getresponse()
        told = b"" if response.status == _OK else response.read(_SHOWN)
    except ssl.SSLCertVerificationError as error:
        raise InputError(
            str(address), f"its certificate is not to be trusted: {error.verify_message}"
        ) from None
    except (OSError, http.client.HTTPException) as error:
        raise LostError(address.hide(_describe(error))) from None
    if response.status == _OK:
        return response
    said = address.hide(f"{response.status} {told.decode(errors='replace').strip() or response.reason}")
    if response.status >= _FIRST_OF_SERVERS:
        raise LostError(f"it answers {said}")
    raise InputError(
        str(address), f"it refuses the event stream: {said}", hint=_HINTS.get(response.status, "")
    )


_CUT: Final = "the stream ended within a line"
_HINTS: Final = {
    401: "give a token in NOMAD_TOKEN",
    403: "the token in NOMAD_TOKEN has to allow reading jobs and nodes of the namespace",
    404: "NOMAD_ADDR has to be that of an agent",
}


def _read_line(response: http.client.HTTPResponse, limits: Limits) -> bytes:
    try:
        return response.readline(limits.line_bytes + 1)
    except (OSError, http.client.HTTPException) as error:
        raise LostError(_describe(error)) from None


def _describe(error: Exception) -> str:
    """Say what became of a connection."""
    if isinstance(error, TimeoutError):
        return "it says nothing"
    if isinstance(error, http.client.IncompleteRead):
        return _CUT
    return str(getattr(error, "strerror", None) or error) or type(error).__name__
