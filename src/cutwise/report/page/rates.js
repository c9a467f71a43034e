// The rate of the event over the bars: a line with a scale of its own on the right.

import { draw } from "./elements.js";
import { percent } from "./numbers.js";

// The tops that the scale may have.
const TOPS = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];
const LABEL_WIDTH = 7.2;

/** Return the nodes of the line over bins [bin][class]; `ends` are their edges, `frame` says where the picture lies. */
export function rateLine(bins, event, ends, frame) {
  if (event === null) return [];
  const points = bins
    .map((row, b) => ({ x: (ends[b] + ends[b + 1]) / 2, rate: rateOf(row, event) }))
    .filter(({ rate }) => rate !== null);
  const top = TOPS.find((one) => points.every(({ rate }) => rate <= one)) ?? 1;
  for (const point of points) point.y = frame.top + frame.height * (1 - point.rate / top);
  const d = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  const lines = d ? ["rate-back", "rate-line"].map((style) => draw("path", { class: style, d: `M${d}` })) : [];
  const dots = points.map(({ x, y }) => draw("circle", { class: "rate-dot", cx: x, cy: y, r: 4 }));
  const scale = [0, 0.5, 1].map((part) =>
    draw(
      "text",
      { class: "tick start", x: frame.right + 8, y: frame.top + frame.height * (1 - part) + 4 },
      shortPercent(part * top),
    ),
  );
  return [...lines, ...(points.length > 60 ? [] : dots), ...labels(points, frame), ...scale];
}

/** Return the rates beside their points, where there is room for them. */
function labels(points, frame) {
  let taken = -Infinity;
  return points.flatMap(({ x, y, rate }) => {
    const text = shortPercent(rate);
    const half = (text.length * LABEL_WIDTH) / 2;
    if (x - half < taken) return [];
    taken = x + half + 2;
    return [draw("text", { class: "rate", x, y: y - 9 > frame.top + 12 ? y - 9 : y + 19 }, text)];
  });
}

function rateOf(row, event) {
  const rows = row.reduce((total, count) => total + count, 0);
  return rows > 0 ? row[event] / rows : null;
}

const shortPercent = (share) => percent(share, 1).replace(".0%", "%");
