"""Where a cluster is, as the environment says."""

import ssl
from pathlib import Path

import pytest

from nomadspec.checkers.replay.address import Address, read_address
from nomadspec.model.errors import UsageError


def test_without_anything_it_is_the_agent_on_this_machine() -> None:
    assert str(read_address({})) == "http://127.0.0.1:4646"
    assert read_address({}).namespace == "*"
    assert read_address({}).headers == {}
    assert read_address({}).make_tls() is None


def test_all_that_the_environment_says_is_heeded() -> None:
    found = read_address(
        {
            "NOMAD_ADDR": "https://[::1]:4646",
            "NOMAD_TOKEN": "secret",
            "NOMAD_NAMESPACE": "crew",
            "NOMAD_TLS_SERVER_NAME": "server.global.nomad",
            "NOMAD_SKIP_VERIFY": "true",
        }
    )

    assert found == Address(
        "https", "::1", 4646, "crew", "secret", server_name="server.global.nomad", skips_verification=True
    )
    assert str(found) == "https://[::1]:4646"
    assert found.headers == {"X-Nomad-Token": "secret"}
    assert "secret" not in repr(found) + str(found)
    assert found.hide("no secret here") == "no <token> here"


def test_certificates_are_verified_unless_somebody_says_otherwise() -> None:
    strict = read_address({"NOMAD_ADDR": "https://nomad.example"}).make_tls()
    lax = read_address({"NOMAD_ADDR": "https://nomad.example", "NOMAD_SKIP_VERIFY": "1"}).make_tls()

    assert strict is not None
    assert lax is not None
    assert (strict.verify_mode, strict.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert (lax.verify_mode, lax.check_hostname) == (ssl.CERT_NONE, False)


@pytest.mark.parametrize("name", ["NOMAD_CACERT", "NOMAD_CLIENT_CERT"])
def test_a_certificate_that_is_missing_is_told(name: str, tmp_path: Path) -> None:
    address = read_address({"NOMAD_ADDR": "https://nomad.example", name: str(tmp_path / "none.pem")})

    with pytest.raises(UsageError, match="cannot be read"):
        address.make_tls()


@pytest.mark.parametrize(
    "given", ["nomad.example", "ftp://nomad", "http://:4646", "http://a:b@nomad", "http://a:x"]
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="NOMAD_ADDR"):
        read_address({"NOMAD_ADDR": given})
