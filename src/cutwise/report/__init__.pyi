# The names that the package exports; `lazy_names` reads them here.

from cutwise.report.card_page import card_report as card_report
from cutwise.report.card_page import write_card_report as write_card_report
from cutwise.report.html import html_report as html_report
from cutwise.report.html import write_report as write_report
from cutwise.report.monitoring_page import monitoring_report as monitoring_report
from cutwise.report.monitoring_page import write_monitoring_report as write_monitoring_report
from cutwise.report.picture import attribute_picture as attribute_picture
from cutwise.report.shape_page import shapes_report as shapes_report
from cutwise.report.shape_page import write_shapes_report as write_shapes_report
from cutwise.report.summary import count_rows as count_rows
