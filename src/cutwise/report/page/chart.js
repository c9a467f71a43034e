// The picture of an attribute: its rows by class, with the cuts as lines that can be moved.

import { dataText, draw } from "./elements.js";
import { axisTexts, counted, grouped, numberText, percent, rowsText } from "./numbers.js";
import { rateLine } from "./rates.js";
import { logScale, niceTicks, rowScale, valueScale } from "./scale.js";

const HEIGHT = 190;
const EDGES = [52, 18];
// The edge beside which the scale of rates stands.
const RATE_EDGE = 48;
const LABEL_WIDTH = 7.2;
const LABEL_HEIGHT = 15;
const MOST_LEVELS = 5;
const SCALES = { values: valueScale, log: logScale, rows: rowScale };

/** Return a picture of groups of categories: bars as wide as their rows in that order, each with its code above. */
export function drawGroups(attribute, groups, order, width) {
  const { event } = attribute.page;
  const frame = { left: EDGES[0], right: width - (event === null ? EDGES[1] : RATE_EDGE), top: 22, height: HEIGHT };
  const counts = attribute.intervals();
  const bins = order.map((code) => counts[code]);
  const rows = bins.map((row) => row.reduce((total, count) => total + count, 0));
  const total = rows.reduce((sum, one) => sum + one, 0) || 1;
  const ends = [frame.left];
  for (const one of rows) ends.push(ends.at(-1) + (one / total) * (frame.right - frame.left));
  const codes = order.flatMap((code, b) => {
    const room = ends[b + 1] - ends[b];
    const middle = (ends[b] + ends[b + 1]) / 2;
    return room < 16 ? [] : [draw("text", { class: "tick", x: middle, y: frame.top - 8 }, String(code))];
  });
  const height = frame.top + HEIGHT + 30;
  const label = `Groups of ${attribute.label} by rows, ${counted(order.length, "group")}`;
  return draw(
    "svg",
    { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...spine(bins, groups, frame, ends),
    ...codes,
    draw("g", { class: "rates" }, ...rateLine(bins, event, ends, frame)),
  );
}

/** Return the picture and its scale. */
export function drawChart(attribute, groups, view, width) {
  const hasLine = attribute.page.event !== null;
  const [left, right] = [EDGES[0], width - (hasLine ? RATE_EDGE : EDGES[1])];
  const scale = SCALES[view](attribute, left, right);
  const labels = placeLabels(attribute, scale);
  const frame = { left, right, top: 34 + LABEL_HEIGHT * (labels.levels - 1), height: HEIGHT };
  const ends = [left, ...attribute.cuts.map(scale.at), right];
  const bins = attribute.intervals(attribute.cuts);
  const back = view === "rows" ? spine(bins, groups, frame, ends) : histogram(attribute, groups, scale, frame, ends);
  const height = frame.top + HEIGHT + 30;
  const picture = draw(
    "svg",
    {
      class: "chart",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": chartName(attribute, view),
    },
    draw("g", { "aria-hidden": "true" }, ...back),
    ...cutSliders(attribute, scale, frame, labels),
    draw("g", { "aria-hidden": "true", class: "rates" }, ...rateLine(bins, attribute.page.event, ends, frame)),
  );
  return { picture, scale };
}

function chartName(attribute, view) {
  const kind = { values: "Histogram", log: "Histogram on a logarithmic axis", rows: "Bins by rows" }[view];
  return `${kind} of ${attribute.label} by class, ${counted(attribute.cuts.length, "cut")}`;
}

/** Bars of equal width, as high as their rows, stacked by class; every other bin is shaded. */
function histogram(attribute, groups, scale, frame, ends) {
  const { counts } = scale;
  const { left, right, top: above } = frame;
  const grouped = counts.map((row) => groups.map((group) => sumAt(row, group.places) * attribute.data.unit));
  const most = Math.max(...grouped.map((row) => row.reduce((a, b) => a + b, 0)));
  const ticks = niceTicks(0, most, 440);
  const top = Math.max(most, ticks[ticks.length - 1]);
  const y = (rows) => above + HEIGHT * (1 - rows / top);
  const gap = counts.length > 40 ? 0.5 : 1;
  const texts = axisTexts(scale.ticks);
  const shapes = groups.map(() => "");
  grouped.forEach((row, bar) => {
    const [x, end] = [scale.edge(bar) + gap / 2, scale.edge(bar + 1) - gap / 2];
    let below = 0;
    row.forEach((rows, g) => {
      if (rows > 0)
        shapes[g] +=
          `M${x.toFixed(1)} ${y(below).toFixed(2)}H${end.toFixed(1)}V${y(below + rows).toFixed(2)}H${x.toFixed(1)}z`;
      below += rows;
    });
  });
  return [
    ...shades(ends, above),
    ...ticks.flatMap((tick) => [
      draw("path", { class: "grid", d: `M${left} ${y(tick)}H${right}` }),
      draw("text", { class: "tick end", x: left - 6, y: y(tick) + 4 }, rowsText(tick)),
    ]),
    ...shapes.map((d, g) => draw("path", { class: `fill-${groups[g].colour}`, d })),
    ...scale.ticks.map((tick, i) =>
      draw("text", { class: "tick", x: scale.at(tick), y: above + HEIGHT + 18 }, texts[i]),
    ),
    draw("path", { class: "axis", d: `M${left} ${above + HEIGHT}H${right}` }),
  ];
}

function shades(ends, above) {
  return ends.slice(1).map((end, b) =>
    draw("rect", {
      class: b % 2 ? "shade odd" : "shade",
      x: ends[b],
      y: above,
      width: Math.max(end - ends[b], 0),
      height: HEIGHT,
    }),
  );
}

/** A bar for each bin, as wide as its rows, its parts the shares of the classes. */
function spine(bins, groups, { left, right, top }, ends) {
  const bars = bins.flatMap((row, b) => {
    const rows = row.reduce((total, count) => total + count, 0);
    let y = top;
    return groups.map((group) => {
      const height = rows ? (HEIGHT * sumAt(row, group.places)) / rows : 0;
      y += height;
      return draw("rect", {
        class: `fill-${group.colour}`,
        x: ends[b] + 0.5,
        y: y - height,
        width: Math.max(ends[b + 1] - ends[b] - 1, 0.5),
        height,
      });
    });
  });
  const ticks = [0, 0.5, 1].map((share) =>
    draw(
      "text",
      { class: "tick end", x: left - 6, y: top + HEIGHT * (1 - share) + 4 },
      percent(share, 1).replace(".0", ""),
    ),
  );
  const middle = (left + right) / 2;
  const words = draw("text", { class: "tick", x: middle, y: top + HEIGHT + 18 }, "share of the rows →");
  return [...bars, ...ticks, words];
}

const sumAt = (row, places) => places.reduce((total, place) => total + row[place], 0);

/** Return the texts of the cuts and the line of text in which each finds room; beyond the last line there is none. */
function placeLabels(attribute, scale) {
  const texts = attribute.cutTexts().map((text) => grouped(text));
  const taken = [];
  const lines = attribute.cuts.map((cut, place) => {
    const x = scale.at(cut);
    const half = (texts[place].length * LABEL_WIDTH) / 2 + 3;
    const line = [...Array(MOST_LEVELS).keys()].find((level) => x - half >= (taken[level] ?? -Infinity)) ?? MOST_LEVELS;
    if (line < MOST_LEVELS) taken[line] = x + half;
    return line;
  });
  return { texts, lines, levels: Math.max(taken.length, 1) };
}

/** The cuts: lines with a grip, which keys move and remove as well. */
function cutSliders(attribute, scale, { top }, { texts, lines }) {
  return attribute.cuts.map((cut, place) => {
    const x = scale.at(cut);
    const isCrowded = lines[place] === MOST_LEVELS;
    const above = top - 20 - LABEL_HEIGHT * (isCrowded ? 0 : lines[place]);
    const isMoved = !attribute.original.includes(cut);
    return draw(
      "g",
      {
        class: `cut${isMoved ? " moved" : ""}`,
        role: "slider",
        tabindex: "0",
        "data-key": `cut-${place}`,
        "data-place": place,
        ...sliderValues(attribute, place),
      },
      draw("rect", { class: "reach", x: x - 11, y: top - 16, width: 22, height: HEIGHT + 16 }),
      draw("path", { class: "leader", d: `M${x} ${above + 3}V${top - 15}` }),
      draw("path", { class: "cut-line", d: `M${x} ${top - 2}V${top + HEIGHT}` }),
      draw("rect", { class: "grip", x: x - 6, y: top - 15, width: 12, height: 16, rx: 4 }),
      draw("path", { class: "ribs", d: `M${x - 2} ${top - 11}v8M${x + 2} ${top - 11}v8` }),
      draw("text", { class: `cut-label${isCrowded ? " crowded" : ""}`, x, y: above }, texts[place]),
    );
  });
}

function sliderValues(attribute, place) {
  const [first, last] = attribute.rangeOf(place);
  const { cuts } = attribute.gaps;
  const now = attribute.cuts[place];
  const counts = attribute.bins();
  const rows = [place, place + 1].map((b) => rowsText(counts[b].reduce((total, count) => total + count, 0)));
  return {
    "aria-label": `Cut ${place + 1} of ${attribute.cuts.length} of ${attribute.label}`,
    "aria-valuemin": Math.min(cuts[first] ?? now, now),
    "aria-valuemax": Math.max(cuts[last] ?? now, now),
    "aria-valuenow": now,
    "aria-valuetext": `${numberText(now)}; ${rows[0]} rows in the bin below, ${rows[1]} in the bin above`,
    "aria-orientation": "horizontal",
  };
}

/** Return the names of the classes with their colours, and the line of the event if there is one. */
export function legend(groups, event = null) {
  const items = groups.map((group) => {
    const swatch = document.createElement("span");
    swatch.className = `swatch tint-${group.colour}`;
    const item = document.createElement("li");
    item.append(swatch, dataText(group.label));
    return item;
  });
  const list = document.createElement("ul");
  list.className = "legend";
  list.append(...items);
  if (event !== null) {
    const line = document.createElement("li");
    const mark = document.createElement("span");
    mark.className = "line-mark";
    line.append(mark, "rate of ", dataText(event), " (right scale)");
    list.append(line);
  }
  return list;
}
