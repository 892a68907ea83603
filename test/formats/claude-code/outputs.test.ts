import { acceptPromptWithHooks, executeToolWithHooks, startSessionWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import { callBash, fireBash, fireClaude, hooksOf, permission, preToolUse, specific, specificOf, withClaude } from './claude-hooks.js';
import { hostMoments, moment, moments } from './moments.js';

test('hookSpecificOutput of another event is dropped, with a warning', async () => {
  const result = await fireBash(specific('PostToolUse', { updatedInput: { command: 'ls' }, additionalContext: 'c' }));
  expect(result.verdict.kind).toBe('none');
  expect(result.changes).toEqual([]);
  expect(specificOf(result)).not.toHaveProperty('additionalContext');
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['wrong_event']);
});

test('without an event it is dropped as well', async () => {
  const result = await fireBash(says({ hookSpecificOutput: { updatedInput: { command: 'ls' }, additionalContext: 'c' } }));
  expect(result.changes).toEqual([]);
  expect(specificOf(result)).not.toHaveProperty('additionalContext');
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['wrong_event']);
});

describe.each([
  ['no event', {}],
  ['another event', { hookEventName: 'PostToolUse' }],
  ['the event in other letters', { hookEventName: 'pretooluse' }],
])('where %s is named', (_, named) => {
  test.each([
    ['deny', 'deny_counted'],
    ['ask', 'ask_counted'],
  ])('claude 23: a %s in it counts (decision 68)', async (permissionDecision, code) => {
    const result = await fireBash(says({ hookSpecificOutput: { ...named, permissionDecision, permissionDecisionReason: 'r' } }));
    expect(result.verdict).toMatchObject({ kind: permissionDecision, reason: 'r' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(expect.arrayContaining(['wrong_event', code]));
  });

  test('claude 23: an allow in it does not count', async () => {
    const result = await fireBash(says({ hookSpecificOutput: { ...named, permissionDecision: 'allow' } }));
    expect(result.verdict.kind).toBe('none');
    expect(warningCodes(outcomeAt(result, 0))).toContain('wrong_event');
  });
});

test('what is next to it counts', async () => {
  const result = await fireBash(says({ systemMessage: 'm', hookSpecificOutput: { hookEventName: 'Stop', updatedInput: {} } }));
  expect(specificOf(result)).toMatchObject({ userMessage: 'm' });
});

test('unknown fields are dropped with a trace, and the rest counts', async () => {
  const output = {
    confidence: 0.9,
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no', color: 'red' },
  };
  const result = await fireBash(says(output));
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(result.finalOutput).not.toHaveProperty('confidence');
  expect(specificOf(result)).not.toHaveProperty('color');
  expect(outcomeAt(result, 0).output).not.toHaveProperty('confidence');
  const traces = JSON.stringify(outcomeAt(result, 0).warnings);
  for (const field of ['confidence', 'color']) expect(traces).toContain(field);
});

test('fields of the canonical format do not exist in this one', async () => {
  const specificFields = { replacedPrompt: 'x', retryAfterMs: 1, skipRemaining: true, userMessage: 'u', tool_input: { command: 'x' } };
  const result = await fireBash(specific('PreToolUse', specificFields));
  expect(result.changes).toEqual([]);
  for (const field of Object.keys(specificFields)) expect(specificOf(result)).not.toHaveProperty(field);
});

test.each<[event: string, fields: Record<string, unknown>]>([
  ['PreToolUse', { additionalContext: 'c' }],
  ['PostToolUse', { additionalContext: 'c', classifierContext: 'd' }],
  ['PostToolUseFailure', { additionalContext: 'c' }],
  ['UserPromptSubmit', { additionalContext: 'c', sessionTitle: 't', suppressOriginalPrompt: true }],
  ['UserPromptExpansion', { additionalContext: 'c', suppressOriginalPrompt: true }],
  ['SessionStart', { additionalContext: 'c', initialUserMessage: 'i', sessionTitle: 't', watchPaths: ['/srv/a'], reloadSkills: true }],
  ['PostToolBatch', { additionalContext: 'c' }],
  ['Setup', { additionalContext: 'c' }],
  ['SubagentStart', { additionalContext: 'c' }],
  ['SubagentStop', { additionalContext: 'c' }],
  ['Stop', { additionalContext: 'c' }],
  ['Notification', { additionalContext: 'c' }],
  ['PostModelSwitch', { additionalContext: 'c' }],
  ['PermissionDenied', { retry: true }],
  ['CwdChanged', { watchPaths: ['/srv/a'] }],
  ['FileChanged', { watchPaths: ['/srv/a'] }],
  ['Elicitation', { action: 'accept', content: { a: 1 } }],
  ['ElicitationResult', { action: 'accept', content: { a: 1 } }],
  ['WorktreeCreate', { worktreePath: '/srv/w' }],
  ['MessageDisplay', { displayContent: 'x' }],
])('claude §5 output: %s takes %j under the same names', async (event, fields) => {
  const result = await fireClaude(moment(event), specific(event, fields));
  expect(specificOf(result)).toMatchObject(fields);
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [] });
});

