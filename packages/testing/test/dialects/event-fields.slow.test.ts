import type { Dialect, HookEvent } from '@tenterhook/protocol';
import { type DialectConformanceOptions, dialectConformance } from '../../src/index.js';
import { llxprtOptions } from './llxprt-options.js';
import { rules } from './rules-dialect.js';

const events = {
  'before-tool': 'BeforeTool',
  'before-shell': 'BeforeTool',
  'after-tool': 'AfterTool',
  'after-failure': 'AfterTool',
} as const;

const options: DialectConformanceOptions = {
  dialect: kinds,
  settings: (hooks) => ({
    rules: hooks.map(({ dialectEvent, command, timeoutMs = 30_000 }) => ({ on: dialectEvent, run: command, seconds: timeoutMs / 1000 })),
  }),
  answers: { eventName: 'BeforeTool', deny: { verdict: 'no', why: 'not here' } },
  matchers: [],
  eventFields: {
    'before-shell': (text) => ({ tool_name: 'run_shell_command', tool_input: { command: text } }),
    'after-failure': (text) => ({ tool_response: { llmContent: '', error: { message: text } } }),
  },
  fire: llxprtOptions.fire,
};

const tried =
  /events of the catalogue|^parse\(\) gives|^hook ids|^layOut|^select\(\)|^invocation|^no part of an event|^whatever was printed|^on /;
const kept = dialectConformance(options).filter(({ title }) => tried.test(title));
test.each(kept.map(({ title, run }) => [title, run] as const))('a dialect with several events for one passes: %s', (_, run) => run());

test('each spelling with fields is tried as an event, beside the first of its canonical event', () => {
  const titlesOf = (more: Partial<DialectConformanceOptions>) =>
    dialectConformance({ ...options, ...more }).flatMap(({ title }) => title.match(/^on ([a-z-]+)/)?.[1] ?? []);
  expect(titlesOf({ eventFields: {} })).toEqual(['after-tool']);
  expect(titlesOf({})).toEqual(['after-tool', 'before-shell', 'after-failure']);
});

/** For each broken dialect: its change, the title of the case that must fail, and the message of this case. */
const broken: Record<string, readonly [Partial<Dialect>, RegExp, RegExp]> = {
  'takes one of them for the other': [
    {
      parse: (document, context) => {
        const parsed = kinds().parse(document, context);
        const asTool = parsed.hooks.map((hook) => (isOfShell(hook) ? { ...hook, dialectEvent: 'before-tool' } : hook));
        return { ...parsed, hooks: asTool };
      },
    },
    /^parse\(\) returns/,
    /dialectEvent of the hook\n {2}came: {5}'before-tool'\n {2}expected: before-shell/,
  ],
  'never runs one of them': [
    { select: (hook, event) => (isOfShell(hook) ? never : kinds().select(hook, event)) },
    /^on before-shell/,
    /came: {5}{ status: 'skipped'/,
  ],
  'runs what the model wrote': [
    {
      invocation: (event, hook, environment) => {
        const invocation = kinds().invocation(event, hook, environment);
        if (invocation.kind !== 'command' || !isOfShell(hook)) return invocation;
        return { ...invocation, command: { kind: 'shell', text: String((event.input['tool_input'] as { command: unknown }).command) } };
      },
    },
    /^no part of an event/,
    /a hook of before-shell for an event full of odd texts\n.*expected: the command of the settings/s,
  ],
  'allows by text on one of them': [
    {
      decode: (exit, event, hook) => {
        const isText = exit.kind === 'exited' && exit.stdout.startsWith('checked');
        return isText && isOfShell(hook) ? { output: { decision: 'allow' }, warnings: [] } : kinds().decode(exit, event, hook);
      },
    },
    /^on before-shell/,
    /that prints a text and exits with 0\n {2}came: .*expected: no decision/s,
  ],
};

test.each(Object.entries(broken))('a dialect that %s does not pass', async (_, [change, title, message]) => {
  const dialect = () => ({ ...kinds(), ...change });
  const [found] = dialectConformance({ ...options, dialect }).filter((each) => title.test(each.title));
  await expect(found?.run()).rejects.toThrow(message);
});

test('fields of an event that the dialect does not have are said', async () => {
  const eventFields = { ...options.eventFields, 'before-mcp': () => ({}) };
  const [first] = dialectConformance({ ...options, eventFields });
  await expect(first?.run()).rejects.toThrow(
    /eventFields\n {2}came: {5}'before-mcp'\n {2}expected: a spelling of the dialect: before-tool,/,
  );
});

/** A dialect with hooks before a tool, before a shell command, after a tool, and after a failed tool. */
function kinds(): Dialect {
  return {
    ...rules(events),
    select: ({ dialectEvent }, event) => {
      const runs = {
        'before-shell': event.input['tool_name'] === 'run_shell_command',
        'after-tool': !hasFailed(event),
        'after-failure': hasFailed(event),
      }[dialectEvent];
      return runs === false ? never : { run: true, reason: 'it is for this' };
    },
  };
}

const never = { run: false, skipReason: 'condition', reason: 'it is for something else' } as const;

function isOfShell({ dialectEvent }: { readonly dialectEvent: string }): boolean {
  return dialectEvent === 'before-shell';
}

function hasFailed({ input }: HookEvent): boolean {
  return (input['tool_response'] as { error?: unknown } | undefined)?.error !== undefined;
}
