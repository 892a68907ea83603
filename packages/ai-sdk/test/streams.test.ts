import { withHooks } from '@tenterhook/ai-sdk';
import { hookRig } from '@tenterhook/testing';
import { withClient, withCommands } from '../../../test/support/agent.js';
import { ownProcesses, says, settingsOf } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { partsOf } from './support/scripted-model.js';
import { readCall, recordedTool } from './support/tools.js';
import { readAll, versions } from './support/versions.js';

const textOf = (parts: readonly Record<string, unknown>[]) =>
  parts.filter(({ type }) => type === 'text-delta').map((part) => part['text'] ?? part['delta']);

/** A stream that gives its parts one by one, when the test calls for them. */
function steppedStream(parts: readonly Record<string, unknown>[]) {
  let controller: ReadableStreamDefaultController<Record<string, unknown>> | undefined;
  const stream = new ReadableStream<Record<string, unknown>>({
    start(given) {
      controller = given;
    },
  });
  let at = 0;
  return {
    stream,
    /** Gives all parts up to and including the first one of this type. */
    giveUntil(type: string) {
      while (at < parts.length) {
        const part = parts[at++]!;
        controller?.enqueue(part);
        if (part['type'] === type) return;
      }
    },
    end: () => controller?.close(),
  };
}

