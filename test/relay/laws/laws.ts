import { defaultDialects } from '@tenterhook/dialects';
import {
  type AggregatedHookResult,
  type Dialect,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  isPlainObject,
  type RelayAnswer,
  type RelayFormat,
  type RelayPolicy,
  type VerdictKind,
} from '@tenterhook/protocol';
import fc from 'fast-check';

type Fields = Readonly<Record<string, unknown>>;

/** The agents whose format has a way back. */
export const relayed = defaultDialects().flatMap((dialect) => (dialect.relay === undefined ? [] : [{ dialect, relay: dialect.relay }]));

const command = { program: '/opt/bin/tenterhook-hook', args: [] };
const files = { isFile: () => false, isExecutable: () => false, head: () => undefined };
const context = { projectDir: '/srv/app', home: '/home/u', environment: {}, platform: 'linux', files };

/** The hook that the entry of an event makes in the agent's own format. */
export function hookOf(dialect: Dialect, relay: RelayFormat, event: string): HookDefinition {
  const { at, key, value, switches = [] } = relay.entry(event, command, { timeoutMs: 65_000, onFailure: 'open' });
  const settings = switches.reduce<Fields>(
    (whole, { path, value: set }) => placed(whole, path, set),
    placed({}, key === undefined ? at : [...at, key], key === undefined ? [value] : value),
  );
  const { hooks, diagnostics } = dialect.parse({ source: 'user', value: settings, locate: () => undefined }, context);
  expect({ event, problems: diagnostics.filter(({ severity }) => severity !== 'note') }).toEqual({ event, problems: [] });
  expect(hooks).toHaveLength(1);
  return hooks[0] as HookDefinition;
}

function placed(whole: Fields, [key, ...rest]: readonly string[], value: unknown): Fields {
  const inner = isPlainObject(whole[key as string]) ? (whole[key as string] as Fields) : {};
  return { ...whole, [key as string]: rest.length === 0 ? value : placed(inner, rest, value) };
}

const word = fc.constantFrom('no', 'sure?', 'a b', '<b>', 'é\n"x"', 'key=1', '{"decision":"allow"}', 'allow');
const maybe = (arbitrary: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), arbitrary);
const argument = fc.constantFrom<unknown>('npm test', '/srv/app/a.txt', 'x', 5, true, '');

/** What hooks said about one event. */
const said = fc.record({
  kind: fc.constantFrom<VerdictKind>('none', 'allow', 'ask', 'deny'),
  reason: maybe(word),
  stop: fc.boolean(),
  stopReason: maybe(word),
  context: maybe(word),
  user: maybe(word),
  everyone: maybe(word),
  given: fc.dictionary(fc.constantFrom('command', 'description', 'file_path', 'content'), argument, { minKeys: 1 }),
  input: fc.option(fc.dictionary(fc.constantFrom('command', 'description', 'file_path', 'content', 'more'), argument), { nil: undefined }),
  result: fc.option(word, { nil: undefined }),
  prompt: fc.option(word, { nil: undefined }),
  tool: fc.constantFrom('run_shell_command', 'mcp_s_t', 'own_tool'),
  onLoss: fc.constantFrom<'deny' | 'warn'>('deny', 'warn'),
});
type Said = typeof said extends fc.Arbitrary<infer Value> ? Value : never;

