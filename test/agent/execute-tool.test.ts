import { executeToolWithHooks, type ToolResult, type ToolSchema } from '@tenterhook/agent';
import { z } from 'zod';
import { firedEvents, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { deny, specific, withFunctions } from '../support/function-hooks.js';

const call = { name: 'write_file', input: { path: 'a.txt', text: 'hello' } };
const first = 'llxprt/settings/BeforeTool/0.0';

describe('what hooks decide', () => {
  test('without hooks the tool runs, nothing is fired, and the outcome is the bare result', async () => {
    const tool = recordingTool();
    await withCommands({}, async (scene) => {
      const outcome = await executeToolWithHooks(scene.client, { ...call, ...tool });
      expect(outcome).toEqual({
        status: 'executed',
        input: call.input,
        result: { llmContent: 'done' },
        systemMessages: [],
        userMessages: [],
        suppressOutput: false,
      });
      expect(firedEvents(scene)).toEqual([]);
    });
    expect(tool.calls).toEqual([call.input]);
  });

  test.each([
    ['a deny', says({ decision: 'deny', reason: 'not here' })],
    ['a block', says({ decision: 'block', reason: 'not here' })],
    ['exit 2', 'echo not here >&2; exit 2'],
  ])('%s: the tool does not run, and the model reads the reason as its result', async (_, hook) => {
    const tool = recordingTool();
    await withCommands({ BeforeTool: [hook], AfterTool: ['true'] }, async (scene) => {
      const outcome = await executeToolWithHooks(scene.client, { ...call, ...tool });
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'not here', input: call.input, before: { verdict: { by: [first] } } });
      expect(outcome.result.llmContent).toBe('not here');
      expect(outcome.result.error).toBeDefined();
      expect(outcome).not.toHaveProperty('after');
      expect(firedEvents(scene)).toEqual(['BeforeTool']);
    });
    expect(tool.calls).toEqual([]);
  });

  test.each([
    ['an allow', says({ decision: 'allow' })],
    ['text', 'echo fine'],
    ['silence', 'true'],
    ['a failure', 'exit 1'],
    ['a deny that comes with exit 1', `${says(deny('no'))}; exit 1`],
  ])('%s: the tool runs', async (_, hook) => {
    const tool = recordingTool();
    await withCommands({ BeforeTool: [hook] }, async ({ client }) => {
      expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe('executed');
    });
    expect(tool.calls).toHaveLength(1);
  });

  test('a stop before the tool ends the loop: the tool does not run, and the call has a result nevertheless', async () => {
    const tool = recordingTool();
    await withCommands({ BeforeTool: [says({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'enough' });
      expect(outcome.result.llmContent).toContain('enough');
    });
    expect(tool.calls).toEqual([]);
  });

  test('a stop outranks a deny and an allow of other hooks', async () => {
    const stop = says({ continue: false, stopReason: 'enough' });
    for (const other of [says(deny('no')), says({ decision: 'allow' })]) {
      const tool = recordingTool();
      await withCommands({ BeforeTool: [other, stop] }, async ({ client }) => {
        expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe('stopped');
      });
      expect(tool.calls).toEqual([]);
    }
  });

  test('a stop after the tool ends the loop with its result', async () => {
    const tool = recordingTool();
    await withCommands({ AfterTool: [says({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'enough', result: { llmContent: 'done' }, after: {} });
    });
    expect(tool.calls).toHaveLength(1);
  });

  test('mcp_context goes along in both events (field failure 24)', async () => {
    const mcpContext = { server_name: 'files', url: 'http://localhost' };
    await withCommands({ BeforeTool: ['cat > before.json'], AfterTool: ['cat > after.json'] }, async ({ client, read }) => {
      await executeToolWithHooks(client, { ...call, ...recordingTool(), mcpContext });
      for (const file of ['before.json', 'after.json']) {
        expect(JSON.parse(read(file) ?? '{}')).toMatchObject({ tool_name: 'write_file', mcp_context: mcpContext });
      }
    });
  });
});

describe('the id of a call', () => {
  const idIn = (text: string | undefined) => (JSON.parse(text ?? '{}') as Record<string, unknown>)['tool_use_id'];

  test('is made for each call, and is the same before and after the tool', async () => {
    await withCommands({ BeforeTool: ['cat > before.json'], AfterTool: ['cat > after.json'] }, async ({ client, read }) => {
      const ids = [];
      for (let count = 0; count < 2; count += 1) {
        await executeToolWithHooks(client, { ...call, ...recordingTool() });
        expect(idIn(read('after.json'))).toBe(idIn(read('before.json')));
        ids.push(idIn(read('before.json')));
      }
      expect(ids).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
      expect(ids[0]).not.toBe(ids[1]);
    });
  });

  test.each(['BeforeTool', 'AfterTool'] as const)('is that of the model, where the agent tells it (%s)', async (eventName) => {
    await withCommands({ [eventName]: ['cat > seen.json'] }, async ({ client, read }) => {
      await executeToolWithHooks(client, { ...call, ...recordingTool(), toolUseId: 'toolu_1' });
      expect(idIn(read('seen.json'))).toBe('toolu_1');
    });
  });
});

describe('what hooks rewrite', () => {
  const writes = (tool_input: Record<string, unknown>) => says({ hookSpecificOutput: { tool_input } });

  test('the tool and AfterTool get the whole accumulated input', async () => {
    const tool = recordingTool();
    await withCommands(
      { BeforeTool: [writes({ mode: 'x' }), writes({ path: 'b.txt' })], AfterTool: ['cat > after.json'] },
      async (scene) => {
        const outcome = await executeToolWithHooks(scene.client, { ...call, ...tool });
        const whole = { path: 'b.txt', text: 'hello', mode: 'x' };
        expect(outcome.input).toEqual(whole);
        expect(tool.calls).toEqual([whole]);
        expect(JSON.parse(scene.read('after.json') ?? '{}').tool_input).toEqual(whole);
      },
    );
    expect(call.input).toEqual({ path: 'a.txt', text: 'hello' });
  });

  test('the rewritten input is the tool’s own: it may change it as it may change any other', async () => {
    await withCommands({ BeforeTool: [writes({ list: [1] })] }, async ({ client }) => {
      const execute = (input: Record<string, unknown>) => {
        input['extra'] = true;
        (input['list'] as number[]).push(2);
        return { llmContent: input['list'] };
      };
      const outcome = await executeToolWithHooks(client, { ...call, execute });
      expect(outcome).toMatchObject({ status: 'executed', result: { llmContent: [1, 2] } });
    });
  });

  test('updatedInput takes the place of the input as a whole', async () => {
    const tool = recordingTool();
    await withFunctions({ BeforeTool: [() => specific({ updatedInput: { path: 'c.txt' } })] }, async ({ client }) => {
      await executeToolWithHooks(client, { ...call, ...tool });
    });
    expect(tool.calls).toEqual([{ path: 'c.txt' }]);
  });

  test('what a hook rewrites and denies, does not run', async () => {
    const tool = recordingTool();
    await withCommands({ BeforeTool: [writes({ path: 'b.txt' }), says(deny('no'))] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool });
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'no' });
    });
    expect(tool.calls).toEqual([]);
  });
});

