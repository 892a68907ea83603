import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './sources.js';

/** The file and the name that a public name comes from. */
export interface Origin {
  readonly file: string;
  readonly name: string;
}

/** The names in a declaration file. */
interface Declarations {
  readonly imported: ReadonlyMap<string, Origin>;
  readonly exportedAgain: ReadonlyMap<string, Origin>;
  /** The text of each declaration, by its name. */
  readonly own: ReadonlyMap<string, string>;
}

// The declarations are read as text, because this version of the compiler has no programming interface.
const files = new Map<string, Declarations>();

/** The names that an entry of a package exports, each with its origin. */
export function exportsOf(entry: string): ReadonlyMap<string, Origin> {
  const { exportedAgain, own } = read(entry);
  const names = [...exportedAgain.keys(), ...[...own].flatMap(([name, text]) => (text.startsWith('export ') ? [name] : []))];
  return new Map(names.flatMap((name) => [originOf(entry, name)].flatMap((origin) => (origin ? [[name, origin] as const] : []))));
}

/** Returns the types of our packages that a declaration names. For types that only its file knows, returns the types that these name. */
export function namesIn(origin: Origin, seen = new Set<string>()): Origin[] {
  const text = read(origin.file).own.get(origin.name);
  if (text === undefined || seen.has(keyOf(origin))) return [];
  seen.add(keyOf(origin));
  const words = new Set(text.replaceAll(/'[^']*'/g, "''").match(/\b[A-Z]\w+/g));
  return [...words].flatMap((word) => {
    const named = word === origin.name ? undefined : originOf(origin.file, word);
    if (named === undefined) return [];
    return read(named.file).own.get(named.name)?.startsWith('export ') ? [named] : namesIn(named, seen);
  });
}

export function keyOf(origin: Origin): string {
  return `${origin.file} ${origin.name}`;
}

/** Undefined for a name that is not declared in one of our packages. */
function originOf(file: string, name: string): Origin | undefined {
  const { imported, exportedAgain, own } = read(file);
  const next = exportedAgain.get(name) ?? imported.get(name);
  if (next !== undefined) return originOf(next.file, next.name);
  return own.has(name) ? { file, name } : undefined;
}

function read(file: string): Declarations {
  const known = files.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const found = { imported: new Map<string, Origin>(), exportedAgain: new Map<string, Origin>(), own: new Map<string, string>() };
  for (const [, from = ''] of text.matchAll(/^export \* from '([^']+)'/gm)) {
    const target = fileOf(from, file);
    for (const [name, origin] of target === undefined ? [] : exportsOf(target)) found.exportedAgain.set(name, origin);
  }
  for (const [, word, list = '', from = ''] of text.matchAll(/^(import|export)(?: type)? \{([^}]*)\} from '([^']+)'/gm)) {
    const target = fileOf(from, file);
    for (const item of list.split(',').map((part) => part.trim().replace(/^type /, ''))) {
      const [name = '', as = name] = item.split(' as ');
      if (target !== undefined && name !== '') (word === 'import' ? found.imported : found.exportedAgain).set(as, { file: target, name });
    }
  }
  for (const part of text.split(/^(?=export |declare |interface |type |class |import )/m)) {
    const name = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|function|const) (\w+)/.exec(part)?.[1];
    if (name !== undefined) found.own.set(name, `${found.own.get(name) ?? ''}${part}`);
  }
  files.set(file, found);
  return found;
}

function fileOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier.replace(/\.js$/, '.d.ts'));
  const [, name = '', entry = 'index'] = /^@tenterhook\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  const base = join(root, 'packages', name, 'dist', entry);
  return name === '' ? undefined : [`${base}.d.ts`, join(base, 'index.d.ts')].find((file) => existsSync(file));
}
