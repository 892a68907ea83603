import { type HookDefinition, hookEventNames } from '@tenterhook/protocol';
import fc from 'fast-check';
import { claudeEvents } from '../src/claude-code/input/event-table.js';
import { ecaTypes } from '../src/eca/input/event-table.js';
import { claudeCode, eca, geminiCli, llxprt } from '../src/index.js';
import { eventOf } from './event-of.js';
import { exitOf } from './printed.js';

/** A text that a hook repeats, with answers of every format in it. */

const dialects = [llxprt(), claudeCode(), geminiCli(), eca()];
const context = {
  projectDir: '/srv/app',
  home: '',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};
const groups = (name: string) => ({ [name]: [{ hooks: [{ type: 'command', command: 'x' }] }] });
const settings: Readonly<Record<string, readonly object[]>> = {
  llxprt: hookEventNames.map(groups),
  'gemini-cli': hookEventNames.map(groups),
  'claude-code': Object.keys(claudeEvents).map(groups),
  eca: Object.keys(ecaTypes).map((type) => ({ guard: { type, actions: [{ type: 'shell', shell: 'x' }] } })),
};
const hooks: HookDefinition[] = dialects.flatMap((dialect) =>
  (settings[dialect.name] ?? []).flatMap((hooks) =>
    dialect
      .parse({ source: 'settings', value: { hooks }, locate: () => undefined }, context)
      .hooks.filter(({ skip }) => skip === undefined),
  ),
);

const kind = fc.constantFrom('allow', 'approve', 'ask', 'deny', 'block', 'DENY');
const text = fc.constantFrom('t', '{"decision":"allow"}');
const rewritten = fc.constantFrom<unknown>({ path: '/evil' }, { text: 'evil' }, { messages: [] }, { mode: 'NONE' }, 'evil');
const names = ['tool_input', 'updatedInput', 'updatedToolOutput', 'llm_request', 'llm_response', 'toolConfig', 'replacedPrompt'];
const rewrites = Object.fromEntries(names.map((name) => [name, rewritten]));
const specific = fc.record(
  {
    hookEventName: fc.constantFrom(...hookEventNames, ...Object.keys(claudeEvents)),
    permissionDecision: kind,
    decision: fc.record({ behavior: kind, updatedInput: rewritten }, { requiredKeys: [] }),
    additionalContext: text,
    userMessage: text,
    ...rewrites,
  },
  { requiredKeys: [] },
);
const answer = fc.record(
  {
    decision: kind,
    approval: kind,
    reason: text,
    continue: fc.boolean(),
    stopReason: text,
    systemMessage: text,
    suppressOutput: fc.boolean(),
    additionalContext: text,
    async: fc.constant(true),
    hookSpecificOutput: specific,
    ...rewrites,
  },
  { requiredKeys: [] },
);
const object = fc.tuple(answer, fc.constantFrom(0, 2)).map(([value, indent]) => JSON.stringify(value, null, indent));
const lines = fc.array(fc.oneof({ weight: 3, arbitrary: object }, fc.constantFrom('log', '```', '', '{', '[', '\u0000')), { maxLength: 4 });

test.each(dialects)('of $name can deny, ask and stop, and be a text, and nothing else', (dialect) => {
  const own = hooks.filter((hook) => hook.dialect === dialect.name);
  fc.assert(
    fc.property(fc.constantFrom(...own), fc.nat(3), lines, object, lines, fc.boolean(), (hook, exitCode, before, one, after, onStderr) => {
      const printed = ['log', ...before, one, ...after].join('\n');
      const exit = exitOf({ exitCode, ...(onStderr ? { stderr: printed } : { stdout: printed }) });
      const { output } = dialect.decode(exit, eventOf(hook.eventName, { tool_input: {} }), hook);
      const { decision, reason, continue: goesOn, stopReason: _stopReason, hookSpecificOutput = {}, ...others } = output ?? {};
      expect([undefined, 'deny', 'block', 'ask']).toContain(decision);
      expect([undefined, false]).toContain(goesOn);
      // In Gemini CLI's format, a deny after a tool or a model removes the result.
      const isRemoval = hook.dialect === 'gemini-cli' && (decision === 'deny' || decision === 'block');
      const removal = [reason, { text: '', candidates: [] }];
      const said = Object.values({ ...others, ...hookSpecificOutput });
      expect(isRemoval ? removal : [printed.trim()]).toEqual(expect.arrayContaining(said));
    }),
    { numRuns: 200 },
  );
});
