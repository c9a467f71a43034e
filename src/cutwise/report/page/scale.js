// From cuts to places on the screen and back.

/** Spread the values evenly: one unit of the column is as wide as the next. */
export function valueScale(attribute, left, right) {
  const { start, width, counts } = attribute.data.bars;
  const span = width * counts.length;
  const at = (value) => left + ((value - start) / span) * (right - left);
  return { at, places: attribute.gaps.cuts.map(at), ticks: niceTicks(start, start + span, right - left) };
}

/** Spread the rows evenly: a bin is as wide as its share of the rows. */
export function rowScale(attribute, left, right) {
  const rows = attribute.upTo.map((row) => row.reduce((total, count) => total + count, 0));
  const total = rows[rows.length - 1] || 1;
  const places = attribute.gaps.cuts.map((_, gap) => left + (rows[gap] / total) * (right - left));
  return { at: (cut) => places[attribute.gapOf(cut)], places, ticks: [] };
}

/** Return the gap, from first to last, that is drawn nearest to a place. */
export function gapAt(scale, x, first = 0, last = scale.places.length - 1) {
  let best = first;
  for (let gap = first; gap <= last; gap += 1) {
    if (Math.abs(scale.places[gap] - x) < Math.abs(scale.places[best] - x)) best = gap;
  }
  return best;
}

/** Return round numbers that part a range, as many as there is room for. */
export function niceTicks(low, high, room) {
  const rough = (high - low) / Math.max(4, Math.floor(room / 90));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high && ticks.length < 20; k += 1)
    ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}