describe('the schema of the tool', () => {
  const schema = z.object({ path: z.string(), text: z.string() });
  const writes = (tool_input: Record<string, unknown>) => says({ hookSpecificOutput: { tool_input } });

  test('an input that a hook spoiled blocks the call and names the hook; the original never runs (field failure 9)', async () => {
    const tool = recordingTool();
    await withCommands({ BeforeTool: ['true', writes({ path: 7 })] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool, schema });
      expect(outcome).toMatchObject({ status: 'blocked', input: { path: 7, text: 'hello' } });
      expect(outcome.reason).toContain('"llxprt/settings/BeforeTool/0.1"');
      expect(outcome.reason).toContain('path');
      expect(outcome.reason).not.toContain(first);
      expect(outcome.result.llmContent).toBe(outcome.reason);
    });
    expect(tool.calls).toEqual([]);
  });

  test('a field that a hook took away is the hook’s doing', async () => {
    const tool = recordingTool();
    await withFunctions({ BeforeTool: [() => specific({ updatedInput: { text: 'x' } })] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool, schema });
      expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('"BeforeTool/0"') });
    });
    expect(tool.calls).toEqual([]);
  });

  test.each<[string, string[]]>([
    ['without hooks', []],
    ['with a hook that rewrites nothing', ['true']],
    ['with a hook that rewrites another field', [writes({ text: 'other' })]],
  ])('a bad input of the model’s own fails and blames no hook, %s', async (_, hooks) => {
    const tool = recordingTool();
    await withCommands(hooks.length === 0 ? {} : { BeforeTool: hooks }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { name: call.name, input: { path: 7, text: 'hello' }, ...tool, schema });
      expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('path') });
      expect(outcome.reason).not.toContain('hook');
      expect(outcome.result.llmContent).toBe(outcome.reason);
    });
    expect(tool.calls).toEqual([]);
  });

  test('a hook may fix the model’s bad input', async () => {
    const tool = recordingTool();
    await withCommands({ BeforeTool: [writes({ path: 'a.txt' })] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { name: call.name, input: { path: 7, text: 'hello' }, ...tool, schema });
      expect(outcome.status).toBe('executed');
    });
    expect(tool.calls).toEqual([{ path: 'a.txt', text: 'hello' }]);
  });

  test('a rule over several fields, broken by a rewrite, names the hook', async () => {
    const ordered = z.object({ from: z.number(), to: z.number() }).refine(({ from, to }) => from <= to, 'from must not be behind to');
    const tool = recordingTool();
    await withCommands({ BeforeTool: [writes({ to: 1 })] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { name: 'cut', input: { from: 3, to: 9 }, ...tool, schema: ordered });
      expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringMatching(/0\.0.*from must not be behind to/) });
    });
    expect(tool.calls).toEqual([]);
  });

  test('an asynchronous schema of another library is awaited, its paths of keys are read', async () => {
    const asynchronous: ToolSchema = {
      '~standard': {
        validate: async (value) => {
          await Promise.resolve();
          return (value as { path: unknown }).path === 'a.txt' ? {} : { issues: [{ message: 'is another', path: [{ key: 'path' }] }] };
        },
      },
    };
    await withCommands({ BeforeTool: [`grep -q '"text":"hello"' || ${writes({ path: 'b.txt' })}`] }, async ({ client }) => {
      const good = await executeToolWithHooks(client, { ...call, ...recordingTool(), schema: asynchronous });
      expect(good.status).toBe('executed');
      const tool = recordingTool();
      const bad = await executeToolWithHooks(client, { ...call, input: { path: 'a.txt' }, ...tool, schema: asynchronous });
      expect(bad).toMatchObject({ status: 'blocked', reason: expect.stringContaining('path: is another') });
      expect(tool.calls).toEqual([]);
    });
  });

  test('a schema that throws keeps the tool from running', async () => {
    const broken: ToolSchema = {
      '~standard': {
        validate() {
          throw new Error('no schema today');
        },
      },
    };
    const tool = recordingTool();
    await withCommands({}, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool, schema: broken });
      expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('no schema today') });
    });
    expect(tool.calls).toEqual([]);
  });

  test('the tool gets the input itself, not what the schema makes of it', async () => {
    const tool = recordingTool();
    const stripping = z.object({ path: z.string().transform((path) => path.toUpperCase()) });
    await withCommands({}, async ({ client }) => {
      await executeToolWithHooks(client, { ...call, ...tool, schema: stripping });
    });
    expect(tool.calls).toEqual([call.input]);
  });
});