test.each<[event: string, field: string, value: unknown]>([
  ['SessionEnd', 'additionalContext', 'c'],
  ['PreCompact', 'additionalContext', 'c'],
  ['PreToolUse', 'updatedToolOutput', 'x'],
  ['PostToolUse', 'updatedInput', { command: 'ls' }],
  ['UserPromptSubmit', 'updatedInput', { prompt: 'x' }],
  ['Stop', 'sessionTitle', 't'],
])('claude §5 output: %s does not take %s', async (event, field, value) => {
  const result = await fireClaude(moment(event), specific(event, { [field]: value }));
  expect(specificOf(result)).not.toHaveProperty(field);
  expect(result.changes).toEqual([]);
});

test.each<[event: string, field: string, value: unknown]>([
  ['PreToolUse', 'updatedInput', 'ls'],
  ['PreToolUse', 'additionalContext', 7],
  ['UserPromptSubmit', 'sessionTitle', {}],
  ['SessionStart', 'watchPaths', 'a'],
])('claude §5 output: a value of the wrong type is dropped with a warning: %s %s %j', async (event, field, value) => {
  const result = await fireClaude(moment(event), specific(event, { [field]: value }));
  expect(specificOf(result)).not.toHaveProperty(field);
  expect(result.changes).toEqual([]);
  expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'wrong_type', message: expect.stringContaining(field) }]);
});

test.each(['Elicitation', 'ElicitationResult'])('claude §5 output: an answer of %s that is "no" counts as deny', async (event) => {
  for (const action of ['decline', 'cancel']) {
    const result = await fireClaude(moment(event), specific(event, { action }));
    expect(specificOf(result)).toMatchObject({ action });
    expect(result.verdict.kind).toBe('deny');
  }
});

const permits = (decision: Record<string, unknown>) => fireClaude(moment('PermissionRequest'), specific('PermissionRequest', { decision }));

test('claude §5 output: a permission prompt that is answered with yes, with another input and with rules', async () => {
  const rules = [{ type: 'addRules', rules: [{ toolName: 'Edit' }], behavior: 'allow', destination: 'session' }];
  const updatedInput = { file_path: '/srv/app/b.ts', old_string: 'a', new_string: 'b' };
  const result = await permits({ behavior: 'allow', updatedInput, updatedPermissions: rules });
  expect(result.verdict.kind).toBe('allow');
  expect(specificOf(result)['tool_input']).toEqual(updatedInput);
  expect(specificOf(result)['updatedPermissions']).toEqual(rules);
});

test('claude §5 output: a permission prompt that is answered with no, and one that ends the agent', async () => {
  expect((await permits({ behavior: 'deny', message: 'no' })).verdict).toMatchObject({ kind: 'deny', reason: 'no', stop: false });
  expect((await permits({ behavior: 'deny', message: 'no', interrupt: true })).verdict).toMatchObject({ kind: 'deny', stop: true });
});

test('claude §5 output: silence on a permission prompt leaves it to the user', async () => {
  expect((await fireClaude(moment('PermissionRequest'), 'true')).verdict.kind).toBe('none');
  expect((await permits({ behavior: 'perhaps' })).verdict.kind).toBe('none');
});

test.each([
  ['deny', 'deny'],
  ['ask', 'ask'],
  ['allow', 'allow'],
])('claude §5 output: the permissionDecision %s of PreModelSwitch is %s', async (permissionDecision, kind) => {
  const fields = { permissionDecision, permissionDecisionReason: 'r' };
  const result = await fireClaude(moment('PreModelSwitch'), specific('PreModelSwitch', fields));
  expect(result.verdict.kind).toBe(kind);
  if (kind === 'deny') expect(result.verdict.reason).toBe('r');
});

test.each([
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
  'PostToolUse',
  'PostToolBatch',
  'TaskCreated',
  'ConfigChange',
])('claude §5 output: the decision "block" of %s is a deny', async (event) => {
  const result = await fireClaude(moment(event), says({ decision: 'block', reason: 'r' }));
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r' });
});

