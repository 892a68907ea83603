import { existsSync } from 'node:fs';
import { getMaxSettingsBytes } from '@tenterhook/engine/internal';
import type { Diagnostic, SettingsDocument } from '@tenterhook/protocol';
import { type Node, type ParseError, parseTree } from '@tenterhook/runtime/jsonc';
import { describeThrown } from '@tenterhook/runtime/text';
import { readToml, tomlPlaces } from '@tenterhook/runtime/toml';
import { describeOtherFormat, describeSyntaxError } from './describe-syntax-error.js';
import { type FileOwners, unreadFile } from './file-owners.js';
import { readRegularFile } from './read-regular-file.js';

/**
 * The result of reading a settings file: the document, or why it could not be read. `missing` is not a problem for a file that the user did
 * not name.
 */
export type ReadDocument =
  | { readonly state: 'read'; readonly document: SettingsDocument; readonly diagnostics: readonly Diagnostic[] }
  | { readonly state: 'missing' }
  | { readonly state: 'broken'; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads JSON with comments and trailing commas (decision 24), or TOML. `required` is true if the user named the file; a missing file is then an
 * error. A file that `owners` refuses is not opened.
 */
export async function readDocument(file: string, source: string, required: boolean, owners?: FileOwners): Promise<ReadDocument> {
  let text: string;
  try {
    // The owners of directories do not matter if the file does not exist.
    const refusal = owners !== undefined && existsSync(file) ? owners.refuseToRead(file, source) : undefined;
    if (refusal !== undefined) return { state: 'broken', diagnostics: [unreadFile(refusal, file, source)] };
    const read = await readRegularFile(file, getMaxSettingsBytes(source));
    if ('problem' in read) {
      const remedy = required && read.isDirectory ? 'Pass a file in it, such as settings.json.' : read.remedy;
      return broken({ code: 'unreadable_file', message: read.problem, remedy }, file, source);
    }
    text = read.text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !required) return { state: 'missing' };
    const what = code === 'ENOENT' ? 'The settings file does not exist.' : `The settings file cannot be read: ${message}.`;
    return broken({ code: 'unreadable_file', message: what, remedy: 'Check the path and its permissions.' }, file, source);
  }
  try {
    return documentOfText(text.replace(/^\uFEFF/, ''), file, source);
  } catch (error) {
    // The settings are nested so deeply that reading them overflowed the stack.
    const message = `The settings file cannot be read: ${describeThrown(error)}.`;
    return broken({ code: 'invalid_json', message, remedy: 'Nest it less deeply.' }, file, source);
  }
}

/** Wraps settings that were passed as an object. They have no file and no lines. */
export function toDocument(value: unknown, source: string): SettingsDocument {
  return { source, value, locate: () => undefined };
}

const empty = { what: 'it is empty', remedy: 'Write {} for settings without hooks, or remove the file.' };

/**
 * Parses a text that was read from a file, or will be written to one. A file whose name ends with `.toml` is TOML. Any other file is
 * JSON with comments and trailing commas.
 */
export function documentOfText(text: string, file: string, source: string): ReadDocument {
  return file.endsWith('.toml') ? tomlDocument(text, file, source) : jsonDocument(text, file, source);
}

function tomlDocument(text: string, file: string, source: string): ReadDocument {
  const read = readToml(text);
  if (!read.ok) {
    const { message, ...at } = read.error;
    const remedy = 'Correct the syntax.';
    return broken({ code: 'invalid_json', message: `The settings file is not valid TOML: ${message}.`, remedy, ...at }, file, source);
  }
  // Found only when a place is needed, because most of such a file is not about hooks.
  let offsetOf: ReturnType<typeof tomlPlaces> | undefined;
  const place = placesIn(text);
  const locate: SettingsDocument['locate'] = (path) => {
    offsetOf ??= tomlPlaces(text);
    return place(offsetOf(path));
  };
  return { state: 'read', document: { source, file, text, value: read.value, locate }, diagnostics: [] };
}

function jsonDocument(text: string, file: string, source: string): ReadDocument {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const place = placesIn(text);
  const first = errors[0];
  const otherFormat = first === undefined ? undefined : describeOtherFormat(text);
  if (otherFormat !== undefined) {
    return broken(
      {
        code: 'invalid_json',
        message: `The settings file is not valid JSON: ${otherFormat.what}.`,
        remedy: otherFormat.remedy,
        line: 1,
        column: 1,
      },
      file,
      source,
    );
  }
  if (tree === undefined || first !== undefined) {
    const offset = first?.offset ?? text.length;
    const at = place(offset);
    const isEmpty = first === undefined || (tree === undefined && offset === text.length);
    const { what, remedy } = isEmpty ? empty : describeSyntaxError(first, text, (index) => place(index).line);
    return broken({ code: 'invalid_json', message: `The settings file is not valid JSON: ${what}.`, remedy, ...at }, file, source);
  }
  const document: SettingsDocument = {
    source,
    file,
    text,
    value: valueOfNode(tree),
    locate: (path) => place(nearestNode(tree, path).offset),
  };
  return { state: 'read', document, diagnostics: duplicateKeys(tree, place, file, source) };
}

