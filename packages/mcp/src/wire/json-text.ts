/** The maximum depth of nesting. A deeper text is nothing that people write, and other readers may not read it. */
const maxDepth = 500;

/** The number of keys up to which a list is faster than a set. */
const fewKeys = 16;

/**
 * Whether all readers find the same in a JSON text: no object in it has the same key twice, of which some readers take the first and some the
 * last. The text must be valid JSON, so only texts, brackets and commas are looked at.
 */
export function isUnambiguous(text: string): boolean {
  // The keys of the objects around the present place. Undefined for a list.
  const around: (Keys | undefined)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfText(text, at);
        if (isKeyNext && !around.at(-1)!.add(readKey(text.slice(at, end + 1)))) return false;
        isKeyNext = false;
        at = end;
        break;
      }
      case 0x2c:
        isKeyNext = around.at(-1) !== undefined;
        break;
      case 0x7b:
        around.push(new Keys());
        isKeyNext = true;
        break;
      case 0x5b:
        around.push(undefined);
        isKeyNext = false;
        break;
      case 0x7d:
      case 0x5d:
        around.pop();
        isKeyNext = false;
        break;
    }
    if (around.length > maxDepth) return false;
  }
  return true;
}

/** The number of significant digits that every number of JavaScript keeps. */
const keptDigits = 15;

/**
 * Whether JavaScript surely reads every number in a JSON text with its exact value. The text must be valid JSON. Some numbers with more digits
 * would be exact, too, but then the text that JavaScript writes has the same value.
 */
export function hasExactNumbers(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfText(text, at);
    } else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      if (!isExact(text.slice(at, end))) return false;
      at = end - 1;
    }
  }
  return true;
}

/** Whether a number without its sign is exact. Beyond 1e±300, numbers become infinite or zero, or lose digits. */
function isExact(number: string): boolean {
  let digits = 0;
  for (let at = 0; at < number.length && (number.charCodeAt(at) | 0x20) !== 0x65; at += 1) {
    const code = number.charCodeAt(at);
    if (isDigit(code) && (digits > 0 || code !== 0x30)) digits += 1;
  }
  if (digits === 0) return true;
  const value = Number(number);
  return digits <= keptDigits && value > 1e-300 && value < 1e300;
}

function endOfNumber(text: string, from: number): number {
  let end = from;
  while (end < text.length && '0123456789.eE+-'.includes(text.charAt(end))) end += 1;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * Returns the text of the value at a path of keys. Undefined if there is none. The text must be valid JSON in which no key occurs twice, and
 * the keys must need no escapes.
 */
export function textAt(text: string, path: readonly string[]): string | undefined {
  let at = skipSpace(text, 0);
  for (const key of path) {
    const next = findField(text, at, key);
    if (next === undefined) return undefined;
    at = next;
  }
  return text.slice(at, endOfValue(text, at));
}

/** Returns the place of the value of a field in the object that begins at `from`. */
function findField(text: string, from: number, wanted: string): number | undefined {
  if (text[from] !== '{') return undefined;
  for (let at = skipSpace(text, from + 1); text[at] === '"'; at = skipSpace(text, at + 1)) {
    const end = endOfText(text, at);
    const isWanted = readKey(text.slice(at, end + 1)) === wanted;
    // After the colon.
    const value = skipSpace(text, skipSpace(text, end + 1) + 1);
    if (isWanted) return value;
    at = skipSpace(text, endOfValue(text, value));
  }
  return undefined;
}

/** Returns the place behind the value that begins at `from`. */
function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfText(text, from) + 1;
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfText(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      // The bracket is one of the object around a number.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (character === ',' || isSpace(character))) return at;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charAt(at))) at += 1;
  return at;
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

/** Returns the place of the quote that ends the text that begins at `from`. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}

function readKey(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** The keys of one object. */
class Keys {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** Returns whether the key is new. */
  add(key: string): boolean {
    if (this.#many !== undefined) return this.#many.size < this.#many.add(key).size;
    if (this.#few.includes(key)) return false;
    this.#few.push(key);
    if (this.#few.length > fewKeys) this.#many = new Set(this.#few);
    return true;
  }
}
