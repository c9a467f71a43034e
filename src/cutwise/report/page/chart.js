// The picture of an attribute: its rows by class, with the cuts as lines that can be moved.

import { dataText, draw } from "./elements.js";
import { counted, numberText, percent, rowsText } from "./numbers.js";
import { niceTicks, rowScale, valueScale } from "./scale.js";

const HEIGHT = 190;
const TOP = 34;
const EDGES = [52, 18];
const LABEL_WIDTH = 7.2;

/** Return the picture and its scale. */
export function drawChart(attribute, groups, view, width) {
  const [left, right] = [EDGES[0], width - EDGES[1]];
  const scale = view === "values" ? valueScale(attribute, left, right) : rowScale(attribute, left, right);
  const back = view === "values" ? histogram(attribute, groups, scale, right) : spine(attribute, groups, scale, right);
  const height = TOP + HEIGHT + 30;
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
    ...cutSliders(attribute, scale),
  );
  return { picture, scale };
}

function chartName(attribute, view) {
  const kind = view === "values" ? "Histogram" : "Bins by rows";
  return `${kind} of ${attribute.label} by class, ${counted(attribute.cuts.length, "cut")}`;
}

/** Bars of equal width, as high as their rows, stacked by class; every other bin is shaded. */
function histogram(attribute, groups, scale, right) {
  const { start, width, counts } = attribute.data.bars;
  const grouped = counts.map((row) => groups.map((group) => sumAt(row, group.places) * attribute.data.unit));
  const most = Math.max(...grouped.map((row) => row.reduce((a, b) => a + b, 0)));
  const ticks = niceTicks(0, most, 440);
  const top = Math.max(most, ticks[ticks.length - 1]);
  const y = (rows) => TOP + HEIGHT * (1 - rows / top);
  const gap = counts.length > 40 ? 0.5 : 1;
  const shapes = groups.map(() => "");
  grouped.forEach((row, bar) => {
    const [x, end] = [scale.at(start + bar * width) + gap / 2, scale.at(start + (bar + 1) * width) - gap / 2];
    let below = 0;
    row.forEach((rows, g) => {
      if (rows > 0)
        shapes[g] +=
          `M${x.toFixed(1)} ${y(below).toFixed(2)}H${end.toFixed(1)}V${y(below + rows).toFixed(2)}H${x.toFixed(1)}z`;
      below += rows;
    });
  });
  return [
    ...shades(attribute, scale, right),
    ...ticks.flatMap((tick) => [
      draw("path", { class: "grid", d: `M${EDGES[0]} ${y(tick)}H${right}` }),
      draw("text", { class: "tick end", x: EDGES[0] - 6, y: y(tick) + 4 }, rowsText(tick)),
    ]),
    ...shapes.map((d, g) => draw("path", { class: `fill-${groups[g].colour}`, d })),
    ...scale.ticks.map((tick) =>
      draw("text", { class: "tick", x: scale.at(tick), y: TOP + HEIGHT + 18 }, numberText(tick)),
    ),
    draw("path", { class: "axis", d: `M${EDGES[0]} ${TOP + HEIGHT}H${right}` }),
  ];
}

function shades(attribute, scale, right) {
  const ends = [EDGES[0], ...attribute.cuts.map(scale.at), right];
  return ends.slice(1).map((end, b) =>
    draw("rect", {
      class: b % 2 ? "shade odd" : "shade",
      x: ends[b],
      y: TOP,
      width: Math.max(end - ends[b], 0),
      height: HEIGHT,
    }),
  );
}

/** A bar for each bin, as wide as its rows, its parts the shares of the classes. */
function spine(attribute, groups, scale, right) {
  const ends = [EDGES[0], ...attribute.cuts.map(scale.at), right];
  const bars = attribute.intervals(attribute.cuts).flatMap((row, b) => {
    const rows = row.reduce((total, count) => total + count, 0);
    let y = TOP;
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
      { class: "tick end", x: EDGES[0] - 6, y: TOP + HEIGHT * (1 - share) + 4 },
      percent(share, 1).replace(".0", ""),
    ),
  );
  const middle = (EDGES[0] + right) / 2;
  const words = draw("text", { class: "tick", x: middle, y: TOP + HEIGHT + 18 }, "share of the rows →");
  return [...bars, ...ticks, words];
}

const sumAt = (row, places) => places.reduce((total, place) => total + row[place], 0);

/** The cuts: lines with a grip, which keys move and remove as well. */
function cutSliders(attribute, scale) {
  const texts = attribute.cutTexts();
  let taken = -Infinity;
  return attribute.cuts.map((cut, place) => {
    const x = scale.at(cut);
    const half = (texts[place].length * LABEL_WIDTH) / 2 + 3;
    const isCrowded = x - half < taken;
    if (!isCrowded) taken = x + half;
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
      draw("rect", { class: "reach", x: x - 11, y: TOP - 16, width: 22, height: HEIGHT + 16 }),
      draw("path", { class: "cut-line", d: `M${x} ${TOP - 2}V${TOP + HEIGHT}` }),
      draw("rect", { class: "grip", x: x - 6, y: TOP - 15, width: 12, height: 16, rx: 4 }),
      draw("path", { class: "ribs", d: `M${x - 2} ${TOP - 11}v8M${x + 2} ${TOP - 11}v8` }),
      draw("text", { class: `cut-label${isCrowded ? " crowded" : ""}`, x, y: TOP - 20 }, texts[place]),
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

/** Return the names of the classes with their colours. */
export function legend(groups) {
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
  return list;
}