function resultOf(eventName: HookEventName, one: Said): AggregatedHookResult {
  const { kind, reason, stop, stopReason } = one;
  const isTool = eventName === 'BeforeTool' || eventName === 'PermissionRequest';
  const specific = {
    ...(isTool && one.input !== undefined ? { tool_input: one.input } : {}),
    ...(eventName === 'AfterTool' && one.result !== undefined
      ? { updatedToolOutput: { llmContent: one.result, returnDisplay: one.result } }
      : {}),
    ...(eventName === 'BeforeAgent' && one.prompt !== undefined ? { replacedPrompt: one.prompt } : {}),
    ...(one.context === '' ? {} : { additionalContext: one.context }),
    ...(one.user === '' ? {} : { userMessage: one.user }),
  };
  const given = kind === 'deny' ? reason || 'Hook "guard" denied and gave no reason.' : reason;
  const output = { ...(kind === 'none' ? {} : { decision: kind }), ...(given === '' ? {} : { reason: given }) };
  const outcome = { hookId: 'guard', eventName, source: 'user', dialect: 'llxprt', durationMs: 1, warnings: [], output };
  return {
    success: true,
    verdict: {
      kind,
      stop,
      by: kind === 'none' ? [] : ['guard'],
      stoppedBy: stop ? ['guard'] : [],
      ...(given === '' ? {} : { reason: given }),
      ...(stop && stopReason !== '' ? { stopReason } : {}),
    },
    finalOutput: {
      ...output,
      ...(one.everyone === '' ? {} : { systemMessage: one.everyone }),
      hookSpecificOutput: specific,
    } as unknown as NonNullable<AggregatedHookResult['finalOutput']>,
    changes: [],
    allOutputs: [],
    outcomes: [{ ...outcome, status: kind === 'deny' ? 'blocked' : 'succeeded' }],
    errors: [],
    totalDuration: 1,
  };
}

const base = { session_id: 's1', transcript_path: '', cwd: '/srv/app' };

/** A canonical event with these arguments. */
function eventOf(eventName: HookEventName, call: { readonly tool: string; readonly given: Fields }): HookEvent {
  const entry = eventEntry(eventName);
  const mcp = call.tool.startsWith('mcp_') ? { mcp_context: { server_name: 's', tool_name: 't' } } : {};
  const sample = { ...(entry.sample as Fields) };
  const fields = 'tool_name' in sample ? { ...sample, tool_name: call.tool, tool_input: call.given, ...mcp } : sample;
  const input = { ...base, hook_event_name: eventName, timestamp: '2026-11-21T10:00:00.000Z', ...fields };
  return { eventName, input: input as unknown as HookEvent['input'], projectDir: '/srv/app' };
}

/** What the agent's hook reads on stdin for an event. */
export function stdinOf(dialect: Dialect, event: HookEvent, hook: HookDefinition): Fields | undefined {
  const invocation = dialect.invocation(event, hook, {});
  return invocation.kind === 'command' ? (JSON.parse(invocation.stdin) as Fields) : undefined;
}

function decoded(dialect: Dialect, answer: RelayAnswer, event: HookEvent, hook: HookDefinition) {
  const exit = {
    kind: 'exited' as const,
    exitCode: answer.exit,
    durationMs: 1,
    leftProcesses: 0,
    stdout: answer.stdout,
    stderr: answer.stderr,
  };
  const sizes = { stdoutBytes: answer.stdout.length, stderrBytes: answer.stderr.length, stdoutTruncated: false, stderrTruncated: false };
  return dialect.decode({ ...exit, ...sizes, invalidUtf8: false }, event, hook);
}

/** Codes of warnings that say that the agent would not read a field as it is meant. */
const unread = [
  'reserved_field',
  'wrong_event',
  'wrong_type',
  'no_effect',
  'deny_counted',
  'ask_counted',
  'unsupported_ask',
  'not_an_object',
];

