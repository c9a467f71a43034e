// What the fit was asked to keep: the size and the number of bins, their events, rates that differ, a trend of the
// rates. Bins that are set by hand may break it, which the page then says.

import { counted, percent, rowsText } from "./numbers.js";

/** Return for each interval the limits that it breaks, as texts. */
export function breachesOf(attribute, chosen = attribute.chosen) {
  if (!attribute.hasCounts) return [];
  const counts = attribute.intervals(chosen);
  const looks = [tooSmall, tooLarge, tooMany, tooFew, fewEvents, alike, turned];
  const found = looks.map((look) => look(attribute, counts));
  return counts.map((_, b) => found.map((texts) => texts[b]).filter(Boolean));
}

/** Return in how many bins a limit is broken. */
export function brokenBins(attribute) {
  return breachesOf(attribute).filter((texts) => texts.length > 0).length;
}

/** Return words for it, or nothing. */
export function breachWords(attribute) {
  const broken = brokenBins(attribute);
  return broken ? `${counted(broken, "bin")} of ${attribute.label} ${broken === 1 ? "breaks" : "break"} a limit` : "";
}

function tooSmall(attribute, counts) {
  const { min_count: least, unit } = attribute.data;
  if (counts.length < 2) return [];
  return sums(counts).map((rows) => {
    const words = `${counted(rows * unit, "row")}, at least ${rowsText(least * unit)} asked for (min_bin_size)`;
    return rows < least ? words : "";
  });
}

function tooMany(attribute, counts) {
  const { max_bins: most } = attribute.data.limits;
  if (most === null) return [];
  return counts.map((_, b) => (b >= most ? `${counts.length} bins, at most ${most} asked for (max_bins)` : ""));
}

function tooLarge(attribute, counts) {
  const { max_count: most } = attribute.data.limits;
  if (most === null) return [];
  const { unit } = attribute.data;
  const end = `at most ${rowsText(most * unit)} asked for (max_bin_size)`;
  return sums(counts).map((rows) => (rows > most ? `${counted(rows * unit, "row")}, ${end}` : ""));
}

function tooFew(attribute, counts) {
  const { min_bins: least } = attribute.data.limits;
  if (least === null || counts.length >= least) return [];
  return [`${counted(counts.length, "bin")}, at least ${least} asked for (min_bins)`];
}

function fewEvents(attribute, counts) {
  const { min_events: least } = attribute.data.limits;
  if (least === null || counts.length < 2) return [];
  const { event } = attribute.page;
  const { unit } = attribute.data;
  const rows = sums(counts);
  return counts.map((bin, b) => {
    const fewest = Math.min(bin[event], rows[b] - bin[event]);
    const what = bin[event] <= fewest ? "event" : "other row";
    const words = `${counted(fewest * unit, what)}, at least ${rowsText(least * unit)} asked for (min_events)`;
    return fewest < least ? words : "";
  });
}

/** Tell of bins whose rate of the event does not differ from that of the bin before, by a chi-square. */
function alike(attribute, counts) {
  const { chi_square: least } = attribute.data.limits;
  if (least === null) return [];
  const { event } = attribute.page;
  const rows = sums(counts);
  return counts.map((bin, b) => {
    if (b === 0) return "";
    const [few, more] = [counts[b - 1][event], bin[event]];
    const [events, all] = [few + more, rows[b - 1] + rows[b]];
    const apart = few * rows[b] - more * rows[b - 1];
    const isFar = apart * apart * all >= least * rows[b - 1] * rows[b] * events * (all - events);
    const differ = events > 0 && all > events && isFar;
    return differ ? "" : "the rate of the event does not differ from that of the bin before (max_pvalue)";
  });
}

function turned(attribute, counts) {
  const { monotonic } = attribute.data.limits;
  if (monotonic === null) return [];
  const { event } = attribute.page;
  const name = attribute.page.classes[event];
  const rows = sums(counts);
  const filled = [...counts.keys()].filter((b) => rows[b] > 0);
  const texts = [];
  for (const i of TRENDS[monotonic](filled.map((b) => [counts[b][event], rows[b]]))) {
    const [from, to] = [i - 1, i].map((k) => [counts[filled[k]][event], rows[filled[k]]]);
    const verb = isHigher(...from, ...to) ? "falls" : "rises";
    texts[filled[i]] = `“${name}” ${verb} from ${percent(...from)} to ${percent(...to)} (monotonic: ${monotonic})`;
  }
  return texts;
}

/** The trends: each returns the places at which the rates, as pairs of events and rows, leave it. */
const TRENDS = {
  increasing: (rates) => steps(rates).filter((i) => isHigher(...rates[i - 1], ...rates[i])),
  decreasing: (rates) => steps(rates).filter((i) => isHigher(...rates[i], ...rates[i - 1])),
  peak: (rates) => afterTurn(rates, (a, b) => isHigher(...a, ...b)),
  valley: (rates) => afterTurn(rates, (a, b) => isHigher(...b, ...a)),
  concave: (rates) => bent(rates, 1),
  convex: (rates) => bent(rates, -1),
};

const steps = (rates) => [...rates.keys()].slice(1);

/** Return the places at which rates go on as before their turn, which `turns` tells. */
function afterTurn(rates, turns) {
  let hasTurned = false;
  return steps(rates).filter((i) => {
    const goesOn = hasTurned && turns(rates[i], rates[i - 1]);
    hasTurned ||= turns(rates[i - 1], rates[i]);
    return goesOn;
  });
}

// Differences of rates that rounding can give.
const STRAIGHT = 1e-12;

/** Return the places at which the steps between rates grow (sign 1) or shrink (sign -1). */
function bent(rates, sign) {
  const values = rates.map(([part, rows]) => part / rows);
  return steps(rates)
    .slice(1)
    .filter((i) => sign * (values[i] - 2 * values[i - 1] + values[i - 2]) > STRAIGHT);
}

/** Return whether the first of two rates is higher: exactly for counts, within their ten digits for weights. */
function isHigher(part, rows, otherPart, otherRows) {
  if (![part, rows, otherPart, otherRows].every(Number.isSafeInteger))
    return part * otherRows > otherPart * rows * (1 + 1e-9);
  return BigInt(part) * BigInt(otherRows) > BigInt(otherPart) * BigInt(rows);
}

const sums = (rows) => rows.map((row) => row.reduce((total, count) => total + count, 0));
