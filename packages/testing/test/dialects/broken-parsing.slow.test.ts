import type { Dialect, HookDefinition, ParsedDocument } from '@tenterhook/protocol';
import { type Broken, testBroken } from './llxprt-options.js';

const broken: Record<string, Broken> = {
  'has an event that the catalogue does not': [
    () => ({ events: { BeforeTool: 'BeforeTool', preToolCall: 'BeforeTools' as 'BeforeTool' } }),
    /events of the catalogue/,
    /preToolCall is 'BeforeTools'.*a name of the event catalogue/s,
  ],
  'loses the last hook': [
    (inner) => changing(inner, ({ hooks }) => ({ hooks: hooks.slice(0, -1) })),
    /parse\(\) returns every hook/,
    /h0007.*expected: one hook for it/s,
  ],
  'says that hooks are of another file': [
    (inner) => withHooks(inner, () => ({ file: '/elsewhere.json' })),
    /parse\(\) returns every hook/,
    /came: {5}'\/elsewhere\.json'\n {2}expected: \/srv\/app/,
  ],
  'says that hooks are of another source': [
    (inner) => withHooks(inner, () => ({ source: 'user' })),
    /parse\(\) returns every hook/,
    /source of the hook\n {2}came: {5}'user'\n {2}expected: project/,
  ],
  'reads a timeout as seconds': [
    (inner) => withHooks(inner, ({ timeoutMs }) => ({ timeoutMs: timeoutMs * 1000 })),
    /parse\(\) returns every hook/,
    /timeoutMs of the hook\n {2}came: {5}5000000\n {2}expected: 5000/,
  ],
  'invents lines': [
    (inner) => withHooks(inner, () => ({ line: 1000 })),
    /parse\(\) returns every hook/,
    /1000\n {2}expected: none, or a line/,
  ],
  'gives two hooks one id': [
    (inner) => withHooks(inner, ({ id }) => ({ id: id.replace(/with space$/, 'plain') })),
    /hook ids/,
    /repeated: \[ 'llxprt\/project\/BeforeTool\/plain' \].*each id once/s,
  ],
  'begins ids with something else': [
    (inner) => withHooks(inner, ({ id }) => ({ id: id.replace(/^llxprt/, 'mine') })),
    /hook ids/,
    /mine\/project\/BeforeTool\/.*\n {2}expected: llxprt\/project\/BeforeTool\//,
  ],
  'writes a slash of a name into an id': [
    (inner) => withHooks(inner, ({ id }) => ({ id: id.replace('%2Fb', '/b') })),
    /hook ids/,
    /BeforeTool\/a\/b'\n {2}expected: .*without a slash/,
  ],
  'numbers hooks over and over': [
    (inner) => {
      let count = 0;
      return withHooks(inner, ({ id }) => ({ id: `${id}${count++}` }));
    },
    /hook ids/,
    /twice\n {2}came: .*\n +and then .*\n {2}expected: the same both times/,
  ],
  'throws for a number': [
    (inner) =>
      changing(inner, (parsed, value) => {
        if (typeof value === 'number') throw new TypeError('no object');
        return parsed;
      }),
    /whatever the settings contain/,
    /the document is 0\n {2}came: {5}it threw TypeError: no object/,
  ],
  'lets a timeout be zero': [
    (inner) => withHooks(inner, () => ({ timeoutMs: 0 })),
    /whatever the settings contain/,
    /timeoutMs of llxprt\/project\/BeforeTool\/h0000\n {2}came: {5}0\n {2}expected: 1 to 2147483647/,
  ],
  'does not say where a mistake stands': [
    (inner) => withDiagnostics(inner, ({ line: _line, ...diagnostic }) => diagnostic),
    /whatever the settings contain/,
    /expected: a diagnostic with a line that locate\(\) returned/,
  ],
  'speaks of another file': [
    (inner) => withDiagnostics(inner, (diagnostic) => ({ ...diagnostic, file: '/elsewhere.json' })),
    /whatever the settings contain/,
    /expected: a diagnostic with .*file: '\/srv\/app/,
  ],
  'has codes of its own for mistakes': [
    (inner) => withDiagnostics(inner, (diagnostic) => ({ ...diagnostic, code: 'oops' as never })),
    /whatever the settings contain/,
    /code: 'oops'.*expected: a code of diagnosticCodes/s,
  ],
  'changes the settings that it reads': [
    (inner) =>
      changing(inner, (parsed, value) => {
        if (typeof value === 'object' && value !== null) Object.assign(value, { read: true });
        return parsed;
      }),
    /whatever the settings contain/,
    /expected: no change of the settings/,
  ],
  'walks down without an end': [
    (inner) => ({
      parse: (document, context) => {
        depthOf(document.value);
        return inner.parse(document, context);
      },
    }),
    /ten thousand deep/,
    /it threw RangeError: Maximum call stack size exceeded/,
  ],
  'takes any document': [
    (inner) => changing(inner, ({ hooks, diagnostics }) => ({ hooks, diagnostics, isUnusable: false })),
    /not an object is unusable/,
    /parse\(\) of null\n {2}came: .*isUnusable: false/,
  ],
  'says nothing of what is wrong': [
    (inner) => changing(inner, ({ hooks }) => ({ hooks, diagnostics: [] })),
    /whatever keeps a hook from running/,
    /hooks run instead of 4\n {2}came: {5}\[\]\n {2}expected: a diagnostic/,
  ],
  'drops the hooks beside a bad one': [
    (inner) => changing(inner, ({ hooks, diagnostics }) => (diagnostics.some(isError) ? { hooks: [] } : { hooks })),
    /a bad hook stays in the list/,
    /expected: the hook beside it, which runs "printf %s of-h0002 >&2"/,
  ],
  'forgets bad hooks': [
    (inner) => changing(inner, ({ hooks }) => ({ hooks: hooks.filter(({ skip }) => skip === undefined) })),
    /a bad hook stays in the list/,
    /expected: that hook with skip: invalid/,
  ],
  'runs a hook without a command': [
    (inner) => withHooks(inner, ({ skip: _skip, ...hook }) => hook),
    /a bad hook stays in the list/,
    /expected: that hook with skip: invalid/,
  ],
};

testBroken(broken);

/** Changes everything that the dialect parses. A replacement for the fields of a hook contains all fields. */
function changing(inner: Dialect, change: (parsed: ParsedDocument, value: unknown) => Partial<ParsedDocument>): Partial<Dialect> {
  return {
    parse: (document, context) => {
      const parsed = inner.parse(document, context);
      return { ...parsed, ...change(parsed, document.value) };
    },
  };
}

function withHooks(inner: Dialect, change: (hook: HookDefinition) => Partial<HookDefinition>): Partial<Dialect> {
  return changing(inner, ({ hooks }) => ({
    hooks: hooks.map((hook) => {
      const changed = change(hook);
      // A change that contains an id replaces the whole hook, so it can also leave out a field.
      return changed.dialectData === undefined ? { ...hook, ...changed } : (changed as HookDefinition);
    }),
  }));
}

type Diagnostics = ParsedDocument['diagnostics'];

function withDiagnostics(inner: Dialect, change: (diagnostic: Diagnostics[number]) => Diagnostics[number]): Partial<Dialect> {
  return changing(inner, ({ diagnostics }) => ({ diagnostics: diagnostics.map(change) }));
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error';
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest: number, item) => Math.max(deepest, depthOf(item)), 0);
}
