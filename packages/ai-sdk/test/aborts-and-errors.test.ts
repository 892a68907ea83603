import { withHooks } from '@tenterhook/ai-sdk';
import { hookRig } from '@tenterhook/testing';
import { withClient, withCommands } from '../../../test/support/agent.js';
import { ownProcesses, settingsOf } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { outputIn, versions, withApprovals } from './support/versions.js';

const reason = new Error('the user left');

describe.each(versions)('$name', ({ generate, stream, model: script }) => {
  test('A10: an abort while a hook of BeforeTool hangs ends the hook, the tool does not run, and the reason is thrown', async () => {
    const rig = await hookRig();
    try {
      await withClient({ ...ownProcesses, settings: settingsOf('BeforeTool', [rig.command()]) }, async ({ client }) => {
        const { tool, inputs } = recordedTool();
        const abort = new AbortController();
        const model = script([{ calls: [readCall('c1')] }]);
        const running = generate(
          withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.', abortSignal: abort.signal, maxRetries: 0 }),
        );
        const run = await rig.nextRun();
        abort.abort(reason);
        await expect(running).rejects.toBe(reason);
        await run.ended;
        expect(inputs).toEqual([]);
      });
    } finally {
      await rig.close();
    }
  });

  test('A10: an abort while a held stream waits for its hook', async () => {
    const rig = await hookRig();
    try {
      await withClient({ ...ownProcesses, settings: settingsOf('AfterModel', [rig.command()]) }, async ({ client }) => {
        const abort = new AbortController();
        const hooked = withHooks(client, { model: script([{ text: 'secret' }]) }).model as unknown as {
          doStream(params: object): Promise<object>;
        };
        const running = hooked.doStream({ prompt: [], abortSignal: abort.signal });
        const run = await rig.nextRun();
        abort.abort(reason);
        await expect(running).rejects.toBe(reason);
        await run.ended;
      });
    } finally {
      await rig.close();
    }
  });

  test('A10: an abort while a held stream waits for a model that ignores it', async () => {
    await withFunctions({ AfterModel: [() => ({})] }, async ({ client }) => {
      const abort = new AbortController();
      let cancelled: unknown;
      const source = {
        pull: () => abort.abort(reason),
        cancel: (why: unknown) => {
          cancelled = why;
        },
      };
      // Without a buffer, the stream is pulled only when the adapter reads it.
      const hangs = new ReadableStream<Record<string, unknown>>(source, { highWaterMark: 0 });
      const hooked = withHooks(client, { model: script([{ stream: () => hangs }]) }).model as unknown as {
        doStream(params: object): Promise<object>;
      };
      await expect(hooked.doStream({ prompt: [], abortSignal: abort.signal })).rejects.toBe(reason);
      expect(cancelled).toBe(reason);
    });
  });

  test.each([
    ['a text', () => 'the key is opensesame'],
    ['an object', () => ({ key: 'opensesame' })],
    [
      'an error',
      () => {
        throw new Error('the key is opensesame');
      },
    ],
  ])('A10: an abort while a hook checks %s of a tool: what it has not checked is not passed on', async (_, output) => {
    const rig = await hookRig();
    try {
      await withClient({ ...ownProcesses, settings: settingsOf('AfterTool', [rig.command()]) }, async ({ client }) => {
        const abort = new AbortController();
        const { read_file } = withHooks(client, { tools: { read_file: recordedTool(output).tool } }).tools;
        const execute = read_file.execute as (input: object, options: object) => Promise<unknown>;
        const running = execute({ path: 'a.txt' }, { toolCallId: 'c1', messages: [], abortSignal: abort.signal });
        const run = await rig.nextRun();
        abort.abort(reason);
        await expect(running).rejects.toBe(reason);
        await run.ended;
      });
    } finally {
      await rig.close();
    }
  });

  test('A11: what a tool throws after an abort is the same object, although hooks of AfterTool cannot check it', async () => {
    await withFunctions({ AfterTool: [() => ({})] }, async ({ client }) => {
      const abort = new AbortController();
      const thrown = new RangeError('interrupted');
      const throws = () => {
        abort.abort(reason);
        throw thrown;
      };
      const { read_file } = withHooks(client, { tools: { read_file: recordedTool(throws).tool } }).tools;
      const execute = read_file.execute as (input: object, options: object) => Promise<unknown>;
      const execution = { toolCallId: 'c1', messages: [], abortSignal: abort.signal };
      await expect(execute({ path: 'a.txt' }, execution)).rejects.toBe(thrown);
    });
  });

  test('A10: an abort that the tool ignores rejects with the reason, although AfterTool is fired', async () => {
    await withFunctions({ AfterTool: [() => ({})] }, async ({ client }) => {
      const abort = new AbortController();
      const ignores = () => {
        abort.abort(reason);
        return new Promise(() => {});
      };
      const { read_file } = withHooks(client, { tools: { read_file: recordedTool(ignores).tool } }).tools;
      const execute = read_file.execute as (input: object, options: object) => Promise<unknown>;
      const execution = { toolCallId: 'c1', messages: [], abortSignal: abort.signal };
      await expect(execute({ path: 'a.txt' }, execution)).rejects.toBe(reason);
    });
  });

  test('A11: what a tool throws is the same object, and AfterTool receives its text', async () => {
    const seen: unknown[] = [];
    const hook = ({ tool_response }: Record<string, unknown>) => {
      seen.push((tool_response as { error: unknown }).error);
      return {};
    };
    await withFunctions({ AfterTool: [hook] }, async ({ client }) => {
      const thrown = new RangeError('line 9 of 3');
      const fails = () => {
        throw thrown;
      };
      const model = script([{ calls: [readCall('c1')] }]);
      const { steps } = await generate(withHooks(client, { model, tools: { read_file: recordedTool(fails).tool }, prompt: 'Read.' }));
      expect(steps[0]!.content.find(({ type }) => type === 'tool-error')?.['error']).toBe(thrown);
      expect(seen).toEqual([{ message: 'line 9 of 3' }]);
      expect(outputIn(model.requests[1], 'c1')?.['value']).toContain('line 9 of 3');
    });
  });

  test('A11: what the model throws is thrown on', async () => {
    await withCommands({ BeforeModel: ['true'], AfterModel: ['true'] }, async ({ client }) => {
      const thrown = new RangeError('no such model');
      await expect(generate(withHooks(client, { model: script([{ throws: thrown }]), prompt: 'Hi.' }))).rejects.toBe(thrown);
      const parts: Record<string, unknown>[] = [];
      for await (const part of stream(withHooks(client, { model: script([{ throws: thrown }]), prompt: 'Hi.' })).fullStream)
        parts.push(part);
      expect(parts.find(({ type }) => type === 'error')?.['error']).toBe(thrown);
    });
  });
});

describe.each(withApprovals)('$name', ({ generate, model: script }) => {
  test('A10: an abort while the hook of an approval callback hangs', async () => {
    const rig = await hookRig();
    try {
      await withClient({ ...ownProcesses, settings: settingsOf('BeforeTool', [rig.command()]) }, async ({ client }) => {
        const { tool, inputs } = recordedTool();
        const abort = new AbortController();
        const model = script([{ calls: [readCall('c1')] }]);
        const settings = { model, tools: { read_file: tool }, prompt: 'Read.', abortSignal: abort.signal, maxRetries: 0 };
        const running = generate(withHooks(client, settings, { approvals: 'framework' }));
        const run = await rig.nextRun();
        abort.abort(reason);
        await expect(running).rejects.toBe(reason);
        await run.ended;
        expect([inputs, model.requests.length]).toEqual([[], 1]);
      });
    } finally {
      await rig.close();
    }
  });
});
