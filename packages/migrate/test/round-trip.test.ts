import { eventEntry, type HookEventName } from '@tenterhook/protocol';
import fc from 'fast-check';
import type { PortableField, PortableHook, PortableSubject } from '../src/portable/portable-hook.js';
import { dialectNamed, pairs, portablesOf, settingsOf } from './portables.js';

const word = fc.stringMatching(/^[a-z]{3,6}$/);
const tool = fc.constantFrom(
  'run_shell_command',
  'read_file',
  'read_many_files',
  'write_file',
  'replace',
  'glob',
  'list_directory',
  'ask_user',
);
const subjectsOfTools: fc.Arbitrary<PortableSubject> = fc.oneof(
  fc.record({ kind: fc.constant('tool' as const), name: fc.oneof({ weight: 4, arbitrary: tool }, { weight: 1, arbitrary: word }) }),
  fc.record({ kind: fc.constant('mcp' as const), server: word, tool: fc.oneof(word, fc.constant('*')) }),
);
const values: Readonly<Partial<Record<HookEventName, readonly string[]>>> = {
  SessionStart: ['startup', 'resume', 'clear', 'compress', 'fork'],
  SessionEnd: ['exit', 'clear', 'resume', 'logout', 'other'],
  PreCompress: ['manual', 'auto'],
  Notification: ['ToolPermission', 'idle_prompt'],
};

function subjectsOf(eventName: HookEventName): fc.Arbitrary<PortableHook['matcher']> {
  const everything = fc.constant({ kind: 'everything' as const });
  const { matcherField } = eventEntry(eventName);
  if (matcherField === undefined) return everything;
  const subject =
    matcherField === 'tool_name'
      ? subjectsOfTools
      : fc.constantFrom(...(values[eventName] ?? ['x'])).map((value): PortableSubject => ({ kind: 'value', value }));
  const subjects = fc.uniqueArray(subject, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) });
  return fc.oneof(
    everything,
    subjects.map((list) => ({ kind: 'subjects' as const, subjects: list })),
  );
}

const optional = <Key extends string, Value>(key: Key, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof(
    fc.constant({}),
    arbitrary.map((value) => ({ [key]: value }) as Record<Key, Value>),
  );
const text = fc.constantFrom(
  '"$LLXPRT_PROJECT_DIR"/hooks/guard.sh',
  'exit 2',
  "echo 'it''s' | tee \"$HOME/x y\"",
  'jq .a; true',
  `\${LLXPRT_PROJECT_DIR}/x`,
);

const hook: fc.Arbitrary<PortableHook> = fc
  .constantFrom<HookEventName[]>(
    'BeforeTool',
    'AfterTool',
    'BeforeAgent',
    'AfterAgent',
    'BeforeModel',
    'SessionStart',
    'SessionEnd',
    'PreCompress',
    'Notification',
    'HostStart',
    'PermissionRequest',
  )
  .chain((eventName) =>
    fc
      .tuple(
        fc.record({
          eventName: fc.constant(eventName),
          matcher: subjectsOf(eventName),
          action: text.map((command) => ({ kind: 'command' as const, text: command })),
          env: fc.dictionary(fc.constantFrom('LEVEL', 'MODE'), fc.constantFrom('strict', "it's", '$HOME "x"'), { maxKeys: 2 }),
          timeoutMs: fc.constantFrom(60_000, 30_000, 600_000, 1500, 1001, 5000),
          onError: fc.constantFrom('continue' as const, 'block' as const),
          losses: fc.constant([]),
        }),
        eventName === 'AfterTool' ? optional('outcome', fc.constantFrom('success' as const, 'failure' as const)) : fc.constant({}),
        optional('name', word),
        optional('description', word),
        optional('async', fc.constant(true as const)),
        optional('hidden', fc.constant(true as const)),
      )
      .map((parts) => Object.assign({}, ...parts) as PortableHook),
  );

/** Returns the fields of a portable hook for a comparison. The order of its subjects does not count. */
function said(hook: PortableHook): Readonly<Partial<Record<PortableField, unknown>>> {
  const { eventName, outcome, matcher, action, env, timeoutMs, onError, name, description, async, once, hidden, condition } = hook;
  const subjects = matcher.kind === 'everything' ? null : matcher.subjects.map((subject) => JSON.stringify(subject)).sort();
  return {
    event: [eventName, outcome],
    matcher: subjects,
    action,
    env,
    timeout: timeoutMs,
    onError,
    name,
    description,
    async,
    once,
    hidden,
    condition,
  };
}

function changedFields(before: PortableHook, after: PortableHook): PortableField[] {
  const [one, other] = [said(before), said(after)];
  return (Object.keys(one) as PortableField[]).filter(
    // A hook without a name may receive one in a format that requires names.
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]) && !(field === 'name' && one.name === undefined),
  );
}

/** Converts the hook to a dialect and back. Returns undefined if the dialect cannot express the hook, or needs several hooks for it. */
function inDialect(name: string, hook: PortableHook): { readonly hook: PortableHook; readonly lost: readonly PortableField[] } | undefined {
  const dialect = dialectNamed(name);
  const { value, placed } = settingsOf(dialect, [hook]);
  const [result] = placed;
  if (result === undefined || 'cannot' in result) return undefined;
  const { hooks, diagnostics } = portablesOf(dialect, value);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [read, ...others] = hooks;
  if (read === undefined || others.length > 0) return undefined;
  return { hook: read, lost: [...result.losses, ...read.losses].map(({ field }) => field) };
}

test.each(pairs)('%s to %s: what a hook no longer says is reported as a loss of that field', (from, to) => {
  let count = 0;
  fc.assert(
    fc.property(hook, (portable) => {
      const source = inDialect(from, portable);
      const target = source === undefined ? undefined : inDialect(to, source.hook);
      fc.pre(source !== undefined && target !== undefined);
      count += 1;
      const changed = changedFields((source as { hook: PortableHook }).hook, (target as { hook: PortableHook }).hook);
      expect({ changed, source, target }).toEqual({ changed: changed.filter((field) => target?.lost.includes(field)), source, target });
    }),
    { numRuns: 100 },
  );
  expect(count).toBeGreaterThan(30);
});

test.each(pairs)('%s to %s and back: what both can say is there again', (from, to) => {
  fc.assert(
    fc.property(hook, (portable) => {
      const source = inDialect(from, portable);
      const target = source === undefined ? undefined : inDialect(to, source.hook);
      const back = target === undefined ? undefined : inDialect(from, target.hook);
      fc.pre(source !== undefined && target !== undefined && back !== undefined);
      const lost = [...(target?.lost ?? []), ...(back?.lost ?? [])];
      const changed = changedFields((source as { hook: PortableHook }).hook, (back as { hook: PortableHook }).hook);
      expect({ changed, source, target, back }).toEqual({ changed: changed.filter((field) => lost.includes(field)), source, target, back });
    }),
    { numRuns: 100 },
  );
});