/** Whatever hooks say, the agent hears it, or something stricter, or the user hears what is lost. Nothing turns into an allow. */
export function saysWhatHooksSaid(dialect: Dialect, relay: RelayFormat, numRuns: number): void {
  const names = Object.keys(relay.events);
  const hooks = new Map(names.map((event) => [event, hookOf(dialect, relay, event)]));
  fc.assert(
    fc.property(fc.constantFrom(...names), said, (event, one) => {
      const { eventName } = relay.events[event] as { eventName: HookEventName };
      const hook = hooks.get(event) as HookDefinition;
      const [hookEvent, policy] = [eventOf(eventName, one), { onFailure: 'open', ask: 'deny', onLoss: one.onLoss } as RelayPolicy];
      const payload = stdinOf(dialect, hookEvent, hook);
      fc.pre(payload !== undefined);
      const heard = relay.hear(payload, event);
      if (heard.kind === 'neutral') return;
      if (heard.kind === 'refused') throw new Error(heard.reason);
      const answer = relay.say([resultOf(eventName, one)], heard, policy);
      const { output = {}, failure, warnings } = decoded(dialect, answer, hookEvent, hook);
      const isRead = answer.exit === 2 || (failure === undefined && warnings.every(({ code }) => !unread.includes(code)));
      expect({ answer, failure, warnings, isRead }).toMatchObject({ isRead: true });
      const text = `${answer.stdout}${answer.stderr}`;
      const lost = (effect: string) => answer.losses.some((loss) => loss.effect === effect);
      const specific = output.hookSpecificOutput ?? {};
      // In place of the answer of the model is the reason.
      const isWithheld = eventName === 'AfterModel' && specific['llm_response'] !== undefined;
      const isDenied = output.decision === 'deny' || output.continue === false || isWithheld;
      const quoted = (words: string) => text.includes(JSON.stringify(words).slice(1, -1)) || text.includes(words);
      const isBlocking = !['AfterTool', 'AfterAgent', 'SubagentStop'].includes(eventName);
      const isEnding = eventName === 'AfterAgent' || eventName === 'SubagentStop';
      const stopsInstead = one.stop && isEnding;

      if (one.kind === 'deny' && !stopsInstead) {
        expect({ answer, seen: isBlocking ? isDenied || lost('deny') : true }).toMatchObject({ seen: true });
        expect({ answer, quoted: quoted(one.reason || 'gave no reason') || answer.stdout === '' }).toMatchObject({ quoted: true });
      }
      if (one.kind === 'ask' && isBlocking) {
        const seen = isDenied || output.decision === 'ask' || lost('deny');
        expect({ answer, seen }).toMatchObject({ seen: true });
      }
      if (one.stop) expect({ answer, seen: isDenied || lost('stop') || lost('deny') }).toMatchObject({ seen: true });
      const needsAllow = dialect.name === 'codex' && specific['updatedInput'] !== undefined;
      if (one.kind !== 'allow' && !needsAllow) expect(output.decision).not.toBe('allow');
      if (eventName === 'BeforeTool' && one.input !== undefined && !isDenied) {
        const written = (specific['updatedInput'] ?? { ...one.given, ...(specific['tool_input'] as Fields | undefined) }) as Fields;
        const replaced = dialect.name === 'llxprt' ? (specific['tool_input'] as Fields) : written;
        expect({ answer, input: lost('input') ? one.input : replaced }).toEqual({ answer, input: one.input });
      }
      if (eventName === 'PermissionRequest' && one.input !== undefined && !isDenied) {
        expect({ answer, input: lost('input') ? one.input : specific['updatedInput'] }).toEqual({ answer, input: one.input });
      }
      if (eventName === 'AfterTool' && one.result !== undefined && !lost('result')) {
        expect({ answer, quoted: quoted(one.result) }).toMatchObject({ quoted: true });
      }
      if (eventName === 'BeforeAgent' && one.prompt !== undefined && !isDenied) {
        expect(lost('prompt') ? one.prompt : specific['replacedPrompt']).toBe(one.prompt);
      }
      if (one.context !== '' && !isDenied && answer.exit === 0 && !lost('context')) {
        expect({ answer, quoted: quoted(one.context) }).toMatchObject({ quoted: true });
      }
    }),
    { numRuns },
  );
}

const calls = fc.oneof(
  fc.record({
    tool: fc.constant('run_shell_command'),
    given: fc.record({ command: word, description: word }, { requiredKeys: ['command'] }),
  }),
  fc.record({ tool: fc.constant('write_file'), given: fc.record({ file_path: fc.constantFrom('/srv/app/a', '/etc/b'), content: word }) }),
  fc.record({
    tool: fc.constant('replace'),
    given: fc.record({
      file_path: fc.constant('/srv/app/a'),
      old_string: fc.constantFrom('x', 'x\ny'),
      new_string: fc.constantFrom('z', 'z\ny'),
    }),
  }),
  fc.record({ tool: fc.constant('mcp_s_t'), given: fc.dictionary(fc.constantFrom('q', 'path', 'command'), argument) }),
  fc.record({ tool: fc.constant('own_tool'), given: fc.dictionary(fc.constantFrom('q', 'r'), argument) }),
);

