// One attribute: where cuts may lie, and what a set of cuts is worth. Cuts are plain ascending lists of numbers. What
// a person may choose, here the cuts, is a value that is replaced and never changed.

import { evidence, expectedDivergence, mutualInformation, ranking, splitDivergence, trendOf } from "./measures.js";
import { shortNumber } from "./numbers.js";

// Putting the cuts of a search without steps in order takes the square of their number.
const MOST_ORDERED = 40;

export class EditableAttribute {
  constructor(data, index, page) {
    Object.assign(this, { data, index, page });
    this.source = JSON.parse(data.json);
    this.gaps = data.gaps;
    this.original = this.source.cuts ?? [];
    this.cuts = this.original;
    // What was typed, for the cuts that had to take another place.
    this.typed = new Map();
    this.upTo = this.gaps ? runningSums(this.gaps.counts) : [];
    this.partsUpTo = this.gaps?.parts ? runningSums(this.gaps.parts) : null;
  }

  get chosen() {
    return this.cuts;
  }

  set chosen(cuts) {
    this.cuts = cuts;
  }

  /** What is chosen, in numbers: how many now and before, and of what. */
  get tally() {
    return { now: this.cuts.length, before: this.original.length, noun: "cut" };
  }

  /** What the bins of the search are worth. */
  get before() {
    this.found ??= this.judge(this.original);
    return this.found;
  }

  /** Whether the counts of other bins can be told. */
  get hasCounts() {
    return Boolean(this.gaps);
  }

  get label() {
    return this.data.label;
  }

  get isChanged() {
    return this.cuts.length !== this.original.length || this.cuts.some((cut, i) => cut !== this.original[i]);
  }

  get isEdited() {
    return this.isChanged || this.source.edited === true;
  }

  /** Whether it is known how sure the cuts of the search are. */
  get isTested() {
    return (this.source.p_values ?? []).length > 0;
  }

  /** Return the p-value of a cut that the search made, else null. */
  chanceOf(cut) {
    const place = this.isTested ? this.original.indexOf(cut) : -1;
    return place < 0 ? null : this.source.p_values[place];
  }

