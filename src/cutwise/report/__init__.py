"""Report: what was found, for people."""

from __future__ import annotations

from cutwise.report.html import html_report
from cutwise.report.picture import attribute_picture
from cutwise.report.row_counts import count_rows
from cutwise.report.write import write_report

__all__ = ["attribute_picture", "count_rows", "html_report", "write_report"]