describe('the tool itself', () => {
  test('AfterTool hooks see what it gave', async () => {
    const result: ToolResult = { llmContent: [{ text: 'a' }], returnDisplay: 'shown', error: { message: 'half of it failed' } };
    await withCommands({ AfterTool: ['cat > after.json'] }, async ({ client, read }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...recordingTool(result) });
      expect(outcome).toMatchObject({ status: 'executed', result });
      const seen = JSON.parse(read('after.json') ?? '{}');
      expect(seen.tool_response).toEqual(result);
      expect(seen.duration_ms).toEqual(expect.any(Number));
    });
  });

  test('an Error as its error reaches hooks as one (field failure 79)', async () => {
    await withCommands({ AfterTool: ['cat > after.json'] }, async ({ client, read }) => {
      await executeToolWithHooks(client, { ...call, ...recordingTool({ llmContent: 'x', error: new RangeError('too far') }) });
      expect(JSON.parse(read('after.json') ?? '{}').tool_response).toEqual({ llmContent: 'x', error: { message: 'too far' } });
    });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('disk full');
      },
    ],
  ])('one that %s has failed, and AfterTool hooks receive it', async (_, execute) => {
    await withCommands({ AfterTool: ['cat > after.json'] }, async ({ client, read }) => {
      const outcome = await executeToolWithHooks(client, { ...call, execute });
      expect(outcome).toMatchObject({ status: 'failed', reason: 'disk full', result: { llmContent: 'disk full', error: {} } });
      expect(JSON.parse(read('after.json') ?? '{}').tool_response.error).toEqual({ message: 'disk full' });
    });
  });

  test.each([undefined, null, 'text', 7])('one that gives %p in place of a result has failed; nothing rejects', async (value) => {
    await withCommands({ AfterTool: ['true'] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, execute: () => value as never });
      expect(outcome).toMatchObject({ status: 'failed', reason: expect.any(String), result: { error: {} } });
    });
  });

  test('a failed tool stays failed when a hook objects too, and stops when one stops', async () => {
    const execute = () => {
      throw new Error('disk full');
    };
    await withCommands({ AfterTool: [says(deny('try elsewhere'))] }, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, execute });
      expect(outcome).toMatchObject({ status: 'failed', reason: 'disk full', result: { llmContent: 'disk full\n\ntry elsewhere' } });
    });
    await withCommands({ AfterTool: [says({ continue: false, stopReason: 's' })] }, async ({ client }) => {
      expect(await executeToolWithHooks(client, { ...call, execute })).toMatchObject({ status: 'stopped', stopReason: 's' });
    });
  });
});

