import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { hasFields } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';

/** Directories that are replaced by placeholders, so that a recording means the same on another machine. */
export interface Roots {
  /** The project directory. @default none */
  readonly project?: string | undefined;
  /** @default the home directory of the user */
  readonly home?: string | undefined;
  /** @default the directory of the system for temporary files */
  readonly tmp?: string | undefined;
}

/** Names of secrets with their values. */
export type Secrets = Readonly<Record<string, string>>;

/** Values with the placeholders for them, as plain data, which can be passed to another thread. */
export interface PlaceholderTable {
  readonly roots: readonly (readonly [name: string, path: string])[];
  readonly secrets: readonly (readonly [name: string, value: string])[];
}

const leastSecret = 8;

/**
 * Returns the values that have placeholders. Throws a TypeError for a root that is not a path, for a secret that is too short, and for a value
 * whose secrets would be ignored, such as a `Map`.
 */
export function createPlaceholderTable(roots: Roots = {}, secrets: Secrets = {}): PlaceholderTable {
  if (!hasFields(roots)) throw new TypeError(`roots must be an object such as { project: "/srv/app" }, and is ${describeValue(roots)}.`);
  if (!hasFields(secrets)) throw new TypeError('secrets must be an object of names with their values, and is not.');
  const given = { home: homedir(), tmp: tmpdir(), ...roots };
  for (const [name, path] of Object.entries(given)) {
    if (!['project', 'home', 'tmp'].includes(name))
      throw new TypeError(`roots has no field "${name}". Its fields are project, home and tmp.`);
    if (path !== undefined && typeof path !== 'string') throw new TypeError(`roots.${name} must be a path, and is ${describeValue(path)}.`);
  }
  for (const [name, value] of Object.entries(secrets)) {
    if (!/^[A-Za-z]\w*$/.test(name)) throw new TypeError(`The secret "${name}" must have a name of letters, digits and "_".`);
    if (typeof value !== 'string' || value.length < leastSecret) {
      throw new TypeError(`The value of the secret "${name}" must be a text of at least ${leastSecret} characters.`);
    }
  }
  const paths = (['project', 'home', 'tmp'] as const).flatMap((name) => pathsOf(given[name]).map((path) => [name, path] as const));
  return { roots: paths, secrets: Object.entries(secrets) };
}

/** A path and, if it contains a symbolic link, its real path: hooks print either. The given path comes first, and is filled in on replay. */
function pathsOf(given: string | undefined): string[] {
  const path = given?.replace(/(?<=.)[/\\]+$/, '');
  // "/" and "C:" are parts of every path.
  if (path === undefined || path.length < 3) return [];
  try {
    return [...new Set([path, realpathSync(path)])].filter((one) => one.length >= 3);
  } catch {
    return [path];
  }
}

/** The names for the header of a recording. */
export function placeholderNames({ roots, secrets }: PlaceholderTable): string[] {
  return [...new Set([...roots.map(([name]) => name), ...secrets.map(([name]) => `secret:${name}`)])];
}

/**
 * The forms in which a text may contain a secret, by the number in their placeholder: as it is (0), in JSON (1), in JSON within JSON (2), in
 * JSON whose slashes are escaped, as PHP writes it (3), in a URL as JavaScript writes it (4), in a URL by RFC 3986 (5), in a form (6), and these
 * three with digits in lower case (7 to 9). Several forms may be equal.
 */
function formsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const url = inUrl(value);
  const strict = url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const urls = [url, strict, new URLSearchParams([['', value]]).toString().slice(1)];
  const lower = urls.map((text) => text.replace(/%[\dA-F]{2}/g, (digits) => digits.toLowerCase()));
  return [value, inJson, JSON.stringify(inJson).slice(1, -1), inJson.replaceAll('/', '\\/'), ...urls, ...lower];
}

function inUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a surrogate pair has no form in a URL.
    return value;
  }
}

function placeholderOf(name: string, form: number): string {
  return `secret:${name}${form === 0 ? '' : `#${form}`}`;
}

/**
 * Returns a function that replaces roots and secrets in a text by placeholders, and writes each `⟦` of the text twice. `⟦secret:NAME#1⟧` is
 * another form of the value.
 */
export function createEncoder({ roots, secrets }: PlaceholderTable): (text: string) => string {
  const placeholders = new Map<string, string>();
  const forms: { readonly value: string; readonly pattern: string }[] = [];
  for (const [name, value] of secrets) {
    for (const [number, form] of formsOf(value).entries()) {
      if (placeholders.has(form)) continue;
      placeholders.set(form, `⟦${placeholderOf(name, number)}⟧`);
      forms.push({ value: form, pattern: escapePattern(form) });
    }
  }
  for (const [name, path] of roots) {
    if (placeholders.has(path)) continue;
    placeholders.set(path, `⟦${name}⟧`);
    // At path boundaries only. The path may follow the letter of an option: -I/home/me/include.
    const pattern = `(?=${escapePattern(path)})(?:(?<![\\w.~])|(?<=(?:^|[\\s"'])-[A-Za-z]))${escapePattern(path)}(?![\\w-]|\\.\\w)`;
    forms.push({ value: path, pattern });
  }
  // The longest first, so that a project inside of the home directory is the project.
  forms.sort((a, b) => b.value.length - a.value.length);
  // The character comes last, because a secret may begin with it.
  const pattern = new RegExp([...forms.map((form) => form.pattern), '⟦'].join('|'), 'g');
  const searched = ['⟦', ...placeholders.keys()];
  return (text) => {
    // Most texts contain none of the values, and this is much faster than the pattern.
    if (!searched.some((value) => text.includes(value))) return text;
    return text.replace(pattern, (found) => (found === '⟦' ? '⟦⟦' : (placeholders.get(found) as string)));
  };
}

/** Placeholders whose values are unknown, in the order of their appearance. */
export type MissingValues = Set<string>;

/** Returns a function that fills values in again. A placeholder whose value is unknown stays, and is added to `missing`. */
export function createDecoder({ roots, secrets }: PlaceholderTable, missing: MissingValues): (text: string) => string {
  const values = new Map<string, string>();
  for (const [name, path] of roots) if (!values.has(name)) values.set(name, path);
  for (const [name, value] of secrets) {
    // All of them, because the value of another machine may need fewer forms.
    for (const [number, form] of formsOf(value).entries()) values.set(placeholderOf(name, number), form);
  }
  return (text) =>
    text.replace(/⟦(?:⟦|(project|home|tmp|secret:[A-Za-z]\w*(?:#\d)?)⟧)/g, (found, name: string | undefined) => {
      if (name === undefined) return '⟦';
      const value = values.get(name);
      if (value === undefined) missing.add(name.replace(/#\d$/, ''));
      return value ?? found;
    });
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
