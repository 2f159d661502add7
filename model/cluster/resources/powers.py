"""Powers of ten to the last bit: scores are compared, and a node must not win by how a library rounds.

Recordings come from machines whose mathematics library computes as is done here, which is neither the best
rounded value nor what the library below Python gives. Of a node that is nearly empty almost all is taken away
from 20, and then the last bit of a power is no longer the last bit of the score.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

_HALF: Final = 0.5
_LOG_OF_TEN: Final = math.log(10.0)
_LOG2_OF_E: Final = 1.4426950408889634
_LN2_UPPER: Final = 0.69314718055966295651160180568695068359375
_LN2_LOWER: Final = 0.28235290563031577122588448175013436025525412068e-12
_SERIES: Final = tuple(1.0 / math.factorial(degree) for degree in range(7, 0, -1))
"""The factors of the series of the exponential function after the eighth, from the highest down."""
_EIGHTH: Final = 1.0 / math.factorial(8)
_SHRINK: Final = 0.0625
_SQUARINGS: Final = 3
_SPLIT: Final = 134217729.0
"""One more than two to the 27th: what splits a double into halves whose products are exact."""
_BEYOND_DOUBLES: Final = 309.0
"""Ten to this power is greater than every double."""


@lru_cache(maxsize=1 << 16)
def raise_ten(exponent: float) -> float:
    """Compute ten to the power of a number.

    The whole part is multiplied up, and the rest goes through the exponential function.

    Spec: RANK-45.
    """
    if math.isnan(exponent):
        return math.nan
    if abs(exponent) == _HALF:
        return math.sqrt(10.0) if exponent > 0 else 1.0 / math.sqrt(10.0)
    fraction, whole = math.modf(min(abs(exponent), _BEYOND_DOUBLES))
    if fraction > _HALF:
        fraction, whole = fraction - 1.0, whole + 1.0
    if whole >= _BEYOND_DOUBLES:
        return math.inf if exponent > 0 else 0.0
    power = _multiply_up(exponentiate(fraction * _LOG_OF_TEN) if fraction else 1.0, int(whole))
    return power if exponent >= 0 else 1.0 / power


def _multiply_up(power: float, times: int) -> float:
    """Multiply by ten so many times, by squares."""
    square = 10.0
    while times:
        if times & 1:
            power *= square
        times >>= 1
        square = square * square if times else square
    return power


def exponentiate(exponent: float) -> float:
    """Compute the exponential function of a small number.

    What is no multiple of the logarithm of two is divided by sixteen, goes through the series, and is squared
    four times.
    """
    doublings = round(_LOG2_OF_E * exponent)
    rest = (exponent - _LN2_UPPER * doublings - _LN2_LOWER * doublings) * _SHRINK
    series = _EIGHTH
    for factor in _SERIES:
        series = fuse(series, rest, factor)
    less_one = rest * series
    for _ in range(_SQUARINGS):
        less_one *= less_one + 2.0
    return math.ldexp(fuse(less_one, less_one + 2.0, 1.0), doublings)


def fuse(a: float, b: float, c: float) -> float:
    """Compute a product and a sum with one rounding.

    The errors of the product and of the sum are computed exactly, and are added in the end. The numbers here
    are so small that nothing overflows, and so far from each other that the last sum does not round twice.
    """
    product = a * b
    upper = _SPLIT * a
    upper_a = upper - (upper - a)
    lower_a = a - upper_a
    upper = _SPLIT * b
    upper_b = upper - (upper - b)
    lower_b = b - upper_b
    product_error = (upper_a * upper_b - product) + upper_a * lower_b + lower_a * upper_b + lower_a * lower_b
    total = product + c
    added = total - product
    total_error = (product - (total - added)) + (c - added)
    return total + (total_error + product_error)
