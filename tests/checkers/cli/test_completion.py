"""``nomadspec completion``."""

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed(shell: str) -> None:
    called = call("completion", shell)

    assert 0 == called.code
    assert f"_NOMADSPEC_COMPLETE={shell}_complete" in called.out
    check_output(call("completion", shell, "--json").data)


def test_another_shell_is_refused() -> None:
    assert 2 == call("completion", "csh").code