/** The name of the tool `t` of any MCP server in Cursor, which does not name the server in this event. */
const serverless = 'MCP:t';

/** What the agent would write to a hook is heard as the event that it was written for. */
export function hearsWhatWasWritten(dialect: Dialect, relay: RelayFormat, numRuns: number): void {
  const names = Object.keys(relay.events).filter((event) => dialect.events === undefined || Object.hasOwn(dialect.events, event));
  const hooks = new Map(names.map((event) => [event, hookOf(dialect, relay, event)]));
  fc.assert(
    fc.property(fc.constantFrom(...names), calls, (event, call) => {
      const { eventName } = relay.events[event] as { eventName: HookEventName };
      const hook = hooks.get(event) as HookDefinition;
      const hookEvent = eventOf(eventName, call);
      fc.pre(dialect.select(hook, hookEvent).run);
      const payload = stdinOf(dialect, hookEvent, hook);
      fc.pre(payload !== undefined);
      const heard = relay.hear(payload, event);
      if (heard.kind === 'neutral') return;
      if (heard.kind === 'refused') throw new Error(heard.reason);
      const [first, ...others] = heard.inputs;
      expect({ heard, count: others.length, eventName: first?.eventName }).toMatchObject({ count: 0, eventName });
      const input = first?.input ?? {};
      const { tool_name: name, tool_input: given } = hookEvent.input as unknown as Fields;
      if (name === undefined) return;
      const isTold = payload?.['tool_name'] !== serverless;
      const expectedName = isTold ? name : 'mcp_unknown_t';
      // An event about a command alone does not have the other arguments.
      const isWhole = payload?.['tool_input'] !== undefined;
      const heardInput = isWhole ? input['tool_input'] : { ...(given as Fields), ...(input['tool_input'] as Fields) };
      expect({ payload, name: input['tool_name'], given: heardInput }).toEqual({ payload, name: expectedName, given });
      if (call.tool === 'mcp_s_t') expect(input['mcp_context']).toMatchObject({ server_name: isTold ? 's' : 'unknown', tool_name: 't' });
    }),
    { numRuns },
  );
}

const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(
    fc.constantFrom(
      'tool_name',
      'tool_input',
      'tool_response',
      'mcp_context',
      'prompt',
      'llm_response',
      'transcript_path',
      'server',
      '__proto__',
    ),
    fc.jsonValue({ maxDepth: 2 }),
  ),
);

/** Whatever comes in, an answer goes out, and with `closed` it is a deny where the agent can deny. */
export function answersAnything(dialect: Dialect, relay: RelayFormat, numRuns: number): void {
  const names = Object.keys(relay.events);
  const hooks = new Map(names.map((event) => [event, hookOf(dialect, relay, event)]));
  fc.assert(
    fc.property(fc.constantFrom(...names), hostile, word, (event, payload, message) => {
      const heard = relay.hear(payload, event);
      expect(['events', 'neutral', 'refused']).toContain(heard.kind);
      const { eventName } = relay.events[event] as { eventName: HookEventName };
      const [hook, hookEvent] = [hooks.get(event) as HookDefinition, eventOf(eventName, { tool: 'own_tool', given: {} })];
      const policy = { ask: 'deny', onLoss: 'deny' } as const;
      const open = decoded(dialect, relay.failed(event, { ...policy, onFailure: 'open' }, message), hookEvent, hook);
      expect(open.failure).toBeUndefined();
      expect([undefined, 'none']).toContain(open.output?.decision);
      expect(open.output?.continue).toBeUndefined();
      const closed = decoded(dialect, relay.failed(event, { ...policy, onFailure: 'closed' }, message), hookEvent, hook);
      const denies = relay.events[event] !== undefined && relay.can(eventName).includes('deny');
      if (denies && !['AfterTool', 'AfterAgent', 'SubagentStop'].includes(eventName)) {
        const isWithheld = eventName === 'AfterModel' && closed.output?.hookSpecificOutput?.['llm_response'] !== undefined;
        expect(closed.output?.decision === 'deny' || closed.output?.continue === false || isWithheld).toBe(true);
      }
    }),
    { numRuns },
  );
}
