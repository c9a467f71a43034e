"""What the kernels of exponentials and logarithms do, in plain Python: the same operations in the same order."""

from __future__ import annotations

import math
from fractions import Fraction

LN_2 = Fraction("0.693147180559945309417232121458176568076")
HIGH = float(Fraction(math.floor(LN_2 * 2**41), 2**41))
LOW = float(LN_2 - Fraction(HIGH))


def in_powers(x, terms):
    """Return terms[0] + terms[1] x + …, even and odd powers each by themselves."""
    square = x * x
    even, odd = terms[-1], terms[-2]
    for term in terms[-3::-2]:
        even = even * square + term
    for term in terms[-4::-2]:
        odd = odd * square + term
    return even + odd * x


def exp(x):
    """Return e to the power of a number."""
    if x < -745.0:
        return 0.0
    x = min(x, 709.0)
    k = round(x * float(1 / LN_2))
    r = (x - k * HIGH) - k * LOW
    tail = in_powers(r, [1.0 / math.factorial(i) for i in range(2, 15)])
    return math.ldexp(1.0 + (r + r * r * tail), k)


def log_parts(x):
    """Return e and log(m) with x = m * 2**e and m near 1."""
    m, e = math.frexp(x)
    m, e = 2.0 * m, e - 1
    if m > math.sqrt(2.0):
        m, e = 0.5 * m, e + 1
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    return e, f - s * (f - 2.0 * z * in_powers(z, [1.0 / i for i in range(3, 25, 2)]))


def log(x):
    """Return the natural logarithm."""
    if x == 0.0 or math.isinf(x):
        return -math.inf if x == 0.0 else x
    e, rest = log_parts(x)
    return e * HIGH + (e * LOW + rest)


def log2(x):
    """Return the logarithm to the base 2."""
    e, rest = log_parts(x)
    return e + rest * float(1 / LN_2)


def log_gamma(x):
    """Return the logarithm of (x - 1)!."""
    if x <= 23.0 and x == math.floor(x):
        return log(float(math.factorial(max(int(x) - 1, 0))))
    product = 1.0
    if x < 10.0:
        ends = x * (x + 7.0)
        product, x = (ends * (ends + 6.0)) * ((ends + 10.0) * (ends + 12.0)), x + 8.0
    # Bernoulli numbers B2, B4, … over 2 * 1, 4 * 3, …
    series = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400]
    tail = series[-1]
    for term in series[-2::-1]:
        tail = tail * ((1.0 / x) * (1.0 / x)) + term
    found = (x - 0.5) * log(x) - x + (0.9189385332046728 + tail * (1.0 / x))
    return found if product == 1.0 else found - log(product)
