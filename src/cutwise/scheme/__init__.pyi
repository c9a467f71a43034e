# The names that the package exports; `lazy_names` reads them here.

from cutwise.scheme.attribute import Attribute as Attribute
from cutwise.scheme.attribute import Category as Category
from cutwise.scheme.attribute import CutTrial as CutTrial
from cutwise.scheme.attribute import NominalAttribute as NominalAttribute
from cutwise.scheme.attribute import NumericAttribute as NumericAttribute
from cutwise.scheme.codes import codes_of_column as codes_of_column
from cutwise.scheme.codes import decode_codes as decode_codes
from cutwise.scheme.codes import encode_columns as encode_columns
from cutwise.scheme.codes import labels_of_codes as labels_of_codes
from cutwise.scheme.codes import n_codes as n_codes
from cutwise.scheme.codes import one_hot as one_hot
from cutwise.scheme.evaluation import AttributeEvaluation as AttributeEvaluation
from cutwise.scheme.evaluation import BinEvaluation as BinEvaluation
from cutwise.scheme.evaluation import Evaluation as Evaluation
from cutwise.scheme.measures import RateChange as RateChange
from cutwise.scheme.monitoring import Monitoring as Monitoring
from cutwise.scheme.monitoring import PeriodFigures as PeriodFigures
from cutwise.scheme.monitoring import monitor as monitor
from cutwise.scheme.new_rows import evaluate as evaluate
from cutwise.scheme.new_rows import recounted as recounted
from cutwise.scheme.rules import STOP_REASONS as STOP_REASONS
from cutwise.scheme.scheme import Scheme as Scheme