  /** Return the gap that holds a cut, or -1: counts on both sides of it are known. */
  gapOf(cut) {
    const { cuts, lows, highs } = this.gaps;
    let [low, high] = [0, cuts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cuts[middle] === cut) return middle;
      if (highs[middle] > cut) high = middle;
      else low = middle + 1;
    }
    return low < cuts.length && lows[low] <= cut && cut < highs[low] ? low : -1;
  }

  /** Return the gap nearest to a number, whose cut lies strictly between two others. */
  nearestGap(cut, above = -Infinity, below = Infinity) {
    let best = -1;
    this.gaps.cuts.forEach((place, gap) => {
      const free = place > above && place < below;
      if (free && (best < 0 || Math.abs(place - cut) < Math.abs(this.gaps.cuts[best] - cut))) best = gap;
    });
    return best;
  }

  /** Return short texts for cuts: each of them, typed, parts the same rows, and no two are the same. */
  cutTexts(cuts = this.cuts) {
    const gaps = cuts.map((cut) => this.gapOf(cut));
    return cuts.map((cut, place) => {
      const isAlone = gaps.filter((gap) => gap === gaps[place]).length === 1;
      return shortNumber(cut, (short) => short === cut || (isAlone && this.gapOf(short) === gaps[place]));
    });
  }

  /** Return the gaps between which a cut may move, without meeting its neighbours. */
  rangeOf(place, cuts = this.cuts) {
    const first = place > 0 ? this.gapOf(cuts[place - 1]) + 1 : 0;
    const last = place < cuts.length - 1 ? this.gapOf(cuts[place + 1]) - 1 : this.gaps.cuts.length - 1;
    return [first, last];
  }

  /** Return the counts of each interval by class, in the unit of the counts. */
  intervals(cuts, upTo = this.upTo) {
    const ends = cuts.map((cut) => upTo[this.gapOf(cut)]);
    ends.push(upTo[upTo.length - 1]);
    return ends.map((end, b) => end.map((count, k) => count - (b > 0 ? ends[b - 1][k] : 0)));
  }

  /** Return the rows of every bin by class: intervals, then special values. */
  bins(cuts = this.cuts) {
    if (!this.gaps) return this.source.class_counts;
    const special = this.source.class_counts.slice(this.original.length + 1);
    return [...this.intervals(cuts).map((row) => row.map((count) => weigh(count, this.data.unit))), ...special];
  }

  /** Return relevance, divergence and score of a choice, and what it says about the event. */
  judge(chosen = this.chosen) {
    const { source } = this;
    const about = this.aboutEvent(chosen);
    const isFound = chosen === this.original;
    if (isFound || !this.hasCounts) {
      return { relevance: source.relevance, divergence: source.divergence, score: source.score, ...about };
    }
    const intervals = this.intervals(chosen);
    const relevance = mutualInformation(intervals);
    const divergence = this.divergenceOf(intervals, this.partsOf(chosen));
    return { relevance, divergence, score: this.scoreOf(intervals.length - 1, relevance, divergence), ...about };
  }

  /** Return the counts of each interval by part, or null if they are not known. */
  partsOf(cuts) {
    return this.partsUpTo ? this.intervals(cuts, this.partsUpTo) : null;
  }

  /** Return information value, Gini, KS and trend; null without an event. */
  aboutEvent(chosen) {
    const { event } = this.page;
    if (event === null) return { value: null, gini: null, ks: null, trend: null };
    const counts = this.bins(chosen);
    const all = this.withMissing(counts);
    const trend = this.gaps ? trendOf(counts.slice(0, chosen.length + 1), event) : null;
    return { value: evidence(all, event).value, ...ranking(all, event), trend };
  }

  /** Return the divergence, or null where the counts do not tell it. */
  divergenceOf(intervals, parts) {
    const { psi } = this.page;
    if (!psi || psi.validation === "none") return 0;
    if (psi.validation === "expected") {
      const rows = intervals.map((row) => row.reduce((total, count) => total + count, 0));
      return expectedDivergence(rows, this.data.n_whole, this.data.n_valid);
    }
    return parts ? splitDivergence(parts, psi.judged) : null;
  }

  /** Return the criterion of the search, or null where the counts of one column do not tell it. */
  scoreOf(nCuts, relevance, divergence) {
    const { psi } = this.page;
    if (this.page.criterion === "relevance") return relevance;
    if (!psi || divergence === null) return null;
    const discount = psi.n_d === null ? 1 : Math.exp(-nCuts / psi.n_d);
    return discount * relevance - divergence;
  }

  /** Return trials [cut, score, relevance, divergence]: the steps, or the cuts with the most useful first. */
  trials() {
    const { steps, refused } = this.source;
    if (steps.length > 0) return { accepted: steps, refused, isRecorded: true };
    this.ordered ??= this.original.length <= MOST_ORDERED ? this.orderCuts() : [];
    return { accepted: this.ordered, refused: null, isRecorded: false };
  }

  orderCuts() {
    const accepted = [];
    let [left, chosen] = [this.original, []];
    while (left.length > 0) {
      const options = left.map((cut) => {
        const cuts = [...chosen, cut].sort((a, b) => a - b);
        return { cut, cuts, ...this.judge(cuts) };
      });
      const worth = (option) => option.score ?? option.relevance;
      const best = options.reduce((one, other) => (worth(other) > worth(one) ? other : one));
      accepted.push([best.cut, best.score ?? 0, best.relevance, best.divergence ?? 0]);
      chosen = best.cuts;
      left = left.filter((cut) => cut !== best.cut);
    }
    return accepted;
  }

  withMissing(counts) {
    const missing = this.source.missing_by_class;
    return missing.some((count) => count > 0) ? [...counts, missing] : counts;
  }
}

/** Return a count as a weight of rows, with the digits that the library keeps. */
export function weigh(count, unit) {
  return unit === 1 ? count : Number((count * unit).toPrecision(10));
}

function runningSums(rows) {
  const sums = [];
  rows.forEach((row, i) => sums.push(i === 0 ? row : row.map((count, k) => count + sums[i - 1][k])));
  return sums;
}
