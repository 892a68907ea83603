import {
  type Ask,
  executeToolWithHooks,
  type FinishedToolCall,
  type ReviewedToolCall,
  reviewToolCallWithHooks,
  runReviewedToolWithHooks,
  type ToolCall,
} from '@tenterhook/agent';
import type { HookEventName } from '@tenterhook/protocol';
import { z } from 'zod';
import { type AgentScene, firedEvents, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { specific, withFunctions } from '../support/function-hooks.js';

const call = { name: 'run_shell', input: { command: 'ls' }, toolUseId: 'c1' };
const asks = says({ decision: 'ask', reason: 'sure?' });
const allows = says({ decision: 'allow' });
const denies = says({ decision: 'deny', reason: 'not here' });
const stops = says({ continue: false, stopReason: 'enough' });
const writes = (tool_input: Record<string, unknown>) => says({ hookSpecificOutput: { tool_input } });
const adds = (additionalContext: string) => says({ hookSpecificOutput: { additionalContext } });

type Commands = Partial<Record<HookEventName, readonly string[]>>;

/** What one way of making a call led to. */
interface Made {
  readonly outcome: object;
  readonly ranWith: readonly object[];
  readonly events: readonly string[];
}

function make(hooks: Commands, use: (scene: AgentScene, execute: ToolCall['execute']) => Promise<FinishedToolCall>): Promise<Made> {
  return withCommands(hooks, async (scene) => {
    const { calls, execute } = recordingTool({ llmContent: 'done', returnDisplay: 'Done.' });
    const outcome = comparable(await use(scene, execute));
    return { outcome, ranWith: calls, events: firedEvents(scene) };
  });
}

/** An outcome without the parts of the results of events that differ in each run, such as times. */
function comparable({ before, permission, recheck, after, ...rest }: FinishedToolCall): object {
  const verdicts = [before, permission, recheck, after].map((result) => result?.verdict);
  return { ...rest, verdicts };
}

/** Carries out a call in two halves, with the reviewed call as it is after a way through a file. */
async function inHalves({ client }: AgentScene, options: Omit<ToolCall, 'ask'>, answer?: 'allow' | 'deny') {
  const { execute, signal, ...toReview } = options;
  const reviewed = await reviewToolCallWithHooks(client, toReview);
  const stored = JSON.parse(JSON.stringify(reviewed)) as ReviewedToolCall;
  // A user who is not asked does not answer.
  return runReviewedToolWithHooks(client, stored, { execute, signal, answer: stored.status === 'asked' ? answer : undefined });
}

describe('both halves together give what executeToolWithHooks gives', () => {
  const hooks: readonly [string, Commands][] = [
    ['no hook', {}],
    ['no hook decides', { BeforeTool: ['true'] }],
    ['a hook allows', { BeforeTool: [allows] }],
    ['a hook asks', { BeforeTool: [asks] }],
    ['a hook denies', { BeforeTool: [denies] }],
    ['a hook stops', { BeforeTool: [stops] }],
    ['a hook rewrites and another asks', { BeforeTool: [writes({ command: 'ls -l' }), asks] }],
    ['a rewrite does not fit the schema', { BeforeTool: [writes({ command: 7 })] }],
    ['PermissionRequest allows', { BeforeTool: [asks], PermissionRequest: [allows] }],
    ['PermissionRequest denies', { BeforeTool: [asks], PermissionRequest: [denies] }],
    ['PermissionRequest stops', { BeforeTool: [asks], PermissionRequest: [stops] }],
    ['PermissionRequest rewrites', { BeforeTool: [asks], PermissionRequest: [writes({ command: 'pwd' })] }],
    ['context before and after', { BeforeTool: [adds('before')], AfterTool: [adds('after')] }],
    ['a denied tool with context', { BeforeTool: [adds('before'), denies] }],
    ['a hook objects to the result', { AfterTool: [denies] }],
    ['a hook stops after the tool', { AfterTool: [stops] }],
  ];
  const answers: readonly [string, 'allow' | 'deny' | undefined][] = [
    ['the user allows', 'allow'],
    ['the user denies', 'deny'],
    ['no user can be asked', undefined],
  ];
  const rows = hooks.flatMap(([title, commands]) =>
    (['allow', 'ask', 'deny'] as const).map((approval) => [title, approval, commands] as const),
  );

  test.each(rows)('%s, approval %s', async (title, approval, commands) => {
    for (const [, answer] of answers) {
      const ask: Ask = () => answer;
      const whole = { ...call, approval, schema: z.object({ command: z.string() }) };
      const atOnce = await make(commands, ({ client }, execute) => executeToolWithHooks(client, { ...whole, execute, ask }));
      const halves = await make(commands, (scene, execute) => inHalves(scene, { ...whole, execute }, answer));
      expect(halves).toEqual(atOnce);
      // Only a rewrite of PermissionRequest makes the hooks of BeforeTool be asked again.
      const asked = halves.events.filter((name) => name === 'BeforeTool').length;
      expect(asked).toBeLessThanOrEqual(title === 'PermissionRequest rewrites' ? 2 : 1);
    }
  });
});

describe('a reviewed call', () => {
  test('asked: it has the question, the user is not asked, and only an allow runs the tool', async () => {
    await withCommands({ BeforeTool: [writes({ command: 'ls -l' }), asks], AfterTool: ['true'] }, async (scene) => {
      const tool = recordingTool();
      const reviewed = await reviewToolCallWithHooks(scene.client, call);
      const question = { eventName: 'BeforeTool', subject: 'run_shell', input: { command: 'ls -l' }, reason: 'sure?' };
      expect(reviewed).toMatchObject({ status: 'asked', toolUseId: 'c1', input: { command: 'ls -l' }, question });
      const run = (answer?: 'allow' | 'deny') =>
        runReviewedToolWithHooks(scene.client, reviewed, { execute: tool.execute, ...(answer === undefined ? {} : { answer }) });
      expect(await run()).toMatchObject({ status: 'blocked', reason: expect.stringContaining('no user could be asked. sure?') });
      expect(await run('deny')).toMatchObject({ status: 'blocked', reason: 'The user did not allow it. sure?' });
      expect(tool.calls).toEqual([]);
      expect((await run('allow')).status).toBe('executed');
      expect(tool.calls).toEqual([{ command: 'ls -l' }]);
      // Each half fires its own events, however often the other one is called.
      expect(firedEvents(scene)).toEqual(['BeforeTool', 'AfterTool']);
    });
  });

  test('ready: a deny of the user counts, also if no hook asks', async () => {
    await withCommands({ AfterTool: ['true'] }, async (scene) => {
      const tool = recordingTool();
      const reviewed = await reviewToolCallWithHooks(scene.client, call);
      expect(reviewed.status).toBe('ready');
      const finished = await runReviewedToolWithHooks(scene.client, reviewed, { ...tool, answer: 'deny' });
      expect(finished).toMatchObject({ status: 'blocked', reason: 'The user did not allow it.' });
      expect(tool.calls).toEqual([]);
      expect(firedEvents(scene)).toEqual([]);
    });
  });

  test.each([
    ['blocked', denies],
    ['stopped', stops],
  ] as const)('%s: an allow of the user does not run the tool', async (status, hook) => {
    await withCommands({ BeforeTool: [hook] }, async ({ client }) => {
      const tool = recordingTool();
      const reviewed = await reviewToolCallWithHooks(client, call);
      expect(reviewed.status).toBe(status);
      const finished = await runReviewedToolWithHooks(client, reviewed, { ...tool, answer: 'allow' });
      expect(finished.status).toBe(status);
      expect(tool.calls).toEqual([]);
    });
  });

  test('hooks of AfterTool receive the id, the server and the input of the review', async () => {
    await withCommands({ AfterTool: ['cat > seen.json'] }, async (scene) => {
      const reviewed = await reviewToolCallWithHooks(scene.client, { ...call, mcpContext: { server_name: 'files' } });
      await runReviewedToolWithHooks(scene.client, reviewed, recordingTool());
      const fields = { tool_name: 'run_shell', tool_input: { command: 'ls' }, tool_use_id: 'c1', mcp_context: { server_name: 'files' } };
      expect(JSON.parse(scene.read('seen.json') as string)).toMatchObject(fields);
    });
  });

  test('without hooks the tool receives the very input, and nothing is fired', async () => {
    await withCommands({}, async (scene) => {
      const input = { command: 'ls' };
      const reviewed = await reviewToolCallWithHooks(scene.client, { name: 'run_shell', input });
      expect(reviewed).toEqual({
        status: 'ready',
        name: 'run_shell',
        input,
        systemMessages: [],
        userMessages: [],
        suppressOutput: false,
      });
      const tool = recordingTool();
      await runReviewedToolWithHooks(scene.client, reviewed, tool);
      expect(tool.calls[0]).toBe(input);
      expect(firedEvents(scene)).toEqual([]);
    });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty object', {}],
    ['another status', { status: 'executed', name: 'x', input: {} }],
    ['a question that was lost', { status: 'asked', name: 'x', input: {} }],
    ['a text', '{"status":"ready"}'],
  ])('%s instead of a reviewed call: a TypeError, and the tool does not run', async (_title, reviewed) => {
    await withCommands({}, async ({ client }) => {
      const tool = recordingTool();
      const run = runReviewedToolWithHooks(client, reviewed as ReviewedToolCall, tool);
      await expect(run).rejects.toThrow(/result of reviewToolCallWithHooks/);
      expect(tool.calls).toEqual([]);
    });
  });

  test('an invalid answer is a TypeError', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const reviewed = await reviewToolCallWithHooks(client, call);
      const run = runReviewedToolWithHooks(client, reviewed, { ...recordingTool(), answer: 'yes' as never });
      await expect(run).rejects.toThrow('runReviewedToolWithHooks: "answer" must be "allow" or "deny"');
    });
  });
});

