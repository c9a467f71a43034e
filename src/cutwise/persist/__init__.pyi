# The names that the package exports; `lazy_names` reads them here.

from cutwise.persist.fields import LearnedField as LearnedField
from cutwise.persist.fields import Sizes as Sizes
from cutwise.persist.saved_model import ClassifierModel as ClassifierModel
from cutwise.persist.saved_model import CodeModel as CodeModel
from cutwise.persist.saved_model import SavedModel as SavedModel
from cutwise.persist.saved_model import find_model as find_model
from cutwise.persist.saved_model import model_from_json as model_from_json
from cutwise.persist.trust import trusted_types as trusted_types
