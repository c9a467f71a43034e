"""Reports: HTML pages and plots of what was found."""

from __future__ import annotations

from cutwise.report.html import html_report, write_report
from cutwise.report.picture import attribute_picture
from cutwise.report.summary import count_rows

__all__ = ["attribute_picture", "count_rows", "html_report", "write_report"]
