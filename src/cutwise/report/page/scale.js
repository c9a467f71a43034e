// From cuts to places on the screen and back.

/** Spread the values evenly: one unit of the column is as wide as the next. */
export function valueScale(attribute, left, right) {
  const { start, width, counts } = attribute.data.bars;
  const span = width * counts.length;
  const at = (value) => left + ((value - start) / span) * (right - left);
  const edge = (bar) => at(start + bar * width);
  const ticks = niceTicks(start, start + span, right - left);
  return { at, edge, counts, places: attribute.gaps.cuts.map(at), ticks };
}

/** Spread the orders of magnitude evenly; where values are not all positive, zero lies between both sides. */
export function logScale(attribute, left, right) {
  const { zero, start, width, counts } = attribute.data.log_bars;
  const edge = (bar) => left + (bar / counts.length) * (right - left);
  const at = (value) => {
    const bar = (magnitude(value, zero) - start) / width;
    return edge(Math.min(Math.max(bar, 0), counts.length));
  };
  const ticks = logTicks(zero, start, start + width * counts.length, at);
  return { at, edge, counts, places: attribute.gaps.cuts.map(at), ticks };
}

/** Return the place of a value on a logarithmic axis: log10, or that of 1 + |value| / zero with the sign of the value. */
function magnitude(value, zero) {
  if (zero === null) return value > 0 ? Math.log10(value) : -Infinity;
  return Math.sign(value) * Math.log10(1 + Math.abs(value) / zero);
}

const LEAST_SPACE = 58;

/** Return zero, powers of ten and, where there is room, 2 and 5 times these. */
function logTicks(zero, low, high, at) {
  const powers = [...Array(640).keys()].map((k) => k - 320);
  const inside = (tick) => Number.isFinite(tick) && magnitude(tick, zero) >= low && magnitude(tick, zero) <= high;
  const signs = zero === null ? [1] : [1, -1];
  const ticks = zero !== null && low <= 0 && high >= 0 ? [0] : [];
  for (const factor of [1, 5, 2])
    for (const sign of signs)
      for (const power of powers) {
        const tick = Number(`${sign * factor}e${power}`);
        if (tick !== 0 && inside(tick) && ticks.every((other) => Math.abs(at(other) - at(tick)) >= LEAST_SPACE))
          ticks.push(tick);
      }
  return ticks;
}

/** Spread the rows evenly: a bin is as wide as its share of the rows. */
export function rowScale(attribute, left, right) {
  const rows = attribute.upTo.map((row) => row.reduce((total, count) => total + count, 0));
  const total = rows[rows.length - 1] || 1;
  const places = attribute.gaps.cuts.map((_, gap) => left + (rows[gap] / total) * (right - left));
  return { at: (cut) => places[attribute.gapOf(cut)], places, ticks: [], counts: null };
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