describe('the selection of tools', () => {
  test.each([
    ['a list without it', { mode: 'ANY' as const, allowedFunctionNames: ['read_file'], by: ['h1', 'h2'] }, /"h1", "h2".*only read_file/],
    ['an empty list', { mode: 'AUTO' as const, allowedFunctionNames: [], by: ['h1'] }, /"h1".*no tool/],
    ['NONE', { mode: 'NONE' as const, by: ['h1'] }, /"h1".*no tool/],
    ['NONE with a list', { mode: 'NONE' as const, allowedFunctionNames: ['write_file'], by: ['h1'] }, /"h1".*no tool/],
    ['a config of unknown origin', { allowedFunctionNames: ['read_file'] }, /only read_file/],
  ])('%s: refused by name, and no user is asked', async (_, toolSelection, reason) => {
    const tool = recordingTool();
    await withCommands({ BeforeTool: [says({ decision: 'allow' })] }, async (scene) => {
      const outcome = await executeToolWithHooks(scene.client, { ...call, ...tool, toolSelection });
      expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringMatching(reason) });
      expect(outcome.result.llmContent).toBe(outcome.reason);
      expect(firedEvents(scene)).toEqual([]);
    });
    expect(tool.calls).toEqual([]);
  });

  test.each([
    ['a list with it', { allowedFunctionNames: ['write_file'] }],
    ['a mode alone', { mode: 'ANY' as const, by: ['h1'] }],
    ['nothing', {}],
  ])('%s: it runs', async (_, toolSelection) => {
    const tool = recordingTool();
    await withCommands({}, async ({ client }) => {
      expect((await executeToolWithHooks(client, { ...call, ...tool, toolSelection })).status).toBe('executed');
    });
    expect(tool.calls).toHaveLength(1);
  });
});

test('a call without a name is a TypeError, with and without hooks', async () => {
  for (const hooks of [{}, { BeforeTool: ['true'] }]) {
    await withCommands(hooks, async ({ client }) => {
      const call = { input: {}, ...recordingTool() } as never;
      await expect(executeToolWithHooks(client, call)).rejects.toThrow(TypeError);
      await expect(executeToolWithHooks(client, call)).rejects.toThrow('executeToolWithHooks: "name" must be a string, and is missing.');
    });
  }
});
