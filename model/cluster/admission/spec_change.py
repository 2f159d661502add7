"""Whether a registration says something else than what is stored."""

from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Job

_KEPT_BY_SERVER: Final = Job()
"""Where the fields that the server keeps for itself get the same values from."""


def is_spec_changed(stored: Job | None, submitted: Job) -> bool:
    """True if a submitted job differs from the stored one in what the user says.

    Spec: OBJ-042, JOB-06.
    """
    return stored is None or _spell_out(stored) != _spell_out(submitted)


def _spell_out(job: Job) -> bytes:
    """Write the comparable part as text, because Python takes true for 1 inside a driver's configuration."""
    plain = replace(
        job,
        status=_KEPT_BY_SERVER.status,
        status_description=_KEPT_BY_SERVER.status_description,
        stable=_KEPT_BY_SERVER.stable,
        version=_KEPT_BY_SERVER.version,
        create_index=_KEPT_BY_SERVER.create_index,
        modify_index=_KEPT_BY_SERVER.modify_index,
        job_modify_index=_KEPT_BY_SERVER.job_modify_index,
        submit_time_ns=_KEPT_BY_SERVER.submit_time_ns,
    )
    return msgspec.json.encode(plain, order="sorted")
