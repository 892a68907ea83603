import { withHooks } from '@tenterhook/ai-sdk';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { deny, specific, withFunctions } from '../../../test/support/function-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { outputIn, readAll, versions } from './support/versions.js';

const denyB = `jq -e '.tool_input.path == "b.txt"' >/dev/null && { echo 'b.txt is private' >&2; exit 2; }; true`;

describe.each(versions)('$name', ({ generate, stream, model: script }) => {
  test('A1: of two parallel calls the denied one does not run, the model reads why, and the loop ends as usual', async () => {
    await withCommands({ BeforeTool: [denyB] }, async ({ client }) => {
      const { tool, inputs } = recordedTool('text of a');
      const model = script([{ calls: [readCall('c1'), readCall('c2', 'b.txt')] }]);
      const result = await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read both.' }));
      expect(inputs).toEqual([{ path: 'a.txt' }]);
      expect(outputIn(model.requests[1], 'c1')).toMatchObject({ type: 'text', value: 'text of a' });
      expect(outputIn(model.requests[1], 'c2')).toMatchObject({ type: 'error-text', value: 'b.txt is private' });
      expect([result.text, result.finishReason, model.requests.length]).toEqual(['Done.', 'stop', 2]);
      const error = result.steps[0]!.content.find(({ type }) => type === 'tool-error');
      expect(error?.['error']).toMatchObject({ name: 'HookBlockedError', reason: 'b.txt is private', toolName: 'read_file' });
    });
  });

  test('A1: the same in a stream', async () => {
    await withCommands({ BeforeTool: [denyB] }, async ({ client }) => {
      const { tool, inputs } = recordedTool('text of a');
      const model = script([{ calls: [readCall('c1'), readCall('c2', 'b.txt')] }]);
      const result = stream(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read both.' }));
      const kinds = (await readAll(result.fullStream)).map(({ type }) => type);
      expect(kinds.filter((type) => type === 'tool-result' || type === 'tool-error').sort()).toEqual(['tool-error', 'tool-result']);
      expect(inputs).toEqual([{ path: 'a.txt' }]);
      expect(outputIn(model.requests[1], 'c2')).toMatchObject({ type: 'error-text', value: 'b.txt is private' });
      expect(await result.text).toBe('Done.');
    });
  });

  test('A2: the tool receives the rewritten input', async () => {
    await withCommands({ BeforeTool: [says({ hookSpecificOutput: { tool_input: { path: 'safe.txt' } } })] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const model = script([{ calls: [readCall('c1')] }]);
      await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
      expect(inputs).toEqual([{ path: 'safe.txt' }]);
    });
  });

  test('A2: a rewritten input that does not match the schema names the hook, and the tool does not run', async () => {
    await withFunctions({ BeforeTool: [() => specific({ tool_input: { path: 7 } })] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const model = script([{ calls: [readCall('c1')] }]);
      await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
      expect(inputs).toEqual([]);
      const output = outputIn(model.requests[1], 'c1');
      expect(output).toMatchObject({ type: 'error-text' });
      expect(output?.['value']).toMatch(/^The input as rewritten by hook "BeforeTool\/0" does not match the tool's schema: path: /);
    });
  });

  test('A2: a schema that converts values does not refuse what it made itself', async () => {
    const { z } = await import('zod');
    await withFunctions({ BeforeTool: [() => ({})] }, async ({ client }) => {
      const { tool, inputs } = recordedTool('read', z.object({ path: z.string().transform((path) => path.length) }));
      const model = script([{ calls: [readCall('c1')] }]);
      await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
      expect(inputs).toEqual([{ path: 5 }]);
    });
  });

  test('hooks receive the id of the call and the MCP server of the tool', async () => {
    const seen: Record<string, unknown>[] = [];
    const record = (input: Record<string, unknown>) => {
      seen.push(input);
      return {};
    };
    await withFunctions({ BeforeTool: [record], AfterTool: [record] }, async ({ client }) => {
      const model = script([{ calls: [readCall('c1')] }]);
      const mcpServerOf = (name: string) => (name === 'read_file' ? 'files' : undefined);
      await generate(withHooks(client, { model, tools: { read_file: recordedTool().tool }, prompt: 'Read.' }, { mcpServerOf }));
      expect(seen.map(({ tool_use_id, mcp_context }) => [tool_use_id, mcp_context])).toEqual([
        ['c1', { server_name: 'files' }],
        ['c1', { server_name: 'files' }],
      ]);
    });
  });

  test('a deny without a reason still tells the model that it was a hook', async () => {
    await withFunctions({ BeforeTool: [() => deny()] }, async ({ client }) => {
      const model = script([{ calls: [readCall('c1')] }]);
      await generate(withHooks(client, { model, tools: { read_file: recordedTool().tool }, prompt: 'Read.' }));
      expect(outputIn(model.requests[1], 'c1')?.['value']).toMatch(/hook/i);
    });
  });
});
