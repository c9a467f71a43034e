// The way of the search: the scores after each accepted cut, and where it stopped.

import { draw, make } from "./elements.js";
import { niceTicks } from "./scale.js";

const HEIGHT = 130;
const EDGES = { left: 52, right: 118, top: 16, bottom: 34 };

/** Return the picture of the steps, or null if there are none. */
export function drawPath(attribute, width) {
  const { accepted: steps, refused, isRecorded } = attribute.trials();
  if (steps.length === 0) return null;
  const series = seriesOf(attribute, isRecorded);
  const trials = [[null, 0, 0, 0], ...steps, ...(refused ? [refused] : [])];
  const values = trials.flatMap((trial) => series.map(([, place]) => trial[place]));
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const right = width - EDGES.right;
  const x = (step) => EDGES.left + ((right - EDGES.left) * step) / Math.max(trials.length - 1, 1);
  const y = (value) => EDGES.top + HEIGHT * (1 - (value - low) / (high - low));
  const height = EDGES.top + HEIGHT + EDGES.bottom;
  const parts = [
    ...axes(niceTicks(low, high, 550), trials.length, steps.length, x, y, right),
    ...stopMark(steps.length, x, isRecorded ? "stop" : "all"),
    ...series.flatMap((one) => line(one, trials, steps.length, x, y)),
    ...names(series, trials, x, y),
  ];
  const caption = isRecorded
    ? "The search, step by step, in bits"
    : "The found cuts, the most useful first, in bits; the search kept no steps";
  const label = `${caption}: ${attribute.label}`;
  const picture = draw(
    "svg",
    { class: "chart path", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...parts,
  );
  return make("figure", { class: "path-figure" }, make("figcaption", {}, caption), picture);
}

/** Return the lines to draw: name, place in a trial, style. */
function seriesOf(attribute, isRecorded) {
  const { psi } = attribute.page;
  const relevance = ["I", 2, "path-i"];
  if (!psi || (!isRecorded && attribute.judge([]).score === null)) return [relevance];
  const divergence = psi.validation === "none" ? [] : [["J", 3, "path-j"]];
  return [relevance, ...divergence, ["Psi", 1, "path-psi"]];
}

function axes(ticks, nTrials, nSteps, x, y, right) {
  const every = Math.ceil(nTrials / 12);
  const steps = [...Array(nTrials).keys()].filter((step) => step % every === 0 && step <= nSteps);
  return [
    ...ticks.flatMap((tick) => [
      draw("path", { class: "grid", d: `M${EDGES.left} ${y(tick)}H${right}` }),
      draw("text", { class: "tick end", x: EDGES.left - 6, y: y(tick) + 4 }, String(tick)),
    ]),
    ...steps.map((step) => draw("text", { class: "tick", x: x(step), y: EDGES.top + HEIGHT + 16 }, String(step))),
    draw("text", { class: "tick", x: (EDGES.left + right) / 2, y: EDGES.top + HEIGHT + 31 }, "accepted cuts"),
  ];
}

function stopMark(nSteps, x, words) {
  return [
    draw("path", { class: "stop-line", d: `M${x(nSteps)} ${EDGES.top - 4}V${EDGES.top + HEIGHT}` }),
    draw("text", { class: "tick strong", x: x(nSteps), y: EDGES.top - 6 }, words),
  ];
}

/** A line through the accepted steps; the refused one is a hollow point at the end of a dashed line. */
function line([, place, style], trials, nSteps, x, y) {
  const points = trials.map((trial, step) => `${x(step).toFixed(1)} ${y(trial[place]).toFixed(1)}`);
  const accepted = points.slice(0, nSteps + 1);
  const marks = accepted.length > 40 ? [] : accepted;
  const dots = marks.map((point) =>
    draw("circle", { class: `dot ${style}`, cx: point.split(" ")[0], cy: point.split(" ")[1], r: 3 }),
  );
  const parts = [draw("path", { class: `line ${style}`, d: `M${accepted.join("L")}` }), ...dots];
  if (points.length > nSteps + 1) {
    const [cx, cy] = points[nSteps + 1].split(" ");
    parts.push(draw("path", { class: `line refused ${style}`, d: `M${points[nSteps]}L${points[nSteps + 1]}` }));
    parts.push(draw("circle", { class: `dot refused ${style}`, cx, cy, r: 3.5 }));
  }
  return parts;
}

/** The names at the ends of the lines, moved apart. */
function names(series, trials, x, y) {
  const last = trials.length - 1;
  const ends = series
    .map(([name, place, style]) => ({ name, style, at: y(trials[last][place]) }))
    .sort((a, b) => a.at - b.at);
  let lowest = -Infinity;
  return ends.map(({ name, style, at }) => {
    lowest = Math.max(at, lowest + 15);
    const text = { I: "I relevance", J: "J divergence", Psi: "Psi" }[name];
    return draw("text", { class: `series ${style}`, x: x(last) + 12, y: lowest + 4 }, text);
  });
}
