// How good bins are, from counts: the same formulas as the library's criteria.

const SMOOTHING = 0.5;
const SERIES_FROM = 100;
const SHORT_SERIES_FROM = 1000;
const N_MOMENTS = 12;

const sumOf = (numbers) => numbers.reduce((total, number) => total + number, 0);
const xlog2x = (x) => (x > 0 ? x * Math.log2(x) : 0);

/** Return the mutual information of a table [bin][class] in bits. */
export function mutualInformation(counts) {
  const byBin = counts.map(sumOf);
  const total = sumOf(byBin);
  if (total === 0) return 0;
  const byClass = counts[0].map((_, k) => sumOf(counts.map((row) => row[k])));
  let bits = 0;
  counts.forEach((row, b) =>
    row.forEach((count, k) => {
      if (count > 0) bits += count * Math.log2(count / ((byBin[b] * byClass[k]) / total));
    }),
  );
  return bits / total;
}

/** Return the Jensen-Shannon divergence of two vectors of counts in bits. */
export function jensenShannon(left, right) {
  const sums = [sumOf(left), sumOf(right)];
  if (sums[0] === 0 || sums[1] === 0) return 0;
  let bits = 0;
  left.forEach((count, b) => {
    const p = count / sums[0];
    const q = right[b] / sums[1];
    bits += (xlog2x(p) + xlog2x(q)) / 2 - xlog2x((p + q) / 2);
  });
  return bits;
}

/** Return the mean over the judged parts of the divergence between a part and the rest; parts[bin][part]. */
export function splitDivergence(parts, judged) {
  const every = parts.map(sumOf);
  const apart = judged.map((part) => {
    const inside = parts.map((row) => row[part]);
    return jensenShannon(
      every.map((rows, b) => rows - inside[b]),
      inside,
    );
  });
  return sumOf(apart) / apart.length;
}

/** Return the mean divergence over every validation part of nValid out of nWhole rows. */
export function expectedDivergence(rowsByBin, nWhole, nValid) {
  const perRow = nWhole / Math.max(sumOf(rowsByBin), Number.MIN_VALUE);
  return sumOf(
    rowsByBin.map((count) => {
      const rows = count * perRow;
      const below = Math.min(Math.floor(rows), nWhole - 1);
      const low = expectedShare(below, nWhole, nValid);
      return low + (rows - below) * (expectedShare(below + 1, nWhole, nValid) - low);
    }),
  );
}

/** Return a bin's share of the divergence, averaged over every split. */
export function expectedShare(rows, nRows, nValid) {
  if (rows === 0 || rows === nRows || nValid === 0 || nValid === nRows) return 0;
  const mean = (rows * Math.min(nValid, nRows - nValid)) / nRows;
  if (mean < SERIES_FROM) return shareBySum(rows, nRows, nValid);
  return shareBySeries(rows, nRows, nValid, mean < SHORT_SERIES_FROM ? N_MOMENTS : 6);
}

/** Return a bin's share for one split, in which `valid` of its rows are in the validation part. */
function shareOfSplit(rows, valid, nRows, nValid) {
  const train = (rows - valid) / (nRows - nValid);
  const held = valid / nValid;
  return 0.5 * xlog2x(train) + 0.5 * xlog2x(held) - xlog2x(0.5 * (train + held));
}

/** Sum over the hypergeometric distribution, outwards from its mode. */
function shareBySum(rows, nRows, nValid) {
  const rest = nRows - rows - nValid;
  const lowest = Math.max(0, -rest);
  const highest = Math.min(rows, nValid);
  const middle = Math.floor(((rows + 1) * (nValid + 1)) / (nRows + 2));
  const mode = Math.min(Math.max(middle, lowest), highest);
  let [weights, total, weight] = [1, shareOfSplit(rows, mode, nRows, nValid), 1];
  for (let v = mode; v < highest && weight > 1e-20;) {
    weight *= ((rows - v) / (v + 1)) * ((nValid - v) / (rest + v + 1));
    v += 1;
    weights += weight;
    total += weight * shareOfSplit(rows, v, nRows, nValid);
  }
  weight = 1;
  for (let v = mode; v > lowest && weight > 1e-20;) {
    weight *= (v / (rows - v + 1)) * ((rest + v) / (nValid - v + 1));
    v -= 1;
    weights += weight;
    total += weight * shareOfSplit(rows, v, nRows, nValid);
  }
  return total / weights;
}

