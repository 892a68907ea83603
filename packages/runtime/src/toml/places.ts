type Path = readonly (string | number)[];

/**
 * Returns a function that finds the offset of a value in a valid TOML document: the start of its table header, its key, or its place
 * in an array. For a missing value it returns the offset of the nearest parent that exists, or 0.
 *
 * The parser does not return positions. A parser with positions was rejected: it needs seconds for a file of half a megabyte.
 */
export function tomlPlaces(text: string): (path: Path) => number {
  const offsets = new Scanner(text).scan();
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = offsets.get(JSON.stringify(path.slice(0, length)));
      if (offset !== undefined) return offset;
    }
    return 0;
  };
}

/** A table of a document: its header and its keys. */
export interface TomlTable {
  readonly path: Path;
  /** The offset of the header. */
  readonly start: number;
  /** The offset after the line of the last key. What is between two tables belongs to none. */
  readonly end: number;
}

/** Returns the tables of a valid TOML document that have a header, in their order. */
export function tomlTables(text: string): readonly TomlTable[] {
  const scanner = new Scanner(text);
  scanner.scan();
  return scanner.tables.map((table) => {
    const lineEnd = text.indexOf('\n', table.end);
    return { ...table, end: lineEnd < 0 ? text.length : lineEnd + 1 };
  });
}

/**
 * The maximum length of a path. Settings are not nested more deeply. Without a limit, a key with thousands of dots would take quadratic
 * time.
 */
const maxDepth = 32;

const blank = /[ \t\r\n]*(?:#[^\n]*[ \t\r\n]*)*/y;
const space = /[ \t]*/y;
const bareKey = /[\w-]+/y;
const quoted = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'/y;
const longText = /"""[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"{3,5}|'''[^']*(?:'(?!'')[^']*)*'{3,5}/y;
const scalar = /[^\s,\]}#]+(?: [^\s,\]}#]+)?/y;

/** Reads a document from start to end, and notes where each value begins. */
class Scanner {
  readonly #text: string;
  readonly #offsets = new Map<string, number>();
  readonly tables: { readonly path: Path; readonly start: number; end: number }[] = [];
  /** The number of tables so far in each array of tables. */
  readonly #counts = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): ReadonlyMap<string, number> {
    let table: Path = [];
    for (;;) {
      this.#take(blank);
      const start = this.#at;
      if (start >= this.#text.length) return this.#offsets;
      if (this.#text[start] === '[') {
        table = this.#header();
        this.#note(table, start);
        this.tables.push({ path: table, start, end: this.#at });
      } else {
        this.#pair(table);
        const last = this.tables.at(-1);
        if (last !== undefined) last.end = this.#at;
      }
      // A valid document always advances. Any other text must not lead to an endless loop.
      if (this.#at === start) return this.#offsets;
    }
  }

  #header(): Path {
    const isArray = this.#text.startsWith('[[', this.#at);
    this.#at += isArray ? 2 : 1;
    const keys = this.#keys();
    this.#at += isArray ? 2 : 1;
    const path: (string | number)[] = [];
    for (const [index, key] of keys.entries()) {
      path.push(key);
      const place = JSON.stringify(path);
      const isNew = isArray && index === keys.length - 1;
      const count = (this.#counts.get(place) ?? 0) + (isNew ? 1 : 0);
      if (isNew) this.#counts.set(place, count);
      if (count > 0) path.push(count - 1);
    }
    return path;
  }

  #pair(table: Path): void {
    const start = this.#at;
    const keys = this.#keys();
    const path = [...table, ...keys].slice(0, maxDepth);
    for (let length = table.length + 1; length <= path.length; length += 1) this.#note(path.slice(0, length), start);
    if (this.#text[this.#at] !== '=') return;
    this.#at += 1;
    this.#take(space);
    this.#value(path);
  }

  /** Reads keys with dots between them, and the white space after them. */
  #keys(): string[] {
    const keys: string[] = [];
    for (;;) {
      this.#take(space);
      const text = this.#take(quoted);
      const key = text === '' ? this.#take(bareKey) : unquote(text);
      if (text === '' && key === '') return keys;
      if (keys.length < maxDepth) keys.push(key);
      this.#take(space);
      if (this.#text[this.#at] !== '.') return keys;
      this.#at += 1;
    }
  }

  #value(path: Path): void {
    switch (this.#text[this.#at]) {
      case '[':
        this.#items(']', (index) => this.#value(path.length < maxDepth ? [...path, index] : path), path);
        break;
      case '{':
        this.#items('}', () => this.#pair(path));
        break;
      default:
        if (this.#take(longText) === '' && this.#take(quoted) === '') this.#take(scalar);
    }
  }

  #items(end: ']' | '}', read: (index: number) => void, list?: Path): void {
    this.#at += 1;
    for (let index = 0; ; index += 1) {
      this.#take(blank);
      const start = this.#at;
      if (this.#text[start] === end) break;
      if (list !== undefined && list.length < maxDepth) this.#note([...list, index], start);
      read(index);
      this.#take(blank);
      if (this.#text[this.#at] === ',') this.#at += 1;
      if (this.#at === start) return;
    }
    this.#at += 1;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += taken.length;
    return taken;
  }

  #note(path: Path, offset: number): void {
    const key = JSON.stringify(path);
    if (!this.#offsets.has(key)) this.#offsets.set(key, offset);
  }
}

function unquote(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    // An escape that only TOML has. Such a key is not found, and its parent is used.
    return text;
  }
}
