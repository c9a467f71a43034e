"""The style of the report's page: light, dark, narrow and on paper."""

from __future__ import annotations

from cutwise.report.colours import PICTURE_STYLE
from cutwise.report.markup import Markup

_PAGE = """
:root{color-scheme:light dark;--page:#f6f8fa;--link:#0a5bb5}
@media screen and (prefers-color-scheme:dark){:root{--page:#0d1117;--link:#74b3ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--cutwise-ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif}
main,header,footer{max-width:72rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.5rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.35rem;line-height:1.3;margin:0 0 .75rem;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:1rem;padding:.5rem 1rem;background:var(--cutwise-paper);z-index:1}
.lead,.note,.back,footer{color:var(--cutwise-soft)}
.lead{margin:0 0 .25rem;overflow-wrap:anywhere}
section{background:var(--cutwise-paper);border:1px solid var(--cutwise-line);border-radius:12px;
padding:1.5rem;margin:1.5rem 0}
.rank{display:inline-block;min-width:1.8em;padding:0 .4em;border-radius:1em;text-align:center;font-size:.8em;
background:var(--page);border:1px solid var(--cutwise-line);color:var(--cutwise-soft);vertical-align:.08em}
dl{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:0 0 1.25rem}
dt,figcaption{font-size:.8rem;color:var(--cutwise-soft)}
dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.words dl{display:grid;grid-template-columns:max-content 1fr;gap:.4rem 1.5rem;margin:0}
.words dt{font-size:.9rem;font-weight:600;color:inherit}
.words dd{font-size:.9rem;font-weight:400}
.scroll{overflow-x:auto;margin:0 0 1.25rem}
.cutwise{display:block;width:100%;min-width:34rem;max-width:54rem;height:auto;margin:0 auto}
.cutwise .paper{stroke:none}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:0 0 .5rem;position:sticky;left:0}
th,td{padding:.4rem .7rem;text-align:right;border-bottom:1px solid var(--cutwise-line);white-space:nowrap;
font-weight:400}
thead th{font-size:.8rem;font-weight:600;color:var(--cutwise-soft);vertical-align:bottom;white-space:normal;
border-bottom-width:2px;overflow-wrap:break-word}
td.text,.steps tbody th,.steps th:first-child,.bins th:nth-child(2){text-align:left}
td.text{white-space:normal;overflow-wrap:anywhere;min-width:8rem;max-width:24rem;font-weight:600}
td.interval{white-space:nowrap}
td.absent{font-weight:400;font-style:italic;color:var(--cutwise-soft)}
.overview th:nth-child(2),.overview td.kind,.overview th:nth-child(4),.overview td.stop,.overview th:last-child{
text-align:left}
.overview td.stop{white-space:normal;min-width:16.5rem;color:var(--cutwise-soft);font-size:.85rem}
.overview td.text{min-width:10rem}
.bar{background:linear-gradient(90deg,color-mix(in srgb,var(--tint) 30%,transparent) var(--part),transparent 0)
no-repeat 0 50%/calc(100% - 8px) calc(100% - 6px);min-width:6rem}
.swatch{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em;background:var(--tint);
vertical-align:-.05em}
tbody tr:hover{background:color-mix(in srgb,var(--cutwise-soft) 8%,transparent)}
.steps{width:auto;min-width:min(100%,34rem)}
.note{font-size:.9rem;max-width:46rem;margin:-.5rem 0 1.25rem}
.note strong{color:var(--cutwise-ink)}
.back{margin:0;font-size:.9rem}
footer{padding-bottom:2.5rem;font-size:.9rem}
@media (max-width:40rem){header{padding-top:1.5rem}h1{font-size:1.5rem}main,header,footer{padding:0 .75rem}
header{padding-top:1.5rem}section{padding:1rem;border-radius:8px}th,td{padding:.35rem .5rem}dl{gap:.5rem 1.25rem}
.words dl{display:block}.words dd{margin:0 0 .5rem}.bar{min-width:5rem}}
@media print{:root{--page:#fff}section[id]{break-inside:avoid}
body{font-size:10pt}main,header,footer{max-width:none;padding:0}
section{border:0;padding:0;margin:1.5rem 0}.skip,.back{display:none}.scroll{overflow:visible}
.cutwise{min-width:0;max-width:15cm;margin:0}figure,tr,dl{break-inside:avoid}h2{break-after:avoid}
thead{display:table-header-group}a{color:inherit;text-decoration:none}th,td{padding:.2rem .4rem}
.bar,.swatch,svg{print-color-adjust:exact}}
"""

PAGE_STYLE = Markup(PICTURE_STYLE + _PAGE)
