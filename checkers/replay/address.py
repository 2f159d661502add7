"""Where a running cluster is, and with what it is asked: as the environment of its own command line says."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from nomadspec.model.errors import UsageError

_DEFAULT: Final = "http://127.0.0.1:4646"
_SCHEMES: Final = ("http", "https")
_TRUE: Final = frozenset({"1", "t", "true"})


@dataclass(frozen=True, slots=True)
class Address:
    """A cluster: its address, and what goes with each request. The token is never shown."""

    scheme: str
    host: str
    port: int
    namespace: str = "*"
    token: str = field(default="", repr=False)
    ca_file: str = ""
    ca_path: str = ""
    client_cert: str = ""
    client_key: str = ""
    server_name: str = ""
    skips_verification: bool = False

    def __str__(self) -> str:
        """Show where it is."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        """Give the headers of a request."""
        return {"X-Nomad-Token": self.token} if self.token else {}

    def hide(self, text: str) -> str:
        """Take the token out of a text, wherever a server has put it."""
        return text.replace(self.token, "<token>") if self.token else text

    def make_tls(self) -> ssl.SSLContext | None:
        """Make what a connection is protected by; nothing for plain HTTP."""
        if self.scheme != "https":
            return None
        try:
            context = ssl.create_default_context(cafile=self.ca_file or None, capath=self.ca_path or None)
            if self.client_cert:
                context.load_cert_chain(self.client_cert, self.client_key or None)
        except OSError as problem:
            raise UsageError(
                f"A certificate or key cannot be read: {problem.strerror or problem}."
            ) from problem
        if self.skips_verification:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


def read_address(environment: Mapping[str, str]) -> Address:
    """Read the address from NOMAD_ADDR, NOMAD_TOKEN, NOMAD_NAMESPACE and the variables of TLS."""
    given = environment.get("NOMAD_ADDR") or _DEFAULT
    parts = urlsplit(given)
    try:
        port = parts.port
    except ValueError as problem:
        raise UsageError(f"NOMAD_ADDR has no port that is a number: {problem}.") from problem
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise UsageError(
            "NOMAD_ADDR is no address such as http://127.0.0.1:4646 or https://nomad.example:4646."
        )
    if parts.username or parts.password:
        raise UsageError("NOMAD_ADDR holds a name or a password: give a token in NOMAD_TOKEN instead.")
    return Address(
        scheme=parts.scheme,
        host=parts.hostname,
        port=port or (443 if parts.scheme == "https" else 80),
        namespace=environment.get("NOMAD_NAMESPACE") or "*",
        token=environment.get("NOMAD_TOKEN", ""),
        ca_file=environment.get("NOMAD_CACERT", ""),
        ca_path=environment.get("NOMAD_CAPATH", ""),
        client_cert=environment.get("NOMAD_CLIENT_CERT", ""),
        client_key=environment.get("NOMAD_CLIENT_KEY", ""),
        server_name=environment.get("NOMAD_TLS_SERVER_NAME", ""),
        skips_verification=environment.get("NOMAD_SKIP_VERIFY", "").lower() in _TRUE,
    )
