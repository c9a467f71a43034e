"""Exponentials, logarithms and log-factorials with the same last bit on every processor.

The last bit of a library's exp and log depends on the processor: on its vector
instructions, and on whether it multiplies and adds in one step. Here they are made of single
additions, multiplications and divisions in a fixed order, each of which is rounded in the
one way that IEEE 754 allows. Exponentials and logarithms are within two units of the last
place, `log_gamma` is within 1e-14, relative where it is above 1.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from cutwise.kernels.compile import formula, plain_kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

LN_2 = Fraction("0.693147180559945309417232121458176568076")
# Its two parts; of the first, multiples up to 2**11 are exact.
LN_2_HIGH = math.floor(LN_2 * 2**41) / 2**41
LN_2_LOW = float(LN_2 - Fraction(LN_2_HIGH))
PER_LN_2 = float(1 / LN_2)
# The bits of a double: the smallest with all digits, those behind the point, the number 1.
TINY, TWO_54 = 2.0**-1022, 2.0**54
EXPONENT = ~((1 << 52) - 1)
# Those of the number above the root of 1/2.
ROOT = int(np.float64(math.sqrt(0.5)).view(np.int64)) + 1
# What exp takes: below it is 0, above it overflows.
LEAST, LARGEST = -745.0, 709.0
# Powers of two below this one leave out digits; what is missing is multiplied at the end.
LEAST_POWER = -1000
# A number that is added to this one is rounded to a whole number, which is then in the last bits.
ROUNDER = 1.5 * 2.0**52
ROUNDER_BITS = int(np.float64(ROUNDER).view(np.int64))
# exp(r) = 1 + r + r**2 (1/2! + r/3! + …) for |r| < 0.35.
E = tuple(1.0 / math.factorial(k) for k in range(2, 15))
# log(m) = 2 s (1 + s**2/3 + s**4/5 + …) for s = (m - 1) / (m + 1), |s| < 0.18.
L = tuple(1.0 / k for k in range(3, 25, 2))
# log Gamma(y) = (y - 1/2) log(y) - y + log(2 pi) / 2 + (1/12 - 1/360 / y**2 + …) / y for y > 8.
# Smaller numbers than FROM are raised by 8.
S = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
FROM = 10.0
HALF_LOG_2_PI = 0.9189385332046728
# The factorials of the numbers below this one are exact.
EXACT = 23.0


@formula
def exp(x):
    """Return e to the power of a number; 0 below -745, and the largest result from 709 on."""
    inside = min(max(x, LEAST), LARGEST)
    rounded = inside * PER_LN_2 + ROUNDER
    k = rounded - ROUNDER
    r = (inside - k * LN_2_HIGH) - k * LN_2_LOW
    rr = r * r
    odd = (((((E[11] * rr + E[9]) * rr + E[7]) * rr + E[5]) * rr + E[3]) * rr + E[1]) * r
    even = (((((E[12] * rr + E[10]) * rr + E[8]) * rr + E[6]) * rr + E[4]) * rr + E[2]) * rr + E[0]
    about_one = 1.0 + (r + rr * (even + odd))
    # Times 2**k: k is added to the exponent, which begins at the 52nd bit.
    whole = np.float64(rounded).view(np.int64) - ROUNDER_BITS
    most = max(whole, LEAST_POWER)
    power = np.int64(np.float64(about_one).view(np.int64) + (most << 52)).view(np.float64)
    rest = np.int64((whole - most + 1023) << 52).view(np.float64)
    return float(power * rest) if x >= LEAST else 0.0


@plain_kernel
def fill_exp(numbers, out):
    """Write e to the power of each number."""
    for i in range(numbers.size):
        out[i] = exp(numbers[i])


def exp_of(numbers: ArrayLike) -> NDArray[np.float64]:
    """Return e to the power of each number of an array."""
    return _fill(fill_exp, numbers)


@formula
def log_reduced(x):
    """Return e and log(m) with x = m * 2**e and m from 0.7 to 1.5; x is above 0 and finite."""
    e = 0
    if x < TINY:
        x *= TWO_54
        e = -54
    bits = np.float64(x).view(np.int64)
    above = bits - ROOT
    e += above >> 52
    f = np.int64(bits - (above & EXPONENT)).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    zz = z * z
    odd = ((((L[9] * zz + L[7]) * zz + L[5]) * zz + L[3]) * zz + L[1]) * z
    even = (((((L[10] * zz + L[8]) * zz + L[6]) * zz + L[4]) * zz) + L[2]) * zz + L[0]
    return e, f - s * (f - 2.0 * z * (even + odd))  # 2 s is f - s f, and f is exact


@formula
def log(x):
    """Return the natural logarithm of a number that is not below 0."""
    if not 0.0 < x < np.inf:
        return -np.inf if x == 0.0 else x
    e, rest = log_reduced(x)
    return float(e * LN_2_HIGH + (e * LN_2_LOW + rest))


@formula
def log2(x):
    """Return the logarithm to the base 2 of a number above 0; whole for powers of two."""
    e, rest = log_reduced(x)
    return float(e + rest * PER_LN_2)


@formula
def log_gamma(x):
    """Return the logarithm of (x - 1)! for a number above 0."""
    if x <= EXACT and x == np.floor(x):
        factorial = 1.0
        while x > 2.0:
            x -= 1.0
            factorial *= x
        return log(factorial)
    product = 1.0
    if x < FROM:
        # x (x + 1) … (x + 7), the first times the last and so on
        ends = x * (x + 7.0)
        product = (ends * (ends + 6.0)) * ((ends + 10.0) * (ends + 12.0))
        x += 8.0
    z = 1.0 / x
    zz = z * z
    series = ((((((S[7] * zz + S[6]) * zz + S[5]) * zz + S[4]) * zz + S[3]) * zz + S[2]) * zz + S[1]) * zz + S[0]
    found = (x - 0.5) * log(x) - x + (HALF_LOG_2_PI + series * z)
    return found - log(product) if product != 1.0 else found


@plain_kernel
def fill_log2(numbers, out):
    """Write the logarithm to the base 2 of each number."""
    for i in range(numbers.size):
        out[i] = log2(numbers[i])


def log2_of(numbers: ArrayLike) -> NDArray[np.float64]:
    """Return the logarithm to the base 2 of each number of an array."""
    return _fill(fill_log2, numbers)


@plain_kernel
def fill_log(numbers, out):
    """Write the natural logarithm of each number."""
    for i in range(numbers.size):
        out[i] = log(numbers[i])


def log_of(numbers: ArrayLike) -> NDArray[np.float64]:
    """Return the natural logarithm of each number of an array."""
    return _fill(fill_log, numbers)


def _fill(function: Callable[..., None], numbers: ArrayLike) -> NDArray[np.float64]:
    """Return an array filled by a kernel, which is compiled once for all kinds of array."""
    doubles = np.asarray(numbers, dtype=np.float64)
    out = np.empty(doubles.shape)
    function(np.ascontiguousarray(doubles).reshape(-1), out.reshape(-1))
    return out
