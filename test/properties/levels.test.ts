import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHookClient, executeToolWithHooks, type FinishedToolCall } from '@tenterhook/agent';
import { HookSystem } from '@tenterhook/engine';
import { combineSettings } from '@tenterhook/engine/internal';
import { HookEngine } from '@tenterhook/handlers';
import type { AggregatedHookResult, Dialect, HookDefinition, HookExecutor, HookSource, ParsedSettings } from '@tenterhook/protocol';
import fc from 'fast-check';
import { formatNamed, formatNames } from '../support/formats.js';
import { settingsAt } from '../support/levels.js';
import { anyLevels, choices, type HandlerAnswer, original, rewritten, type Written } from './any-levels.js';

const pairs = 10_000;
const patienceMs = 600_000;

const dialects = new Map<string, Dialect>(formatNames.map((name) => [name, formatNamed(name).dialect('/etc')]));

/** An executor that gives the answers in the commands. It compares times for a deadline and does not wait. */
const answering: HookExecutor = {
  kind: 'command',
  run: async (invocation, hook, _event, { onStart }) => {
    if (invocation.kind !== 'command' || invocation.command.kind !== 'shell') throw new Error('no shell command');
    onStart();
    const [answer = 'none', after = '0'] = invocation.command.text.split(' ');
    const said = invocation.env['ANSWER'] ?? answer;
    if (Number(after) > hook.timeoutMs) return { kind: 'timed-out', durationMs: hook.timeoutMs };
    const stdout = JSON.stringify(answerOf(said, hook.dialect, hook.dialectEvent)) ?? '';
    const text = { stderr: 'no', stdout, stdoutTruncated: false, stderrTruncated: false, invalidUtf8: false };
    const exitCode = said === 'deny' ? 2 : said === 'fail' ? 1 : 0;
    const bytes = { stdoutBytes: text.stdout.length, stderrBytes: 2 };
    return { kind: 'exited', exitCode, durationMs: 1, leftProcesses: 0, ...text, ...bytes };
  },
  dispose: async () => {},
};

/** What a hook prints; undefined for nothing. */
function answerOf(said: string, dialect: string, event: string): object | undefined {
  const input = { command: rewritten };
  if (said === 'stop') return { continue: false };
  if (event === 'PermissionRequest') {
    const behavior = said === 'allow' || said === 'rewrite' ? 'allow' : 'deny';
    const decision = { behavior, ...(said === 'rewrite' ? { updatedInput: input } : {}) };
    return ['allow', 'rewrite', 'deny'].includes(said) ? { hookSpecificOutput: { hookEventName: event, decision } } : undefined;
  }
  const { answers } = formatNamed(dialect);
  if (said === 'rewrite') return answers.rewrite(input);
  if (said === 'ask') return answers.ask('sure?');
  return said === 'allow' ? answers.allow({ command: original }) : undefined;
}

/** Answers what the path of the request says. Exit code 2 of a command is a decision here. */
const server = createServer((request, response) => {
  const said = request.url?.slice(1) ?? '';
  request.resume();
  if (said === 'fail') response.statusCode = 500;
  const denial = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(said === 'deny' ? denial : (answerOf(said, 'claude-code', 'PreToolUse') ?? {})));
});

/** One system for all pairs: its hooks are replaced. */
let hooks: readonly HookDefinition[] = [];
const listeners = new Set<() => void>();
const source: HookSource = {
  hooksFor: (eventName) => hooks.filter((each) => each.eventName === eventName),
  changes$: {
    subscribe(listener) {
      listeners.add(listener);
      return { unsubscribe: () => listeners.delete(listener) };
    },
  },
};
const engine = new HookEngine();
const system = new HookSystem({
  projectDir: '/',
  dialects: [...dialects.values()],
  sources: [engine, source],
  executors: [engine, answering],
  environment: {},
  http: { allowPrivateAddresses: ['127.0.0.1'] },
});
const client = createHookClient(system);

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  await system.dispose();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Documents in plan order, one of each source and format, as they would be found. */
const order = ['project', 'local', 'user', 'managed', 'extension:x'];

/** A document is part of several choices and is read once. */
const read = new WeakMap<Written, ParsedSettings>();
function parse(written: Written): ParsedSettings {
  const known = read.get(written);
  if (known !== undefined) return known;
  const parsed = settingsAt(dialects.get(written.dialect) as Dialect, written.source, written.value);
  read.set(written, parsed);
  return parsed;
}

function registerHandlers(answers: readonly HandlerAnswer[]): void {
  for (const { id } of engine.allHooks()) engine.unregister(id);
  for (const [index, answer] of answers.entries()) {
    engine.register({ id: `h${index}`, event_type: 'pre_tool_use' });
    engine.registerHandler(`h${index}`, {
      handle: ({ payload }) => {
        if (answer === 'block') return { action: 'Block', reason: 'no' };
        return answer === 'rewrite' ? { action: 'Continue', modified: { ...payload.args, command: rewritten } } : undefined;
      },
    });
  }
}

