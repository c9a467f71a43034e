"""Texts that would do harm if they were taken for markup."""

from __future__ import annotations

PAYLOADS = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "'/><a href='javascript:alert(1)'>",
    "javascript:alert(1)",
    "</title></style><style>*{display:none}",
    "--><!-- &lt; &#60; &amp",
    "]]><!-- &lt; &#60; &amp",
    "null\x00bell\x07escape\x1b[31m\x85",
    "right\u202eto\u200fleft\u2066\u2028",
    "half \ud800 and \ufffe \uffff",
    "long " * 2000,
)
