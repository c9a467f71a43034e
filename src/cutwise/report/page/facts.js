// The scores of an attribute, and what edits changed in them.

import { make } from "./elements.js";
import { chanceText, grouped, rowsText, shortNumber, signed } from "./numbers.js";

/** Return the scores, with the change since the search where there is one. */
export function factNodes(attribute) {
  const { page, before, source } = attribute;
  const now = attribute.judge();
  const about = now.value === null ? [] : [["IV", "value"], ["Gini", "gini"], ["KS", "ks"]];
  const rows = [
    ...about.map(([name, key]) => [name, now[key], before[key], ""]),
    ["Relevance I", now.relevance, before.relevance, " bits"],
  ];
  if (page.psi && page.psi.validation !== "none") rows.push(["Divergence J", now.divergence, before.divergence, ""]);
  if (page.criterion !== "relevance") rows.push([page.criterion, now.score, before.score, ""]);
  const facts = rows.map(([name, value, old, unit]) =>
    fact(name, value === null ? unknown(old) : `${value.toFixed(4)}${unit}`, change(value, old)),
  );
  if (now.trend) facts.splice(about.length, 0, fact("Trend", now.trend, trendNote(now.trend, before.trend)));
  const { now: after, before: found, noun } = attribute.tally;
  const many = `${noun[0].toUpperCase()}${noun.slice(1)}s`;
  facts.push(fact(many, String(after), change(after, found, 0)));
  if ((source.minimum ?? null) !== null)
    facts.push(
      fact(
        "Values",
        `${rangeText(source.minimum, source.maximum)}, ${rowsText(source.n_values)} distinct`,
        null,
      ),
    );
  if (attribute.isTested && !attribute.isChanged) facts.push(fact("How sure", sureText(source), null));
  if (attribute.isEdited) facts.push(fact("Edited", "by hand", null));
  return facts;
}

/** Return the largest p-value, and for cuts how much of the relevance new rows will not show. */
function sureText({ p_values: chances, expected_losses: losses }) {
  const largest = `p at most ${chanceText(Math.max(...chances))}`;
  if (!losses) return largest;
  const loss = losses.reduce((sum, one) => sum + one, 0).toFixed(4);
  return `${largest}; about ${loss} bits less on new rows`;
}

/** Return the ends of the values in few digits, as many as it takes to tell them apart. */
function rangeText(low, high) {
  const middle = low / 2 + high / 2;
  return grouped(`${shortNumber(low, (short) => short < middle)} to ${shortNumber(high, (short) => short > middle)}`);
}

const trendNote = (now, before) => (now === before ? null : make("span", { class: "change" }, ` was ${before}`));

const unknown = (before) => (before === null ? "-" : "not known after edits");

function fact(name, value, note) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value, note));
}

function change(now, before, digits = 4) {
  if (now === null || before === null || Number((now - before).toFixed(digits)) === 0) return null;
  return make("span", { class: "change" }, ` ${signed(now - before, digits)}`);
}
