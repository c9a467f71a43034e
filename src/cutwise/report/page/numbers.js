// Numbers and texts, for people and for the scheme file.

/** Return a number as the scheme file writes it: shortest digits, always a point or an exponent. */
export function exactNumber(number) {
  if (number === 0) return Object.is(number, -0) ? "-0.0" : "0.0";
  const [mantissa, power] = Math.abs(number).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  const sign = number < 0 ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    const point = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${sign}${point}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/** Return a number in its shortest exact form, without a trailing ".0". */
export function numberText(number) {
  return exactNumber(number).replace(/\.0$/, "");
}

/** Return numbers, or an interval of them, with separators of thousands if one has five digits or more. */
export function grouped(text, isLong = /(?<![\d.,])\d{5,}/.test(text)) {
  if (!isLong) return text;
  const found = text.replace(/(?<![\d.,])\d{4,}(?!\d)/g, (digits) => BigInt(digits).toLocaleString("en-US"));
  return found.replaceAll(", ", "; ");
}

/** Return the numbers of an axis in their shortest exact forms, all with separators of thousands or none. */
export function axisTexts(numbers) {
  const isLong = numbers.some((number) => Math.abs(number) >= 1e4);
  return numbers.map((number) => grouped(numberText(number), isLong));
}

/** Return the number that a person typed, with or without separators of thousands; NaN if it is none. */
export function typedNumber(text) {
  const plain = text.trim();
  const isGrouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain);
  return plain === "" ? NaN : Number(isGrouped ? plain.replaceAll(",", "") : plain);
}

/** Return a text in quotes, in plain ASCII. */
export function quoted(text) {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Return a number in at least six digits, as many as it takes for the text to stand for it. */
export function shortNumber(number, standsFor) {
  for (let digits = 6; digits < 17; digits += 1) {
    const short = Number(number.toPrecision(digits));
    if (standsFor(short)) return numberText(short);
  }
  return numberText(number);
}

export function intervalLabel(low, high) {
  return intervalText(low === null ? null : numberText(low), high === null ? null : numberText(high));
}

/** Return an interval whose ends are texts already. */
export function intervalText(low, high) {
  return `(${low ?? "-inf"}, ${high ?? "inf"}${high === null ? ")" : "]"}`;
}

export function rowsText(rows) {
  const shown = Number.isInteger(rows) ? rows : Number(rows.toPrecision(6));
  return shown.toLocaleString("en-US", { maximumFractionDigits: 6 });
}

export function counted(number, noun) {
  const plural = noun.endsWith("s") ? `${noun}es` : `${noun}s`;
  return `${rowsText(number)} ${number === 1 ? noun : plural}`;
}

export function percent(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)}%` : "-";
}

/** Return a number with its sign, or 0 without one. */
export function signed(number, digits) {
  const text = Math.abs(number).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${number < 0 ? "-" : "+"}${text}`;
}

/** Return a p-value in few digits; the smallest ones are not told apart. */
export function chanceText(chance) {
  return chance <= 1e-15 ? "<1e-15" : String(Number(chance.toPrecision(2)));
}
