import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './support/sources.js';

/** The file and the name that a public name comes from. */
interface Origin {
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

/** Types that users need not name: base classes, arguments of constructors that only we call, inferred types, the target of an alias. */
const unnamed = [
  'EventFor',
  'FireContext',
  'HandlerSource',
  'InferredFromCall',
  'OpenSubscription',
  'RegisteredHook',
  'SnakeCaseEngine',
  'SnakeCaseHook',
  'SnakeCaseMatcher',
  'SpawnerLimits',
];

const packages = join(root, 'packages');
const main = join(packages, 'tenterhook/dist/index.d.ts');
const entries = [main, ...['agent', 'handlers'].map((name) => join(packages, `tenterhook/dist/${name}.d.ts`))];

// The declarations are read as text, because this version of the compiler has no programming interface.
test('what a public signature of tenterhook names is exported by tenterhook, or by one of its subpaths', () => {
  const exported = entries.flatMap((entry) => [...read(entry).exportedAgain.keys()].map((name) => originOf(entry, name)));
  const known = new Set(exported.map(keyOf));
  const signatures = [...read(main).exportedAgain.keys()].map((name) => originOf(main, name));
  const missing = signatures.flatMap((origin) =>
    namesIn(origin)
      .filter((named) => !known.has(keyOf(named)) && !unnamed.includes(named.name))
      .map((named) => `${origin?.name} names ${named.name}`),
  );
  expect(signatures.length).toBeGreaterThan(150);
  expect(missing).toEqual([]);
});

/** Returns the types of our packages that a declaration names. For types that only its file knows, returns the types that these name. */
function namesIn(origin: Origin | undefined, seen = new Set<string>()): Origin[] {
  const text = origin && read(origin.file).own.get(origin.name);
  if (text === undefined || seen.has(keyOf(origin))) return [];
  seen.add(keyOf(origin));
  const words = new Set(text.replaceAll(/'[^']*'/g, "''").match(/\b[A-Z]\w+/g));
  return [...words].flatMap((word) => {
    const named = word === origin?.name ? undefined : originOf(origin?.file, word);
    if (named === undefined) return [];
    return read(named.file).own.get(named.name)?.startsWith('export ') ? [named] : namesIn(named, seen);
  });
}

/** Undefined for a name that is not declared in one of our packages. */
function originOf(file: string | undefined, name: string): Origin | undefined {
  if (file === undefined) return undefined;
  const { imported, exportedAgain, own } = read(file);
  const next = exportedAgain.get(name) ?? imported.get(name);
  if (next !== undefined) return originOf(next.file, next.name);
  return own.has(name) ? { file, name } : undefined;
}

const files = new Map<string, Declarations>();

function read(file: string): Declarations {
  const known = files.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const found = { imported: new Map<string, Origin>(), exportedAgain: new Map<string, Origin>(), own: new Map<string, string>() };
  for (const [, word, list = '', from = ''] of text.matchAll(/^(import|export)(?: type)? \{([^}]*)\} from '([^']+)'/gm)) {
    const target = fileOf(from, file);
    for (const item of list.split(',').map((part) => part.trim().replace(/^type /, ''))) {
      const [name = '', as = name] = item.split(' as ');
      if (target !== undefined) (word === 'import' ? found.imported : found.exportedAgain).set(as, { file: target, name });
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
  const base = join(packages, name, 'dist', entry);
  return name === '' ? undefined : [`${base}.d.ts`, join(base, 'index.d.ts')].find((file) => existsSync(file));
}

function keyOf(origin: Origin | undefined): string {
  return `${origin?.file} ${origin?.name}`;
}
