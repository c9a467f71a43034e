"""What all plots share: matplotlib, texts that it cannot misread, and colours."""

from __future__ import annotations

from typing import Any

from cutwise.scheme.visible import shown

# The hues of Okabe and Ito, which people with any kind of colour vision can tell apart.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#d9c916", "#882255")
OTHER = "#9aa4ae"
INK = "#1f2328"
SOFT = "#59636e"
LINE = "#d1d9e0"


def axes_or_new(ax: Any, width: float, height: float) -> Any:
    """Return the axes, or new ones of a size in inches."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot as plt  # noqa: PLC0415
    except ImportError:
        message = "Plots need matplotlib, which is not installed; pip install 'cutwise[plots]' brings it."
        raise ImportError(message) from None
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def plot_text(text: object, limit: int = 40) -> str:
    r"""Return a text that matplotlib shows as it is: a dollar sign would start a formula.

    Examples
    --------
    >>> plot_text("price in $ or $\x07")
    'price in \\$ or \\$⟨U+0007⟩'
    """
    plain = shown(text)
    short = plain if len(plain) <= limit else plain[: limit - 1] + "…"
    return short.replace("$", r"\$")


def without_frame(ax: Any, *sides: str) -> None:
    """Hide some sides of the frame and make the rest light."""
    for side, spine in ax.spines.items():
        spine.set_visible(side not in sides)
        spine.set_color(LINE)
    ax.tick_params(color=LINE, labelcolor=INK)