/** Adds to the diagnostics of a broken file that its last valid content is used. */
export function markAsKept(diagnostics: readonly Diagnostic[], whose = 'Its'): Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, message: `${diagnostic.message} ${whose} last good state stays in use.` }));
}

/** Returns the node at a path. If it does not exist, returns the nearest existing parent, because a missing field is reported there. */
function nearestNode(tree: Node, path: readonly (string | number)[]): Node {
  let node = tree;
  for (const step of path) {
    const child = childOf(node, step);
    if (child === undefined) return node;
    node = child;
  }
  return node;
}

/**
 * The values of each object by key. The last value of a duplicate key is used, as in JSON.parse. Each map is created once, because
 * searching all keys for each path would take quadratic time.
 */
const valuesByKey = new WeakMap<Node, ReadonlyMap<unknown, Node | undefined>>();

/**
 * Returns the child of a node. `findNodeAtLocation` of jsonc-parser was rejected: it returns the first of duplicate keys, and searches all
 * keys each time.
 */
function childOf(node: Node, step: string | number): Node | undefined {
  const { type, children = [] } = node;
  if (type === 'array') return typeof step === 'number' ? children[step] : undefined;
  if (type !== 'object') return undefined;
  let values = valuesByKey.get(node);
  if (values === undefined) {
    values = new Map(children.map(({ children: [key, value] = [] }) => [key?.value, value]));
    valuesByKey.set(node, values);
  }
  return values.get(step);
}

/** Creates the value of a node. `getNodeValue` of jsonc-parser was rejected: it would use a `__proto__` key of a file as the prototype. */
function valueOfNode(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOfNode);
  if (node.type !== 'object') return node.value;
  const value: Record<string, unknown> = {};
  for (const property of node.children ?? []) {
    const [key, child] = property.children ?? [];
    if (key === undefined || child === undefined) continue;
    const name = key.value as string;
    // Defining a property takes many times as long as setting it, so only this key is defined.
    if (name === '__proto__')
      Object.defineProperty(value, name, { value: valueOfNode(child), enumerable: true, writable: true, configurable: true });
    else value[name] = valueOfNode(child);
  }
  return value;
}

/** The maximum number of duplicate keys that are reported one by one. */
const shownDuplicates = 100;

type Place = (offset: number) => { line: number; column: number };

/** Reports duplicate keys. Only the last value of a key is used, so the hooks in an earlier value would be lost silently. */
function duplicateKeys(tree: Node, place: Place, file: string, source: string): Diagnostic[] {
  const found: { readonly key: Node; readonly earlier: number }[] = [];
  findDuplicates(tree, found);
  const shared = { code: 'duplicate_key', severity: 'error', remedy: 'Merge them into one.', file, source } as const;
  const shown = found.slice(0, shownDuplicates).map(({ key, earlier }): Diagnostic => {
    const message = `The key "${key.value}" is on line ${place(earlier).line} and again here; only the last one is used.`;
    return { ...shared, message, ...place(key.offset) };
  });
  const [next] = found.slice(shownDuplicates);
  if (next === undefined) return shown;
  const message = `${found.length - shownDuplicates} more keys are duplicates, here and below; only the last value of each is used.`;
  return [...shown, { ...shared, message, ...place(next.key.offset) }];
}

function findDuplicates(node: Node, found: { readonly key: Node; readonly earlier: number }[]): void {
  const seen = new Map<string, number>();
  for (const child of node.children ?? []) {
    const key = node.type === 'object' ? child.children?.[0] : undefined;
    const earlier = key === undefined ? undefined : seen.get(key.value as string);
    if (key !== undefined && earlier !== undefined) found.push({ key, earlier });
    if (key !== undefined) seen.set(key.value as string, key.offset);
    const value = node.type === 'object' ? child.children?.[1] : child;
    if (value !== undefined) findDuplicates(value, found);
  }
}

/** Returns a function that converts offsets to lines and columns. The line starts are computed once for all diagnostics. */
function placesIn(text: string): Place {
  const starts = [0];
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

function broken(diagnostic: Pick<Diagnostic, 'code' | 'message'> & Partial<Diagnostic>, file: string, source: string): ReadDocument {
  return { state: 'broken', diagnostics: [{ severity: 'error', file, source, ...diagnostic }] };
}
