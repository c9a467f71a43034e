// What the fit was asked to keep: the least rows of a bin, the most bins, a class rate of one direction. Bins that
// are set by hand may break it, which the page then says.

import { counted, percent, rowsText } from "./numbers.js";

/** Return for each interval the limits that it breaks, as texts. */
export function breachesOf(attribute, chosen = attribute.chosen) {
  if (!attribute.hasCounts) return [];
  const counts = attribute.intervals(chosen);
  const found = [tooSmall, tooMany, turned].map((look) => look(attribute, counts));
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

function turned(attribute, counts) {
  const { monotonic } = attribute.data.limits;
  if (monotonic === null) return [];
  const { event } = attribute.page;
  const name = attribute.page.classes[event];
  const [verb, direction] = monotonic === "increasing" ? ["falls", 1] : ["rises", -1];
  const texts = [];
  for (const [before, b] of turnsOf(counts, event, direction)) {
    const [from, to] = [before, b].map((bin) => percent(counts[bin][event], counts[bin][0] + counts[bin][1]));
    texts[b] = `“${name}” ${verb} from ${from} to ${to} (monotonic: ${monotonic})`;
  }
  return texts;
}

/** Return the pairs of neighbouring bins with rows between which the rate of the event goes the wrong way. */
function turnsOf(counts, event, direction) {
  const rows = sums(counts);
  const filled = [...counts.keys()].filter((b) => rows[b] > 0);
  return filled
    .slice(1)
    .map((b, i) => [filled[i], b])
    .filter((pair) => {
      const [high, low] = direction > 0 ? pair : pair.toReversed();
      return isHigher(counts[high][event], rows[high], counts[low][event], rows[low]);
    });
}

/** Return whether the first of two rates is higher: exactly for counts, within their ten digits for weights. */
function isHigher(part, rows, otherPart, otherRows) {
  if (![part, rows, otherPart, otherRows].every(Number.isSafeInteger))
    return part * otherRows > otherPart * rows * (1 + 1e-9);
  return BigInt(part) * BigInt(otherRows) > BigInt(otherPart) * BigInt(rows);
}

const sums = (rows) => rows.map((row) => row.reduce((total, count) => total + count, 0));