/** A series in the central moments of the validation count, up to the given order. */
function shareBySeries(rows, nRows, nValid, order) {
  const moments = centralMoments(rows, nRows, nValid, order);
  const share = rows / nRows;
  const byValid = 1 / nValid / share;
  const byTrain = -1 / (nRows - nValid) / share;
  const byMiddle = 0.5 * (byValid + byTrain);
  let [valid, train, middle, total, sign] = [byValid, byTrain, byMiddle, 0, 1];
  for (let k = 2; k <= order; k += 1) {
    valid *= byValid;
    train *= byTrain;
    middle *= byMiddle;
    total += (sign * moments[k] * (0.5 * (valid + train) - middle)) / (k * (k - 1));
    sign = -sign;
  }
  return (total * share) / Math.LN2;
}

function centralMoments(rows, nRows, nValid, order) {
  const mean = rows * (nValid / nRows);
  const slope = rows + nValid - 2 * mean;
  const level = (rows - mean) * (nValid - mean);
  const moments = [1, 0];
  for (let power = 1; power < order; power += 1) {
    let [binomial, total] = [1, 0];
    for (let j = 0; j < power; j += 1) {
      let inner = level * moments[j] - slope * moments[j + 1];
      if (j < power - 1) inner += moments[j + 2];
      total += binomial * inner;
      binomial *= (power - j) / (j + 1);
    }
    moments.push(total / (nRows - power));
  }
  return moments;
}

/** Return the events and the other rows of each bin with rows, the lowest rate first. */
function byRate(counts, event) {
  return counts
    .map((row) => [row[event], sumOf(row.filter((_, k) => k !== event))])
    .filter((pair) => sumOf(pair) > 0)
    .sort((one, other) => one[0] / sumOf(one) - other[0] / sumOf(other));
}

/** Return Gini (2 AUC - 1) and KS of bins that are ranked by the rate of the event; null where one side is empty. */
export function ranking(counts, event) {
  const pairs = byRate(counts, event);
  const [events, others] = [0, 1].map((k) => sumOf(pairs.map((pair) => pair[k])));
  if (!events || !others) return { gini: null, ks: null };
  let [won, before, gone, ks] = [0, 0, 0, 0];
  for (const [event_, other] of pairs) {
    won += event_ * (2 * before + other);
    before += other;
    gone += event_;
    ks = Math.max(ks, Math.abs(gone / events - before / others));
  }
  return { gini: won / (events * others) - 1, ks };
}

/** Return how the rate of the event moves over intervals that have rows; null for less than two. */
export function trendOf(intervals, event) {
  const filled = intervals.map((row) => [row[event], sumOf(row)]).filter(([, rows]) => rows > 0);
  if (filled.length < 2) return null;
  const steps = filled.slice(1).map(([part, rows], b) => part * filled[b][1] - filled[b][0] * rows);
  const ways = steps.filter((step) => step !== 0).map((step) => step > 0);
  const turns = ways.filter((way, i) => i === 0 || way !== ways[i - 1]).map((way) => (way ? "up" : "down"));
  const names = { "": "flat", up: "increasing", down: "decreasing", "up,down": "peak", "down,up": "valley" };
  return names[turns.join()] ?? "mixed";
}

/**
 * Return the weight of evidence and the information value of each bin: the event, a place among the classes, against
 * the others. A positive weight speaks against the event; empty bins say nothing.
 */
export function evidence(counts, event) {
  const pairs = counts.map((row) => [row[event], sumOf(row.filter((_, k) => k !== event))]);
  const held = pairs.filter((pair) => sumOf(pair) > 0);
  const [events, others] = [0, 1].map((k) => held.map((pair) => pair[k]));
  const isTold = sumOf(events) > 0 && sumOf(others) > 0;
  const totals = [events, others].map((column) => sumOf(column.map((count) => count + SMOOTHING)));
  const bins = pairs.map((pair) => {
    if (!isTold || sumOf(pair) === 0) return { weight: 0, value: 0 };
    const [p, q] = pair.map((count, k) => (count + SMOOTHING) / totals[k]);
    const weight = Math.log(q / p);
    return { weight, value: (q - p) * weight };
  });
  return { bins, value: sumOf(bins.map((bin) => bin.value)) };
}
