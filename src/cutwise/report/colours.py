"""The colours of the classes, and the style of a picture.

The hues are those of Okabe and Ito, which people with any kind of colour vision can tell
apart, a little lighter on dark pages. Prints are always light.
"""

from __future__ import annotations

from cutwise.report.markup import Markup

N_COLOURS = 8

_LIGHT_BASE = {"paper": "#fff", "ink": "#1f2328", "soft": "#59636e", "line": "#d1d9e0", "other": "#9aa4ae"}
_DARK_BASE = {"paper": "#151b23", "ink": "#f0f6fc", "soft": "#9da7b3", "line": "#3d444d", "other": "#7d8792"}
_LIGHT = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#d9c916", "#882255")
_DARK = ("#3d9be0", "#f2b134", "#2dbd93", "#e29cc3", "#92d3f7", "#ee8347", "#f1e564", "#c46a99")
_LIGHT_INK = ("#fff", "#1f1500", "#00170f", "#24101b", "#06202f", "#1a0a00", "#1d1b00", "#fff")
_DARK_INK = ("#06131d", "#1f1500", "#03190f", "#24101b", "#06202f", "#210c00", "#1d1b00", "#1c0811")


def _variables(base: dict[str, str], colours: tuple[str, ...], inks: tuple[str, ...]) -> str:
    named = {str(number): colour for number, colour in enumerate(colours, 1)}
    on_named = {f"on-{number}": ink for number, ink in enumerate(inks, 1)}
    pairs = {**base, "on-other": "#111", **named, **on_named}
    return "".join(f"--cutwise-{name}:{colour};" for name, colour in pairs.items())


def _fills() -> str:
    names = [*map(str, range(1, N_COLOURS + 1)), "other"]
    return "".join(
        f".cutwise .fill-{name}{{fill:var(--cutwise-{name})}}.cutwise .on-{name}{{fill:var(--cutwise-on-{name})}}"
        for name in names
    )


_RULES = """
.cutwise text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;
font-size:12px;fill:var(--cutwise-ink);font-variant-numeric:tabular-nums}
.cutwise .paper{fill:var(--cutwise-paper);stroke:var(--cutwise-line)}
.cutwise .name{font-size:17px;font-weight:600}
.cutwise .soft{fill:var(--cutwise-soft)}
.cutwise .strong{font-weight:600}
.cutwise .share{font-size:12px;font-weight:500;text-anchor:middle}
.cutwise .lines{fill:none;stroke:var(--cutwise-soft);stroke-width:1;stroke-linejoin:round}
.cutwise .empty{fill:none;stroke:var(--cutwise-soft);stroke-dasharray:2 2}
"""

_COLOURS = (
    f":root{{{_variables(_LIGHT_BASE, _LIGHT, _LIGHT_INK)}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(_DARK_BASE, _DARK, _DARK_INK)}}}}}"
)
PICTURE_STYLE = Markup(_COLOURS + _RULES.replace("\n", "") + _fills())