interface Fired {
  readonly call: FinishedToolCall;
  readonly before: AggregatedHookResult;
  readonly questions: number;
}

/** Calls a tool with these settings. The person who is asked says no. */
async function fire(documents: readonly Written[], command = original): Promise<Fired | undefined> {
  const unique = [...new Map(documents.map((each) => [`${each.dialect} ${each.source}`, each])).values()];
  const sorted = unique.sort((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
  ({ hooks } = combineSettings(
    [...dialects].map(([name, dialect]) => ({ dialect, parsed: sorted.filter((each) => each.dialect === name).map(parse) })),
  ));
  for (const listener of listeners) listener();
  let questions = 0;
  const call = await executeToolWithHooks(client, {
    name: 'run_shell_command',
    input: { command },
    ask() {
      questions += 1;
      return 'deny';
    },
    execute: () => ({ llmContent: 'done' }),
  });
  return call.before === undefined ? undefined : { call, before: call.before, questions };
}

/** The command of the call after BeforeTool. */
function commandAfter({ finalOutput }: AggregatedHookResult): string {
  const input = finalOutput?.hookSpecificOutput?.['tool_input'] as { command?: string } | undefined;
  return input?.command ?? original;
}

const strength = ['none', 'allow', 'ask', 'deny'];

/** A stop ends the agent loop before the tool runs, so it is as strict as a deny. */
function strengthOf({ verdict }: AggregatedHookResult): number {
  return verdict.stop ? strength.length : strength.indexOf(verdict.kind);
}

/** The hooks of these levels that ran, or the copies that have one of these levels. */
function ranFor(levels: ReadonlySet<unknown>, { outcomes }: AggregatedHookResult): string[] {
  return outcomes
    .filter(({ level, status }) => levels.has(level) && status !== 'skipped')
    .map(({ dialect, command, name, eventName }) => `${dialect} ${eventName} ${name} ${command}`);
}

test(
  'settings of lower levels never make a deny or an ask of higher levels weaker and remove none of their hooks, in any format and across formats',
  async () => {
    const seen = { blocked: 0, executed: 0, asked: 0, rechecked: 0, requests: 0, detached: 0, handlers: 0, permissions: 0 };
    server.on('request', () => {
      seen.requests += 1;
    });
    const anySettings = anyLevels(() => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const property = fc.asyncProperty(anySettings, async ({ above, handlers, belows }) => {
      registerHandlers(handlers);
      // Without hooks there is nothing to weaken.
      const alone = await fire(above);
      if (alone === undefined) return;
      const levels = new Set(['managed', ...above.map(({ source: name }) => name)]);
      const ranAlone = ranFor(levels, alone.before);
      // Nothing could be weaker, and no hook could be missing.
      if (alone.call.status === 'executed' && ranAlone.length === 0) return;
      for (const below of belows) {
        const together = await fire([...above, ...below]);
        if (together === undefined) throw new Error('all hooks are gone');
        const { before, call } = together;
        seen.asked += together.questions;
        seen[call.status === 'executed' ? 'executed' : 'blocked'] += 1;
        if (call.permission !== undefined) seen.permissions += 1;
        if (handlers.length > 0) seen.handlers += 1;
        if (before.outcomes.some(({ recheck }) => recheck)) seen.rechecked += 1;
        if (before.outcomes.some(({ status }) => status === 'detached')) seen.detached += 1;

        const { verdict } = alone.before;
        if (verdict.stop || verdict.kind === 'deny' || verdict.kind === 'ask') {
          const isKept = before.verdict.stop || strengthOf(before) >= Math.min(strengthOf(alone.before), strength.indexOf('deny'));
          if (!isKept) expect({ together: before.verdict }).toEqual({ alone: verdict });
        }
        if (alone.call.status !== 'executed' && call.status === 'executed') {
          // A hook of a lower level may rewrite the call. Then the tool runs only if the higher levels alone let the rewritten call run.
          const command = commandAfter(before);
          const isAllowed = command !== original && (await fire(above, command))?.call.status === 'executed';
          if (!isAllowed) expect({ alone: alone.call.reason, together: before.verdict }).toEqual({ together: 'not executed' });
        }
        // Whatever ends the event early is an objection.
        if (before.verdict.stop || before.verdict.kind === 'deny') continue;
        const ran = new Set(ranFor(levels, before));
        const missing = ranAlone.filter((each) => !ran.has(each));
        if (missing.length > 0) expect(missing).toEqual([]);
      }
    });
    await fc.assert(property, { numRuns: pairs / choices });
    // Everything was tried, in as many pairs as that takes.
    if (seen.blocked + seen.executed < pairs / 8) return;
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  },
  patienceMs,
);