describe('what a finished call says about its result', () => {
  const block = (text: string) => `<hook_context>\n${text}\n</hook_context>`;
  /** The content for the model, made of the content of the tool and what the outcome says about it. */
  const rebuilt = (own: string, { replacement, additions = [] }: FinishedToolCall) =>
    [replacement === undefined ? own : replacement.value, ...(additions.length === 0 ? [] : [additions.join('\n')])].join('\n\n');

  test.each<[string, Commands, readonly string[] | undefined]>([
    ['no hooks', {}, undefined],
    ['hooks that say nothing', { BeforeTool: ['true'], AfterTool: ['true'] }, undefined],
    ['context', { BeforeTool: [adds('a')], AfterTool: [adds('b')] }, [block('a'), block('b')]],
    ['an objection', { AfterTool: [denies] }, ['not here']],
  ])('%s', async (_title, commands, additions) => {
    await withCommands(commands, async ({ client }) => {
      const finished = await executeToolWithHooks(client, { ...call, execute: () => ({ llmContent: 'own' }) });
      expect(finished.additions).toEqual(additions);
      expect(finished).not.toHaveProperty('replacement');
      expect(finished.result.llmContent).toBe(rebuilt('own', finished));
    });
  });

  test('a replacement, with context and in halves', async () => {
    const answer = specific({ updatedToolOutput: { llmContent: '***' }, additionalContext: 'b' });
    await withFunctions({ AfterTool: [() => answer] }, async (scene) => {
      const execute = () => ({ llmContent: 'own' });
      for (const finished of [
        await executeToolWithHooks(scene.client, { ...call, execute }),
        await inHalves(scene, { ...call, execute }),
      ]) {
        expect(finished).toMatchObject({ status: 'executed', additions: [block('b')], replacement: { value: '***' } });
        expect(finished.result.llmContent).toBe(rebuilt('own', finished));
      }
    });
  });

  test('a withheld result is a replacement', async () => {
    await withCommands({ AfterTool: ['true'] }, async ({ client }) => {
      const finished = await executeToolWithHooks(client, { ...call, execute: () => ({ llmContent: new Blob(['secret']) }) });
      expect(finished.replacement?.value).toMatch(/Its result was withheld/);
      expect(finished.result.llmContent).toBe(finished.replacement?.value);
    });
  });

  test('a replacement by parts is the value as the hook wrote it', async () => {
    const replaces = specific({ updatedToolOutput: { llmContent: [{ type: 'text', text: '***' }] } });
    await withFunctions({ AfterTool: [() => replaces] }, async ({ client }) => {
      const finished = await executeToolWithHooks(client, { ...call, execute: () => ({ llmContent: [{ type: 'text', text: 'own' }] }) });
      expect(finished.replacement).toEqual({ value: [{ type: 'text', text: '***' }] });
    });
  });

  test('what the tool threw is there, the same value, whatever hooks make of the call', async () => {
    const error = Object.assign(new Error('no network'), { isRetryable: true });
    const execute = () => {
      throw error;
    };
    for (const [output, status] of [
      [{}, 'failed'],
      [specific({ updatedToolOutput: 'gone' }), 'failed'],
      [{ continue: false }, 'stopped'],
    ] as const) {
      await withFunctions({ AfterTool: [() => output] }, async ({ client }) => {
        const finished = await executeToolWithHooks(client, { ...call, execute });
        expect(finished.status).toBe(status);
        expect(finished.thrown).toBe(error);
      });
    }
  });

  test('a tool that threw undefined threw; one that returned nothing, or did not run, did not', async () => {
    const throwsNothing = async () => Promise.reject(undefined);
    await withCommands({}, async ({ client }) => {
      expect(await executeToolWithHooks(client, { ...call, execute: throwsNothing })).toHaveProperty('thrown', undefined);
      expect(await executeToolWithHooks(client, { ...call, execute: () => undefined as never })).not.toHaveProperty('thrown');
      expect(await executeToolWithHooks(client, { ...call, ...recordingTool(), approval: 'deny' })).not.toHaveProperty('thrown');
    });
  });
});
