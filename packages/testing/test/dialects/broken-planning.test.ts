import type { Dialect, HookDefinition, HookEvent, Selection, Stage } from '@tenterhook/protocol';
import { type Broken, llxprtOptions, testBroken } from './llxprt-options.js';

const broken: Record<string, Broken> = {
  'loses a hook between documents': [
    (inner) => ({ combine: (parsed) => ({ ...(inner.combine?.(parsed) as ReturnType<NonNullable<Dialect['combine']>>), off: [] }) }),
    /combine\(\) loses no hook/,
    /combine\(\) of the sample settings as project\n {2}came: {5}{ lost: \[ 'llxprt\/project\/BeforeTool\/h0000'/,
  ],
  'runs hooks twice that two documents have': [
    (inner) => ({
      combine: (parsed) => ({ hooks: [...parsed, ...parsed.slice(1)].flatMap(({ hooks }) => hooks), off: [], diagnostics: [] }),
      ...keep(inner, 'parse'),
    }),
    /combine\(\) loses no hook/,
    /as project, user\n {2}came: {5}{ lost: \[\], made: \[ 'llxprt\/user/,
  ],
  'knows no events': [() => ({ eventsIn: () => [] }), /eventsIn\(\)/, /came: {5}\[\]\n {2}expected: \[ 'BeforeTool' \]/],
  'takes everybody’s settings for its own': [
    () => ({ eventsIn: (value) => Object.keys((value as { hooks?: object } | null)?.hooks ?? {}) }),
    /eventsIn\(\)/,
    /came: {5}\[ 'pre-commit', 'post-merge' \]\n {2}expected: \[\]/,
  ],
  'throws where there is no object': [
    () => ({ eventsIn: (value) => Object.keys((value as { hooks: object }).hooks) }),
    /eventsIn\(\)/,
    /eventsIn\(\) of null\n {2}came: {5}it threw TypeError/,
  ],
  'looks beside the current directory': [
    (inner) => ({ locations: (context) => inner.locations({ ...context, projectDir: 'app' }) }),
    /locations\(\) returns/,
    /file: 'app\/\.llxprt\/settings\.json' }\n {2}expected: an absolute path/,
  ],
  'does not know its own files': [
    () => ({ claims: () => undefined }),
    /locations\(\) returns/,
    /claims\(\) of \/srv\/app\/\.llxprt\/settings\.json, .*\n {2}came: {5}undefined/,
  ],
  'finds the wrong project': [
    (inner) => ({ claims: (file, context) => inner.claims?.(file, context) && { projectDir: '/' } }),
    /locations\(\) returns/,
    /came: {5}{ projectDir: '\/' }\n {2}expected: { projectDir: '\/srv\/app' }/,
  ],
  'claims every file': [() => ({ claims: () => ({}) }), /claims\(\) does not claim/, /claims\(\) of '\/srv\/app\/package\.json'/],
  'needs a home directory': [
    () => ({
      lookalikes: ({ home }) => {
        if (home === '') throw new Error('HOME is not set');
        return [];
      },
    }),
    /the methods that look for settings/,
    /lookalikes\(\) on a machine without files, home and environment\n {2}came: {5}it threw Error: HOME/,
  ],
  'takes files that it reads for others': [
    (inner) => ({ lookalikes: (context) => inner.locations(context).map((read) => ({ ...read, insteadOf: read.file })) }),
    /lookalikes\(\) returns/,
    /lookalikes\(\) on a usual machine\n {2}came: .*settings\.json' }\n {2}expected: a file that is not read/,
  ],
  'forgets fields that the event requires': [
    () => ({ readInput: (_event, { tool_input: _arguments, ...input }) => ({ input, defaults: {} }) }),
    /readInput\(\) turns what writeInput\(\) wrote/,
    /readInput\(\) of what writeInput\(\) wrote, BeforeTool\n {2}came: .*tool_input/s,
  ],
  'throws for an event that it writes': [
    () => ({
      writeInput: () => {
        throw new Error('no such event');
      },
    }),
    /readInput\(\) turns what writeInput\(\) wrote/,
    /writeInput\(\) of BeforeTool\n {2}came: {5}it threw Error: no such event/,
  ],
  'speaks of documents that it was not given': [
    (inner) => ({
      combine: (parsed) => ({
        ...(inner.combine?.(parsed) as ReturnType<NonNullable<Dialect['combine']>>),
        diagnostics: [{ code: 'foreign_disable', severity: 'note', message: 'Another source did.', dialect: 'llxprt', source: 'system' }],
      }),
    }),
    /combine\(\) loses no hook/,
    /source: 'system' }\n {2}expected: a code of diagnosticCodes, llxprt, and the source of a document/,
  ],
  'has a schema that is not JSON': [
    () => ({ settingsJsonSchema: () => ({ type: 'object', default: undefined }) }),
    /settingsJsonSchema\(\)/,
    /default is undefined/,
  ],
  'lays out all hooks but the last': [
    (inner) => ({ layOut: (hooks) => inner.layOut(hooks.slice(0, Math.max(1, hooks.length - 1))) }),
    /layOut\(\)/,
    /expected: each of them in one stage/,
  ],
  'runs a hook in two stages': [
    (inner) => ({ layOut: (hooks) => [...inner.layOut(hooks), ...inner.layOut(hooks.slice(0, 1))] }),
    /layOut\(\)/,
    /expected: each of them in one stage/,
  ],
  shuffles: [
    () => ({ layOut: (hooks) => oneByOne([...hooks].sort(() => Math.random() - 0.5)) }),
    /layOut\(\)/,
    /it called Math\.random\(\)\n {2}expected: no clock and no random number/,
  ],
  'turns some hooks round': [
    () => ({ layOut: (hooks) => oneByOne(hooks.length === 2 ? [...hooks].reverse() : hooks) }),
    /layOut\(\)/,
    /layOut\(\) of some hooks of BeforeTool, .*expected: the order of all of them/s,
  ],
  'sorts the list that it was given': [
    (inner) => ({ layOut: (hooks) => inner.layOut((hooks as HookDefinition[]).sort(() => 0)) }),
    /layOut\(\)/,
    /it threw TypeError: Cannot assign to read only property/,
  ],
  'sleeps at night': [
    (inner) => ({ select: (hook, event) => (new Date().getHours() < 25 ? inner.select(hook, event) : never) }),
    /select\(\) is pure/,
    /it called new Date\(\)/,
  ],
  'runs every hook at the first event alone': [
    (inner) => {
      const seen = new Set<string>();
      const isNew = (hook: HookDefinition, { input }: HookEvent) => {
        const key = `${hook.id} ${JSON.stringify(input)}`;
        return seen.size === seen.add(key).size;
      };
      return { select: (hook, event) => (isNew(hook, event) ? never : inner.select(hook, event)) };
    },
    /select\(\) is pure/,
    /and then .*\n {2}expected: the same both times/,
  ],
  'remembers the last tool': [
    (inner) => {
      let last: unknown;
      return {
        select: (hook, event) => {
          const before = last;
          last = event.input['tool_name'];
          return { ...inner.select(hook, event), reason: before === last ? 'the same tool' : 'another tool' };
        },
      };
    },
    /select\(\) is pure/,
    /expected: the same both times/,
  ],
  'marks the events that it has seen': [
    (inner) => ({ select: (hook, event) => inner.select(hook, Object.assign(event, { seen: true })) }),
    /select\(\) is pure/,
    /it threw TypeError: Cannot add property seen/,
  ],
  'gives no reason': [
    (inner) => ({ select: (hook, event) => ({ ...inner.select(hook, event), reason: '' }) }),
    /select\(\) is pure/,
    /reason: ''.*expected: run: true or false, a reason in words/s,
  ],
};

testBroken(broken);
testBroken(
  {
    'is given matchers that are not in its language': [() => ({}), /matchers of the suite/, /0 of \d+ selections run.*options\.matchers/s],
  },
  { settings: (hooks) => llxprtOptions.settings(hooks.map((hook) => ({ ...hook, matcher: '^no such tool$' }))) },
);

const never: Selection = { run: false, skipReason: 'condition', reason: 'it does not run now' };

function keep<Name extends keyof Dialect>(inner: Dialect, name: Name): Pick<Dialect, Name> {
  return { [name]: inner[name] } as Pick<Dialect, Name>;
}

function oneByOne(hooks: readonly HookDefinition[]): Stage[] {
  return hooks.map((hook) => ({ hooks: [hook] }));
}
