import { claudeCode, eca, geminiCli, llxprt } from '@tenterhook/dialects';
import { HookSystem } from '@tenterhook/engine';
import { combineSettings } from '@tenterhook/engine/internal';
import type { AggregatedHookResult, Dialect, HookExecutor, HookSource } from '@tenterhook/protocol';
import fc from 'fast-check';
import { settingsAt } from '../support/levels.js';

const numRuns = 10_000;
const patienceMs = 600_000;

const dialects: Readonly<Record<string, Dialect>> = {
  llxprt: llxprt(),
  'claude-code': claudeCode(),
  'gemini-cli': geminiCli(),
  eca: eca(),
};
type FormatName = 'llxprt' | 'claude-code' | 'gemini-cli' | 'eca';

/** What a hook answers, and after how many milliseconds. The command of a hook is this text, and no process is started. */
const answers = ['deny', 'ask', 'allow', 'stop', 'none', 'fail', 'rewrite'] as const;

/** An executor that gives the answers in the commands. It compares times for a deadline and does not wait. */
const answering: HookExecutor = {
  kind: 'command',
  run: async (invocation, hook, _event, { onStart }) => {
    if (invocation.kind !== 'command' || invocation.command.kind !== 'shell') throw new Error('no shell command');
    onStart();
    const [answer = 'none', after = '0'] = invocation.command.text.split(' ');
    const said = invocation.env['ANSWER'] ?? answer;
    if (Number(after) > hook.timeoutMs) return { kind: 'timed-out', durationMs: hook.timeoutMs };
    const text = { stderr: 'no', stdout: stdoutOf(said, hook.dialect), stdoutTruncated: false, stderrTruncated: false, invalidUtf8: false };
    const exitCode = said === 'deny' ? 2 : said === 'fail' ? 1 : 0;
    const bytes = { stdoutBytes: text.stdout.length, stderrBytes: 2 };
    return { kind: 'exited', exitCode, durationMs: 1, leftProcesses: 0, ...text, ...bytes };
  },
  dispose: async () => {},
};

function stdoutOf(answer: string, dialect: string): string {
  if (answer === 'stop') return '{"continue":false}';
  if (answer === 'rewrite')
    return JSON.stringify(dialect === 'eca' ? { updatedInput: { x: 1 } } : { hookSpecificOutput: { tool_input: { x: 1 } } });
  if (answer !== 'ask' && answer !== 'allow') return '';
  if (dialect === 'eca') return JSON.stringify({ approval: answer });
  if (dialect !== 'claude-code') return JSON.stringify({ decision: answer });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: answer } });
}

const command = fc.tuple(fc.constantFrom(...answers), fc.constantFrom('0', '50', '5000')).map(([answer, after]) => `${answer} ${after}`);
const hook = fc.record(
  { command, name: fc.constantFrom('a', 'b'), timeout: fc.constantFrom(10, 100, 10_000), onError: fc.constantFrom('continue', 'block') },
  { requiredKeys: ['command'] },
);
const group = fc.record(
  { hooks: fc.array(hook, { minLength: 1, maxLength: 2 }), matcher: fc.constantFrom('', '*'), sequential: fc.boolean() },
  { requiredKeys: ['hooks'] },
);
const env = fc.dictionary(fc.constantFrom('ANSWER', 'PATH'), fc.constantFrom('allow', 'none', '/evil'), { maxKeys: 1 });
const disabled = fc.array(fc.oneof(fc.constantFrom('a', 'b'), command), { maxLength: 3 });

