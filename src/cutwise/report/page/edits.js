// What a person may do with the cuts of an attribute. Each function returns { cuts, words } or { error }; a typed cut
// that takes another place comes with { moved: { cut, typed, note } }.

import { counted, numberText, typedNumber } from "./numbers.js";

/** Move a cut to a gap; in the gap where it was found it gets its old place back. */
export function moveCut(attribute, place, gap, cuts = attribute.cuts) {
  const [first, last] = attribute.rangeOf(place, cuts);
  const target = Math.min(Math.max(gap, first), last);
  if (target < first || target === attribute.gapOf(cuts[place])) return { cuts, words: "" };
  const found = attribute.original.find((cut) => attribute.gapOf(cut) === target);
  const cut = found ?? attribute.gaps.cuts[target];
  const words = `cut ${numberText(cuts[place])} of ${attribute.label} moved to ${numberText(cut)}`;
  return { cuts: cuts.with(place, cut), words };
}

export function removeCut(attribute, place) {
  const words = `cut ${numberText(attribute.cuts[place])} of ${attribute.label} removed`;
  return { cuts: attribute.cuts.toSpliced(place, 1), words };
}

/** Add a cut in a gap, if there is none in it. */
export function addCut(attribute, gap) {
  const cut = attribute.original.find((known) => attribute.gapOf(known) === gap) ?? attribute.gaps.cuts[gap];
  return withCut(attribute, attribute.cuts, cut, `cut ${numberText(cut)} added to ${attribute.label}`);
}

/** Add the cut that was typed, or put it in the place of another one. */
export function typeCut(attribute, text, place = null) {
  const others = place === null ? attribute.cuts : attribute.cuts.toSpliced(place, 1);
  const typed = typedNumber(text);
  if (!Number.isFinite(typed)) return { error: `“${text}” is not a number. Type one such as 37.5.` };
  if (place !== null && typed === attribute.cuts[place]) return { cuts: attribute.cuts, words: "" };
  const what = place === null ? "added to" : `of ${attribute.label}: it was ${numberText(attribute.cuts[place])} in`;
  if (attribute.gapOf(typed) >= 0) {
    return withCut(attribute, others, typed + 0, `cut ${numberText(typed)} ${what} ${attribute.label}`);
  }
  const problem = outside(attribute, typed);
  if (problem) return { error: problem };
  const gap = attribute.nearestGap(typed);
  const cut = attribute.gaps.cuts[gap];
  const note = movedNote(attribute, typed, gap);
  const edit = withCut(attribute, others, cut, `cut ${numberText(cut)} ${what} ${attribute.label}. ${note}`);
  return edit.error ? { error: `${note}. ${edit.error}` } : { ...edit, moved: { cut, typed: numberText(typed), note } };
}

/** Say which cut is used instead of the typed one, why, and how many rows may lie between them. */
function movedNote(attribute, typed, gap) {
  const { cuts, counts } = attribute.gaps;
  const [asked, used] = [numberText(typed), numberText(cuts[gap])];
  const between = counts[typed < cuts[gap] ? gap : gap + 1].reduce((total, count) => total + count, 0);
  const rows = `${counted(between * attribute.data.unit, "row")} ${between === 1 ? "lies" : "lie"}`;
  const why = `this page holds the counts at ${counted(cuts.length, "cut")}, round numbers among them, not at ${asked}`;
  return `You typed ${asked}; ${used} is used: ${why}. At most ${rows} between the two`;
}

function withCut(attribute, others, cut, words) {
  const gap = attribute.gapOf(cut);
  const taken = others.find((other) => attribute.gapOf(other) === gap);
  if (taken !== undefined) {
    return { error: `The cut ${numberText(taken)} parts the same rows already. Move or remove it first.` };
  }
  return { cuts: [...others, cut].sort((a, b) => a - b), words };
}

function outside(attribute, typed) {
  const { minimum, maximum } = attribute.source;
  const { cuts } = attribute.gaps;
  if (cuts.length === 0) return `${attribute.label} cannot be cut: it has no two values.`;
  if (attribute.data.n_gaps === null) {
    return `This page holds the counts of the bins only, so the cut must be one of ${cuts.map(numberText).join(", ")}.`;
  }
  if (typed >= minimum && typed < maximum) return "";
  const [cut, low, high] = [typed, minimum, maximum].map(numberText);
  return `A cut at ${cut} would leave a bin without rows. Type a number from ${low} to below ${high}.`;
}
