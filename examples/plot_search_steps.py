"""
How a search goes on, and why it stops
======================================

MRmD adds the cut that raises Psi most. The scheme keeps every step with its score, and the cut that was refused.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer

from cutwise import MRmDDiscretizer

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
attribute = MRmDDiscretizer(place="readable").fit(X, y).scheme_["worst perimeter"]
for step in attribute.steps:
    print(f"cut at {step.cut:g}: Psi {step.score:.4f}")
print(f"refused: {attribute.refused.cut:g}, Psi would be {attribute.refused.score:.4f}")

# %%
# The relevance I never falls and the divergence J never falls. Psi is what is left of the relevance after the discount
# for the number of cuts, less the divergence. The open circle is the refused cut.
trials = [*attribute.steps, attribute.refused]
numbers = range(1, len(trials) + 1)
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
for label, values, colour in (
    ("relevance I", [trial.relevance for trial in trials], "#009e73"),
    ("Psi", [trial.score for trial in trials], "#0072b2"),
    ("divergence J", [trial.divergence for trial in trials], "#d55e00"),
):
    ax.plot(numbers, values, color=colour, label=label)
    ax.plot(numbers[:-1], values[:-1], "o", color=colour)
    ax.plot(numbers[-1], values[-1], "o", color=colour, markerfacecolor="white")
ax.set(xlabel="cuts", ylabel="bits", xticks=list(numbers), title="worst perimeter")
ax.legend(frameon=False)
plt.show()