/** Generates settings of one format, with any switches and lists. */
const settings: Readonly<Record<FormatName, fc.Arbitrary<unknown>>> = {
  llxprt: fc
    .record({ groups: fc.array(group, { maxLength: 2 }), enableHooks: fc.option(fc.boolean(), { nil: undefined }), disabled })
    .map(({ groups, enableHooks, disabled: names }) => ({
      tools: { enableHooks },
      hooksConfig: { disabled: names },
      hooks: { BeforeTool: groups },
    })),
  'gemini-cli': fc
    .record({ groups: fc.array(group, { maxLength: 2 }), enabled: fc.option(fc.boolean(), { nil: undefined }), disabled, env })
    .map(({ groups, enabled, disabled: names, env: variables }) => ({
      hooksConfig: { enabled, disabled: names },
      hooks: {
        BeforeTool: groups.map((one) => ({ ...one, hooks: one.hooks.map((each) => ({ ...each, type: 'command', env: variables })) })),
      },
    })),
  'claude-code': fc
    .record({ groups: fc.array(group, { maxLength: 2 }), disableAllHooks: fc.boolean(), allowManagedHooksOnly: fc.boolean(), env })
    .map(({ groups, ...general }) => ({
      ...general,
      hooks: {
        PreToolUse: groups.map(({ matcher, hooks }) => ({
          matcher,
          hooks: hooks.map(({ onError, timeout, ...each }) => ({
            ...each,
            type: 'command',
            timeout: (timeout ?? 1000) / 1000,
            onFailure: onError,
          })),
        })),
      },
    })),
  eca: fc
    .dictionary(
      fc.constantFrom('a', 'b'),
      fc.record({ onError: fc.constantFrom('continue', 'block'), shell: command }).map(({ onError, shell }) => ({
        type: 'preToolCall',
        onError,
        actions: [{ type: 'shell', shell }],
      })),
      { maxKeys: 2 },
    )
    .map((hooks) => ({ hooks })),
};

interface Written {
  readonly dialect: FormatName;
  readonly source: string;
  readonly value: unknown;
}

const written = (sources: readonly string[]): fc.Arbitrary<Written> =>
  fc
    .constantFrom<FormatName>('llxprt', 'claude-code', 'gemini-cli', 'eca')
    .chain((dialect) => fc.record({ dialect: fc.constant(dialect), source: fc.constantFrom(...sources), value: settings[dialect] }));
const higher = fc.array(written(['user']), { minLength: 1, maxLength: 3 });
const lower = fc.array(written(['project', 'local', 'extension:x']), { minLength: 1, maxLength: 4 });

/** Documents in plan order, one of each source and format, as they would be found. */
const order = ['project', 'local', 'user', 'extension:x'];

async function fire(documents: readonly Written[]): Promise<AggregatedHookResult> {
  const unique = [...new Map(documents.map((each) => [`${each.dialect} ${each.source}`, each])).values()];
  const sorted = unique.sort((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
  const { hooks } = combineSettings(
    Object.entries(dialects).map(([name, dialect]) => ({
      dialect,
      parsed: sorted.filter((each) => each.dialect === name).map(({ source, value }) => settingsAt(dialect, source, value)),
    })),
  );
  const source: HookSource = {
    hooksFor: (eventName) => hooks.filter((each) => each.eventName === eventName),
    changes$: { subscribe: () => ({ unsubscribe() {} }) },
  };
  const system = new HookSystem({
    projectDir: '/',
    dialects: Object.values(dialects),
    sources: [source],
    executors: [answering],
    environment: {},
  });
  try {
    return await system.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'rm' } });
  } finally {
    await system.dispose();
  }
}

const strength = ['none', 'allow', 'ask', 'deny'];

/** A stop ends the agent loop before the tool runs, so it is as strict as a deny. */
function strengthOf({ verdict }: AggregatedHookResult): number {
  return verdict.stop ? strength.length : strength.indexOf(verdict.kind);
}

/** The hooks of the user that ran, or the copies that have the user's level. */
function ranForUser({ outcomes }: AggregatedHookResult): string[] {
  return outcomes
    .filter(({ level, status }) => level === 'user' && status !== 'skipped')
    .map(({ dialect, command: text, name }) => `${dialect} ${name} ${text}`);
}

test(
  'settings of lower levels never make a deny or an ask of higher levels weaker and remove none of their hooks, in any format and across formats',
  async () => {
    await fc.assert(
      fc.asyncProperty(higher, lower, async (above, below) => {
        const alone = await fire(above);
        const together = await fire([...above, ...below]);
        if (alone.verdict.stop || alone.verdict.kind === 'deny' || alone.verdict.kind === 'ask') {
          const isKept = together.verdict.stop || strengthOf(together) >= Math.min(strengthOf(alone), strength.indexOf('deny'));
          expect({ isKept, alone: alone.verdict, together: together.verdict }).toMatchObject({ isKept: true });
        }
        // Everything that ends the event early is an objection.
        if (together.verdict.stop || together.verdict.kind === 'deny') return;
        expect(ranForUser(together)).toEqual(expect.arrayContaining(ranForUser(alone)));
      }),
      { numRuns },
    );
  },
  patienceMs,
);
