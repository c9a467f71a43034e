// One attribute of categories: which of them share a bin, and what a set of groups is worth. Groups are lists of places
// among the categories, ascending; the place of a group is its code.

import { EditableAttribute, weigh } from "./attribute.js";
import { rowsText } from "./numbers.js";

// Of a group of more categories, its label names so many.
const MOST_NAMED = 5;
const LONGEST = 40;

export class GroupedAttribute extends EditableAttribute {
  constructor(data, index, page) {
    super(data, index, page);
    const named = this.source.groups ?? this.source.categories.map((one) => [one]);
    this.texts = named.flat().map((one) => (typeof one === "boolean" ? (one ? "True" : "False") : String(one)));
    let next = 0;
    this.original = named.map((group) => group.map(() => next++));
    this.groups = this.original;
    this.sums = new WeakMap();
    this.sorted = new WeakMap();
  }

  get chosen() {
    return this.groups;
  }

  set chosen(groups) {
    this.groups = groups;
  }

  get tally() {
    return { now: this.groups.length, before: this.original.length, noun: "group" };
  }

  get hasCounts() {
    return true;
  }

  get isChanged() {
    const isSame = (group, code) => group === this.original[code] || String(group) === String(this.original[code]);
    return this.groups.length !== this.original.length || !this.groups.every(isSame);
  }

  /** Return the text of a category, the middle of a long one left out. */
  nameOf(category) {
    const text = this.texts[category];
    return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}…${text.slice(1 - LONGEST / 2)}`;
  }

  /** Return the text of a group, as the library labels it. */
  groupName(code, groups = this.groups) {
    const group = groups[code];
    if (group.length === 1) return this.nameOf(group[0]);
    const more = group.length > MOST_NAMED ? [`… ${rowsText(group.length - MOST_NAMED)} more`] : [];
    return `{${[...group.slice(0, MOST_NAMED).map((one) => this.nameOf(one)), ...more].join(", ")}}`;
  }

  /** Return the counts of a category by class and then by part, in the unit of the counts. */
  countsOf(category) {
    const { rows, row_of: rowOf } = this.data.categories;
    return rows[rowOf[category]];
  }

  /** Return the rows of a category by class. */
  rowsOf(category) {
    return this.countsOf(category)
      .slice(0, this.page.classes.length)
      .map((count) => weigh(count, this.data.unit));
  }

  /** Return the counts of a group by class and part; of a group that stays they are added up once. */
  sumsOf(group) {
    if (!this.sums.has(group)) {
      const total = this.countsOf(group[0]).map(() => 0);
      for (const category of group) this.countsOf(category).forEach((count, k) => (total[k] += count));
      this.sums.set(group, total);
    }
    return this.sums.get(group);
  }

  intervals(groups = this.groups) {
    return groups.map((group) => this.sumsOf(group).slice(0, this.page.classes.length));
  }

  partsOf(groups) {
    if (!this.data.categories.has_parts) return null;
    return groups.map((group) => this.sumsOf(group).slice(this.page.classes.length));
  }

  bins(groups = this.groups) {
    return this.intervals(groups).map((row) => row.map((count) => weigh(count, this.data.unit)));
  }

  /** Return the codes in the order of the rate of the event, the highest first; without an event as they are. */
  order() {
    const { event } = this.page;
    const codes = [...this.groups.keys()];
    if (event === null) return codes;
    const rates = this.intervals().map((row) => {
      const rows = row.reduce((total, count) => total + count, 0);
      return rows > 0 ? row[event] / rows : -1;
    });
    return codes.sort((one, other) => rates[other] - rates[one]);
  }

  /** Return the categories of a group, those with the most rows first. */
  bySize(group) {
    if (!this.sorted.has(group)) {
      const size = (category) => this.rowsOf(category).reduce((total, count) => total + count, 0);
      const sizes = new Map(group.map((category) => [category, size(category)]));
      this.sorted.set(group, group.toSorted((one, other) => sizes.get(other) - sizes.get(one)));
    }
    return this.sorted.get(group);
  }

  /** Return the categories of each group whose texts hold what is typed. */
  search(typed) {
    const wanted = typed.trim().toLocaleLowerCase();
    if (!wanted) return this.groups.map((group) => this.bySize(group));
    this.lowered ??= this.texts.map((text) => text.toLocaleLowerCase());
    return this.groups.map((group) => this.bySize(group).filter((one) => this.lowered[one].includes(wanted)));
  }
}

/** Move categories to a group, or with null to a new one, the last; groups without categories go. */
export function moveCategories(attribute, members, target) {
  const { groups } = attribute;
  const moved = new Set(members);
  const left = groups.map((group, code) => {
    if (code === target) return group;
    const rest = group.filter((one) => !moved.has(one));
    return rest.length === group.length ? group : rest;
  });
  const isWhole = left.some((group, code) => group.length === 0 && groups[code].length === moved.size);
  if (target === null && isWhole) return { error: `${whatMoves(attribute, members)}: this is a group of its own already.` };
  const there = target === null ? [] : groups[target];
  const added = members.filter((one) => !there.includes(one));
  if (added.length === 0) return { chosen: groups, words: "" };
  const joined = [...there, ...added].sort((one, other) => one - other);
  if (target === null) left.push(joined);
  else left[target] = joined;
  const where = target === null ? "a new group" : `group ${target}, ${attribute.groupName(target)}`;
  const words = `${whatMoves(attribute, added)} of ${attribute.label} moved to ${where}`;
  return { chosen: left.filter((group) => group.length > 0), words };
}

function whatMoves(attribute, members) {
  if (members.length === 1) return `“${attribute.nameOf(members[0])}”`;
  return `${rowsText(members.length)} categories`;
}