describe.each(versions)('$name', ({ stream, model: script, specificationVersion }) => {
  const turn = { text: 'The key is opensesame now.' };
  /** The stream of the model itself, without the loop of the SDK. */
  const doStream = (model: object, params: object = { prompt: [] }) =>
    (model as { doStream(params: object): PromiseLike<{ stream: ReadableStream<Record<string, unknown>> }> }).doStream(params);
  const read = async (model: object) => readAll((await doStream(model)).stream as unknown as AsyncIterable<Record<string, unknown>>);

  test('A6: no part of the content arrives before the hook of AfterModel has answered; a changed text arrives whole', async () => {
    const rig = await hookRig();
    try {
      await withClient({ ...ownProcesses, settings: settingsOf('AfterModel', [rig.command()]) }, async ({ client }) => {
        const result = stream(withHooks(client, { model: script([turn]), prompt: 'Hi.' }));
        const arrived: Record<string, unknown>[] = [];
        const reading = (async () => {
          for await (const part of result.fullStream) arrived.push(part);
        })();
        const run = await rig.nextRun();
        // The model has ended its response, because the hook received all of it.
        expect(((await run.input()) as { llm_response: { text: string } }).llm_response.text).toBe('The key is opensesame now.');
        expect(arrived.map(({ type }) => type)).not.toContain('text-delta');
        await run.stdout(JSON.stringify({ hookSpecificOutput: { llm_response: { text: 'The key is [removed] now.' } } }));
        await run.exit(0);
        await reading;
        expect(textOf(arrived)).toEqual(['The key is [removed] now.']);
        expect(JSON.stringify(arrived)).not.toContain('opensesame');
      });
    } finally {
      await rig.close();
    }
  });

  test('A6: an unchanged response is the parts of the model, with their ids and metadata', async () => {
    await withCommands({ AfterModel: ['true'] }, async ({ client }) => {
      const parts = await read(withHooks(client, { model: script([turn]) }).model);
      expect(parts).toEqual(partsOf(specificationVersion, turn));
    });
  });

  test('A6: a call that a hook takes away does not run', async () => {
    const withoutCalls = () => ({
      hookSpecificOutput: { llm_response: { candidates: [{ content: { role: 'model', parts: ['No call.'] } }] } },
    });
    await withFunctions({ AfterModel: [withoutCalls] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const model = script([{ text: 'I read.', calls: [readCall('c1')] }]);
      const result = stream(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
      await readAll(result.fullStream);
      expect([await result.text, inputs, model.requests.length]).toEqual(['No call.', [], 1]);
    });
  });

  test('A6: in a changed response, calls and thoughts stay, and the call runs', async () => {
    const change = () => ({ hookSpecificOutput: { llm_response: { text: 'I read [removed].' } } });
    await withFunctions({ AfterModel: [change] }, async ({ client }) => {
      const thought = [
        { type: 'reasoning-start', id: 'r1' },
        { type: 'reasoning-delta', id: 'r1', delta: 'hm' },
        { type: 'text-start', id: 't0' },
        { type: 'reasoning-end', id: 'r1', providerMetadata: { scripted: { signature: 's' } } },
        { type: 'text-delta', id: 't0', delta: 'I read ' },
      ];
      const [start, metadata, ...rest] = partsOf(specificationVersion, { text: 'opensesame.', calls: [readCall('c1')] });
      const model = script([
        { stream: () => ReadableStream.from([start, metadata, ...thought, { type: 'raw', rawValue: 'opensesame' }, ...rest]) as never },
      ]);
      const { tool, inputs } = recordedTool();
      const hooked = withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' });
      const parts = await read(hooked.model);
      expect(JSON.stringify(parts)).not.toContain('opensesame');
      expect(parts.map(({ type }) => type)).toEqual([
        'stream-start',
        'response-metadata',
        ...['reasoning-start', 'reasoning-delta', 'reasoning-end'],
        // The first text is the beginning of the changed one, so it stays.
        ...['text-start', 'text-delta', 'text-end'],
        ...['text-start', 'text-delta', 'text-end'],
        'tool-call',
        'finish',
      ]);
      expect(parts[4]).toMatchObject({ providerMetadata: { scripted: { signature: 's' } } });
      expect(textOf(parts)).toEqual(['I read ', '[removed].']);
      const again = script([{ text: 'opensesame', calls: [readCall('c1')] }]);
      await readAll(stream({ ...hooked, ...withHooks(client, { model: again }) }).fullStream);
      expect(inputs.length).toBeGreaterThan(0);
    });
  });

  test('A6: of a stream that fails nothing unchecked is passed on, and the error is', async () => {
    const seen: unknown[] = [];
    const hook = (input: unknown) => {
      seen.push(input);
      return {};
    };
    await withFunctions({ AfterModel: [hook] }, async ({ client }) => {
      const error = new Error('overloaded');
      const begun = partsOf(specificationVersion, turn).slice(0, 4);
      const received = script([{ stream: () => ReadableStream.from([...begun, { type: 'error', error }]) as never }]);
      const parts = await read(withHooks(client, { model: received }).model);
      expect(parts.map(({ type }) => type)).toEqual(['stream-start', 'response-metadata', 'error']);
      expect(parts.at(-1)?.['error']).toBe(error);

      const broken = async function* () {
        yield* begun;
        throw error;
      };
      const thrown = script([{ stream: () => ReadableStream.from(broken()) as never }]);
      await expect(read(withHooks(client, { model: thrown }).model)).rejects.toBe(error);
      expect(seen).toEqual([]);
    });
  });

  test('A7: without hooks of AfterModel the stream of the model is the same object', async () => {
    await withCommands({ BeforeModel: ['true'], BeforeTool: ['true'] }, async ({ client }) => {
      const model = script([turn]);
      const hooked = withHooks(client, { model }).model;
      const result = await doStream(hooked);
      expect(result).toBe(model.results[0]);
      expect(result.stream).toBe((model.results[0] as { stream: unknown }).stream);
    });
  });

  test('A7: observe passes parts on before the model ends, and the hook is received before the end; a change has no effect', async () => {
    const fired: unknown[] = [];
    const change = ({ llm_response }: Record<string, unknown>) => {
      fired.push((llm_response as { text: string }).text);
      return { hookSpecificOutput: { llm_response: { text: 'changed' } } };
    };
    await withFunctions({ AfterModel: [change] }, async ({ client }) => {
      const received: object[] = [];
      const stepped = steppedStream(partsOf(specificationVersion, turn));
      const model = script([{ stream: () => stepped.stream }]);
      const options = { afterModel: 'observe', onMessage: (message: object) => received.push(message) } as const;
      const { stream: parts } = await doStream(withHooks(client, { model }, options).model);
      const reader = parts.getReader();
      const kinds: unknown[] = [];
      const readUntil = async (type: string) => {
        for (;;) {
          const { value } = await reader.read();
          kinds.push(value?.['type']);
          if (value?.['type'] === type || value === undefined) return value;
        }
      };
      stepped.giveUntil('text-delta');
      expect(await readUntil('text-delta')).toMatchObject({ delta: 'The ' });
      expect(fired).toEqual([]);
      stepped.giveUntil('finish');
      stepped.end();
      await readUntil('finish');
      expect(fired).toEqual(['The key is opensesame now.']);
      expect(kinds).toEqual(partsOf(specificationVersion, turn).map(({ type }) => type));
      expect(received).toEqual([{ text: expect.stringContaining('no_effect'), audience: 'user', eventName: 'AfterModel' }]);
    });
  });

  test('A7: a stop that a hook gives while it observes ends the run after the tools', async () => {
    await withCommands({ AfterModel: [says({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const model = script([{ calls: [readCall('c1')] }, { text: 'Unwanted.' }]);
      const result = stream(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }, { afterModel: 'observe' }));
      await readAll(result.fullStream);
      expect([await result.text, model.requests.length, inputs.length]).toEqual(['enough', 1, 1]);
    });
  });

  test('A7: such a stop counts too if the tool has hooks and ends after them', async () => {
    const stops = () => ({ continue: false, stopReason: 'enough', systemMessage: 'stopped' });
    await withFunctions({ AfterModel: [stops], BeforeTool: [() => ({})] }, async ({ client }) => {
      let release = () => {};
      const hasStopped = new Promise<string>((resolve) => {
        release = () => resolve('text');
      });
      const model = script([{ calls: [readCall('c1')] }, { text: 'Unwanted.' }]);
      const settings = { model, tools: { read_file: recordedTool(() => hasStopped).tool }, prompt: 'Read.' };
      const result = stream(withHooks(client, settings, { afterModel: 'observe', onMessage: () => release() }));
      await readAll(result.fullStream);
      expect([await result.text, model.requests.length]).toEqual(['enough', 1]);
    });
  });
});
