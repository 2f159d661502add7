"""Who a task or service may say that it is."""

from msgspec import Struct


class WorkloadIdentity(Struct, frozen=True, kw_only=True):
    """A signed identity that a task or service gets."""

    name: str = ""
    audience: tuple[str, ...] = ()
    change_mode: str = ""
    change_signal: str = ""
    env: bool = False
    file: bool = False
    filepath: str = ""
    service_name: str = ""
    ttl_ns: int = 0
    extra_claims: tuple[str, ...] = ()


class Consul(Struct, frozen=True, kw_only=True):
    """Where in Consul a group or task lives."""

    namespace: str = ""
    cluster: str = ""
    partition: str = ""


class Vault(Struct, frozen=True, kw_only=True):
    """What a task wants of Vault."""

    role: str = ""
    policies: tuple[str, ...] = ()
    namespace: str = ""
    cluster: str = ""
    env: bool = False
    disable_file: bool = False
    change_mode: str = ""
    change_signal: str = ""
    allow_token_expiration: bool = False