test.each(['SessionStart', 'Notification', 'SubagentStart', 'TaskCompleted', 'TeammateIdle'])(
  'claude §5 output: where the product does not read it, it counts with a warning (decision 68): %s',
  async (event) => {
    const result = await fireClaude(moment(event), says({ decision: 'block', reason: 'r' }));
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r' });
    expect(warningCodes(outcomeAt(result, 0))).toContain('deny_counted');
  },
);

test('claude §5 output: an ask of an event that has none counts, with a warning (decision 66)', async () => {
  const result = await fireClaude(moment('UserPromptSubmit'), specific('UserPromptSubmit', { permissionDecision: 'ask' }));
  expect(result.verdict.kind).toBe('ask');
  expect(warningCodes(outcomeAt(result, 0))).toContain('ask_counted');
});

test.each([
  ['deny', 'deny', 'deny_counted'],
  ['ask', 'ask', 'ask_counted'],
])(
  'claude §5 output: the decision "%s", which the product does not have, counts with a warning (decision 68)',
  async (decision, kind, code) => {
    const result = await fireBash(says({ decision, reason: 'r' }));
    expect(result.verdict).toMatchObject({ kind, reason: 'r' });
    expect(warningCodes(outcomeAt(result, 0))).toContain(code);
  },
);

test('claude §5 output: an object may stand over several lines, with space before it', async () => {
  const result = await fireBash(`printf '\\n  {\\n  "decision": "block",\\n  "reason": "r"\\n}\\n'`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r' });
  expect(outcomeAt(result, 0).warnings).toEqual([]);
});

test('claude §5 output: suppressOutput has no effect, and terminalSequence is not supported', async () => {
  const result = await fireBash(says({ suppressOutput: true, terminalSequence: '[2J' }));
  expect(result.finalOutput?.suppressOutput).toBeUndefined();
  expect(JSON.stringify(result.finalOutput)).not.toContain('[2J');
});

test('claude §5 output: a long text is passed as a whole', async () => {
  const program = `node -e "console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'x'.repeat(20000) } }))"`;
  expect(specificOf(await fireBash(program))['additionalContext']).toHaveLength(20_000);
});

test('claude §5 output: contexts and titles of two hooks: texts are joined, of titles the last one counts', async () => {
  const both = [
    specific('UserPromptSubmit', { additionalContext: 'a', sessionTitle: 'one' }),
    specific('UserPromptSubmit', { additionalContext: 'b', sessionTitle: 'two' }),
  ];
  const result = await fireClaude(moment('UserPromptSubmit'), both);
  expect(specificOf(result)).toMatchObject({ additionalContext: 'a\nb', sessionTitle: 'two' });
});

test.each([...moments, ...hostMoments])('claude §5 output: {} says nothing on %s', async (...each) => {
  const result = await fireClaude(each, 'echo "{}"');
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(specificOf(result)).toEqual({});
});

test('claude §5 output: the answer of a permission goes with its reason and its context', async () => {
  const result = await fireBash(permission('allow', { permissionDecisionReason: 'ok', additionalContext: 'c' }));
  expect(result.verdict).toMatchObject({ kind: 'allow', reason: 'ok' });
  expect(specificOf(result)).toMatchObject({ additionalContext: 'c' });
});

describe('texts', () => {
  const withContext = ['UserPromptSubmit', 'UserPromptExpansion', 'SessionStart'];
  /** Events on which text has another meaning: the path of the worktree that the hook created. */
  const withMeaning = ['WorktreeCreate'];
  const withoutContext = [...moments, ...hostMoments].filter(([event]) => ![...withContext, ...withMeaning].includes(event));

  test('text of a PreToolUse hook is not a decision and no context', async () => {
    const result = await fireBash('echo hello');
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(specificOf(result)).not.toHaveProperty('additionalContext');
    expect(result.finalOutput?.systemMessage).toBeUndefined();
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', stdout: 'hello\n', warnings: [] });
  });

  test.each(withContext)('text of a %s hook is context', async (event) => {
    const result = await fireClaude(moment(event), 'echo hello; echo world');
    expect(specificOf(result)).toMatchObject({ additionalContext: 'hello\nworld' });
    expect(specificOf(result)).not.toHaveProperty('userMessage');
    expect(result.verdict.kind).toBe('none');
  });

  test('such context reaches the model, and the user is not shown it', async () => {
    const hooks = { ...hooksOf('UserPromptSubmit', 'echo It is Monday.'), ...hooksOf('SessionStart', 'echo Branch main.') };
    await withClaude(hooks, async ({ client }) => {
      const prompt = await acceptPromptWithHooks(client, { prompt: 'p' });
      expect(prompt).toMatchObject({ status: 'accepted', prompt: 'p', systemMessages: [], userMessages: [] });
      expect(prompt).toMatchObject({ promptForModel: expect.stringContaining('It is Monday.') });
      const session = await startSessionWithHooks(client, 'startup');
      expect(session).toMatchObject({ additionalContext: expect.stringContaining('Branch main.'), userMessages: [] });
    });
  });

  test.each(withoutContext)('claude §5 text: of a %s hook it is only shown to the user', async (...moment) => {
    const result = await fireClaude(moment, 'echo hello');
    expect(specificOf(result)).toMatchObject({ userMessage: 'hello' });
    expect(specificOf(result)).not.toHaveProperty('additionalContext');
    expect(result.finalOutput?.systemMessage).toBeUndefined();
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  });

  test('claude §5 text: what does not start with a brace is text, JSON or not', async () => {
    for (const text of ['[1,2]', '"quoted"', '42', 'true', 'null']) {
      const result = await fireClaude(moment('UserPromptSubmit'), `echo '${text}'`);
      expect(specificOf(result)).toMatchObject({ additionalContext: text });
    }
  });

  test('claude §5 text: what only starts like an object is not a decision, and a warning', async () => {
    const result = await fireBash(`echo '{"decision": "block"'`);
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0).warnings[0]).toMatchObject({ code: expect.stringMatching(/invalid_json|decision_in_text/) });
  });

  test('claude §5 text: a deny behind a log line counts', async () => {
    const deny = specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' });
    expect((await fireBash(`echo checking; ${deny}`)).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    const allow = specific('PreToolUse', { permissionDecision: 'allow' });
    expect((await fireBash(`echo checking; ${allow}`)).verdict.kind).toBe('none');
  });

  test('claude §6 text: with exit 1 and no JSON it is neither context nor a message', async () => {
    const result = await fireClaude(moment('UserPromptSubmit'), 'echo hello; exit 1');
    expect(specificOf(result)).not.toHaveProperty('additionalContext');
    expect(result.verdict.kind).toBe('none');
  });

  test('the systemMessages of two hooks are both passed, in plan order, to the user', async () => {
    // The first hook ends last.
    const first = `until [ -e second ]; do sleep 0.02; done; ${says({ systemMessage: 'one' })}`;
    const second = `${says({ systemMessage: 'two' })}; touch second`;
    await withClaude(preToolUse([first, second]), async ({ handler }) => {
      const result = await callBash(handler);
      expect(specificOf(result)['userMessage']).toBe('one\ntwo');
      expect(result.finalOutput?.systemMessage).toBeUndefined();
      expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    });
  });

  test('the agent receives it as a message for the user, and not for the conversation', async () => {
    await withClaude(preToolUse(says({ systemMessage: 'one' })), async ({ client }) => {
      const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: {}, ...recordingTool() });
      expect(call).toMatchObject({ status: 'executed', userMessages: ['one'], systemMessages: [], result: { llmContent: 'done' } });
    });
  });
});

test.each([
  ['PostToolUse', 'the secret is out', 'the secret is out'],
  ['PostToolUseFailure', 'it failed, and shows a path', 'it failed, and shows a path'],
])(
  'claude §5 output: permissionDecision "deny" after a tool is feedback, with a warning: %s',
  async (event, permissionDecisionReason, reason) => {
    const result = await fireClaude(moment(event), specific(event, { permissionDecision: 'deny', permissionDecisionReason }));
    expect(result.verdict).toMatchObject({ kind: 'deny', reason });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['deny_counted']);
  },
);

test('claude §5 output: permissionDecision "allow" after a tool decides nothing', async () => {
  const result = await fireClaude(moment('PostToolUse'), specific('PostToolUse', { permissionDecision: 'allow' }));
  expect(result.verdict.kind).toBe('none');
});

test.each([
  ['[[ npm =~ (npm|yarn) ]] && exit 2', 'blocked'],
  ['printf -v word b; [ "$word" = b ] && exit 2', 'blocked'],
  ['diff <(echo a) <(echo a) && exit 2', 'blocked'],
])('claude §3: a command line may use the syntax of bash: %s', async (line, status) => {
  expect(outcomeAt(await fireBash(line), 0).status).toBe(status);
});
