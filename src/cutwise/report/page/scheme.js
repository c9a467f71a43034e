// The scheme file: attributes without edits as they came, edited ones written anew.

import { exactNumber, quoted } from "./numbers.js";

/** Return the scheme with all edits, as the library would write it. */
export function schemeText(page, attributes) {
  const parts = attributes.map((attribute) => (attribute.isChanged ? attributeText(attribute) : attribute.data.json));
  return `${page.head}${parts.join(",")}]}\n`;
}

function attributeText(attribute) {
  const { source } = attribute;
  const now = attribute.judge();
  const fields = {
    name: quoted(source.name),
    kind: quoted(source.kind),
    ...(attribute.groups ? groupFields(attribute) : cutFields(attribute)),
    edited: "true",
    score: exactNumber(now.score ?? source.score),
    relevance: exactNumber(now.relevance),
    divergence: exactNumber(now.divergence ?? source.divergence),
    stop: quoted(source.stop),
    class_counts: list(attribute.bins(), (row) => list(row, countText)),
    missing_by_class: list(source.missing_by_class, countText),
  };
  return `{${Object.entries(fields)
    .map(([key, text]) => `"${key}":${text}`)
    .join(",")}}`;
}

/** Return the categories, in groups if some share a bin. */
function groupFields({ groups, texts, data }) {
  const { literals } = data.categories;
  const write = (one) => literals?.[one] ?? quoted(texts[one]);
  if (groups.every((group) => group.length === 1)) return { categories: list(groups.flat(), write) };
  return { groups: list(groups, (group) => list(group, write)) };
}

function cutFields({ source, cuts }) {
  return {
    cuts: list(cuts, exactNumber),
    special_values: list(source.special_values, exactNumber),
    minimum: optional(source.minimum),
    maximum: optional(source.maximum),
    n_values: String(source.n_values),
    n_candidates: String(source.n_candidates),
    steps: list(source.steps, (step) => list(step, exactNumber)),
    refused: source.refused === null ? "null" : list(source.refused, exactNumber),
    ...(source.refused_p_value ? { refused_p_value: exactNumber(source.refused_p_value) } : {}),
    ...limited(source),
  };
}

function limited({ trend, trend_costs: costs, stopped_by: limits }) {
  const written = Object.entries(costs ?? {}).map(([key, cost]) => `${quoted(key)}:${exactNumber(cost)}`);
  return {
    ...(trend ? { trend: quoted(trend) } : {}),
    ...(costs ? { trend_costs: `{${written.join(",")}}` } : {}),
    ...(limits ? { stopped_by: list(limits, quoted) } : {}),
  };
}

const list = (items, write) => `[${items.map(write).join(",")}]`;
const optional = (number) => (number === null ? "null" : exactNumber(number));
const countText = (count) => (Number.isInteger(count) ? String(count) : exactNumber(count));
