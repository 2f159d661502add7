"""What the tests of agreement share."""

import pytest


@pytest.fixture
def length(request: pytest.FixtureRequest) -> int:
    """Say how many times as far a test walks: deep ones walk farther."""
    return 3 if request.node.get_closest_marker("deep") else 1
