"""Report: what was found, for people."""

from __future__ import annotations

from cutwise.report.html import html_report
from cutwise.report.picture import attribute_picture

__all__ = ["attribute_picture", "html_report"]
