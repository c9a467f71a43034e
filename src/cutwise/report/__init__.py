"""Reports: HTML pages and plots of what was found."""

from __future__ import annotations

from cutwise.report.card_page import card_report, write_card_report
from cutwise.report.html import html_report, write_report
from cutwise.report.monitoring_page import monitoring_report, write_monitoring_report
from cutwise.report.picture import attribute_picture
from cutwise.report.shape_page import shapes_report, write_shapes_report
from cutwise.report.summary import count_rows

__all__ = [
    "attribute_picture",
    "card_report",
    "count_rows",
    "html_report",
    "monitoring_report",
    "shapes_report",
    "write_card_report",
    "write_monitoring_report",
    "write_report",
    "write_shapes_report",
]
