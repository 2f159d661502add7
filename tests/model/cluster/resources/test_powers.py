"""Powers of ten to the last bit (RANK-45)."""

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.resources.powers import exponentiate, fuse, raise_ten


@given(st.floats(-300, 300))
def test_powers_of_ten_are_those_of_the_library(exponent: float) -> None:
    assert raise_ten(exponent) == pytest.approx(math.pow(10, exponent), rel=1e-13)


@pytest.mark.parametrize(
    ("exponent", "power"),
    [(0.0, 1.0), (1.0, 10.0), (-2.0, 0.01), (400.0, math.inf), (-400.0, 0.0), (math.inf, math.inf)],
)
def test_powers_of_whole_numbers_are_exact(exponent: float, power: float) -> None:
    assert power == raise_ten(exponent)


def test_half_powers_are_roots() -> None:
    assert math.sqrt(10.0) == raise_ten(0.5)
    assert 1.0 / math.sqrt(10.0) == raise_ten(-0.5)


def test_a_power_of_no_number_is_none() -> None:
    assert math.isnan(raise_ten(math.nan))


def test_the_last_bit_is_that_of_recordings() -> None:
    """RANK-46: of a node whose memory is exactly used and of whose processors 0.9067 is free."""
    score = 20.0 - (raise_ten(0.906697209924843) + raise_ten(0.0))

    assert "4025ddd652a101e3" == struct.pack(">d", score).hex()


@given(st.floats(-1, 1), st.floats(-2, 2), st.sampled_from([0.5, 1.0, 1 / 6]))
def test_a_fused_product_is_rounded_once(a: float, b: float, c: float) -> None:
    exact = Fraction(a) * Fraction(b) + Fraction(c)

    assert fuse(a, b, c) == pytest.approx(float(exact), rel=1e-16, abs=1e-300)


def test_the_exponential_function_of_nothing_is_one() -> None:
    assert exponentiate(0.0) == 1.0
