import { createHookClient, type ModelStreamCall, streamModelWithHooks } from '@tenterhook/agent';
import type { HookOutput, LLMResponse } from '@tenterhook/protocol';
import { type AgentScene, firedEvents, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { type PlainRequest, type PlainResponse, plainTranslator } from '../support/plain-translator.js';

const request: PlainRequest = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }] };
const words = ['My ', 'key ', 'is ', 'sk-1.'];
const answers = (llm_response: LLMResponse, more: HookOutput = {}) => says({ ...more, hookSpecificOutput: { llm_response } });

/** A model that streams words, and a record of what happened to its stream, in order. */
function streamingModel(texts: readonly string[] = words) {
  const log: string[] = [];
  const requests: PlainRequest[] = [];
  async function* stream(sent: PlainRequest): AsyncGenerator<string> {
    requests.push(sent);
    log.push('started');
    try {
      for (const text of texts) {
        log.push(`sent ${text.trim()}`);
        yield text;
      }
      log.push('ended');
    } finally {
      log.push('closed');
    }
  }
  return { log, requests, stream };
}

type Call = ModelStreamCall<PlainRequest, PlainResponse, string>;

function callOf(stream: Call['stream'], more: Partial<Call> = {}): Call {
  return {
    request,
    translator: plainTranslator(),
    stream,
    collect: (chunks) => ({ text: chunks.join('') }),
    toChunks: ({ text = '' }) => [text],
    ...more,
  };
}

async function read(chunks: AsyncIterable<string>, log: string[] = []): Promise<string[]> {
  const seen: string[] = [];
  for await (const chunk of chunks) {
    seen.push(chunk);
    log.push(`read ${chunk.trim()}`);
  }
  return seen;
}

const hooksOfAll = { BeforeModel: ['true'], AfterModel: ['true'] };

describe('whole, which is the default', () => {
  test('chunks are held back until the hooks have checked the response, and then passed on as they came', async () => {
    await withCommands(hooksOfAll, async (scene) => {
      const { stream, log } = streamingModel();
      const chunks = streamModelWithHooks(scene.client, callOf(stream));
      expect(await read(chunks, log)).toEqual(words);
      expect(log).toEqual([
        'started',
        ...words.map((text) => `sent ${text.trim()}`),
        'ended',
        'closed',
        ...words.map((text) => `read ${text.trim()}`),
      ]);
      expect(await chunks.outcome).toMatchObject({ status: 'responded', response: { text: 'My key is sk-1.' }, replacesChunks: false });
      expect(firedEvents(scene)).toEqual(['BeforeModel', 'AfterModel']);
    });
  });

  test('what a hook takes away is never passed on', async () => {
    await withCommands({ AfterModel: [answers({ text: 'My key is secret.' })] }, async ({ client }) => {
      const chunks = streamModelWithHooks(client, callOf(streamingModel().stream));
      expect(await read(chunks)).toEqual(['My key is secret.']);
      expect(await chunks.outcome).toMatchObject({ status: 'responded', response: { text: 'My key is secret.' }, replacesChunks: false });
    });
  });

  test('without a hook of AfterModel chunks pass as they come', async () => {
    await withCommands({ BeforeModel: ['true'] }, async ({ client }) => {
      const { stream, log } = streamingModel(['a', 'b']);
      expect(await read(streamModelWithHooks(client, callOf(stream)), log)).toEqual(['a', 'b']);
      expect(log).toEqual(['started', 'sent a', 'read a', 'sent b', 'read b', 'ended', 'closed']);
    });
  });

  test('a stop passes nothing on; the reason is in the outcome', async () => {
    const stop = says({ continue: false, stopReason: 'Budget is spent.' });
    await withCommands({ AfterModel: [stop] }, async ({ client }) => {
      const chunks = streamModelWithHooks(client, callOf(streamingModel().stream));
      expect(await read(chunks)).toEqual([]);
      expect(await chunks.outcome).toMatchObject({ status: 'stopped', stopReason: 'Budget is spent.', replacesChunks: false });
    });
  });

  test('where the hooks of AfterModel were not all asked, an empty response takes the place of the chunks', async () => {
    await withCommands({ AfterModel: ['exec sleep 60'] }, async ({ hooks }) => {
      const client = createHookClient(hooks, { timeoutMs: 200 });
      const chunks = streamModelWithHooks(client, callOf(streamingModel().stream));
      expect((await read(chunks)).join('')).toBe('');
      expect(await chunks.outcome).toMatchObject({ status: 'responded', reason: expect.stringContaining('withheld') });
    });
  });
});

describe('passthrough', () => {
  test('chunks pass as they come; hooks check the response at the end, and the outcome says what they changed', async () => {
    await withCommands(
      { AfterModel: [answers({ text: 'My key is secret.' }, { decision: 'deny', reason: 'It has a key.' })] },
      async (scene) => {
        const { stream, log } = streamingModel(['sk-', '1']);
        const chunks = streamModelWithHooks(scene.client, callOf(stream, { afterModel: 'passthrough' }));
        expect(await read(chunks, log)).toEqual(['sk-', '1']);
        expect(log).toEqual(['started', 'sent sk-', 'read sk-', 'sent 1', 'read 1', 'ended', 'closed']);
        expect(await chunks.outcome).toMatchObject({
          status: 'responded',
          response: { text: 'My key is secret.' },
          reason: 'It has a key.',
          replacesChunks: true,
          after: { verdict: { kind: 'deny' } },
        });
      },
    );
  });

  test('a response that no hook changed is that of the chunks', async () => {
    await withCommands(hooksOfAll, async ({ client }) => {
      const chunks = streamModelWithHooks(client, callOf(streamingModel().stream, { afterModel: 'passthrough' }));
      await read(chunks);
      expect(await chunks.outcome).toMatchObject({ status: 'responded', response: { text: 'My key is sk-1.' }, replacesChunks: false });
    });
  });

  test('a stop after the chunks replaces them', async () => {
    await withCommands({ AfterModel: [says({ continue: false, stopReason: 'Enough.' })] }, async ({ client }) => {
      const chunks = streamModelWithHooks(client, callOf(streamingModel().stream, { afterModel: 'passthrough' }));
      expect(await read(chunks)).toEqual(words);
      expect(await chunks.outcome).toMatchObject({ status: 'stopped', stopReason: 'Enough.', replacesChunks: true });
    });
  });
});

describe('before the stream', () => {
  test('a deny never starts it', async () => {
    await withCommands({ BeforeModel: [says({ decision: 'deny', reason: 'Not today.' })], AfterModel: ['true'] }, async (scene) => {
      const { stream, log } = streamingModel();
      const chunks = streamModelWithHooks(scene.client, callOf(stream));
      expect(await read(chunks)).toEqual([]);
      expect(log).toEqual([]);
      expect(await chunks.outcome).toMatchObject({ status: 'blocked', reason: 'Not today.', replacesChunks: false });
      expect(firedEvents(scene)).toEqual(['BeforeModel']);
    });
  });

  test('a response of a hook is passed on in chunks, and the stream is not started', async () => {
    await withCommands({ BeforeModel: [answers({ text: 'From the cache.' })] }, async ({ client }) => {
      const { stream, log } = streamingModel();
      const chunks = streamModelWithHooks(client, callOf(stream));
      expect(await read(chunks)).toEqual(['From the cache.']);
      expect(log).toEqual([]);
      expect(await chunks.outcome).toMatchObject({ status: 'synthetic', response: { text: 'From the cache.' } });
    });
  });

  test('the stream receives the request as hooks rewrote it', async () => {
    const writes = says({ hookSpecificOutput: { llm_request: { model: 'm-2' } } });
    await withCommands({ BeforeModel: [writes] }, async ({ client }) => {
      const { stream, requests } = streamingModel();
      await read(streamModelWithHooks(client, callOf(stream)));
      expect(requests).toEqual([{ ...request, model: 'm-2' }]);
    });
  });

  test('nothing happens before the loop', async () => {
    await withCommands(hooksOfAll, async (scene: AgentScene) => {
      const { stream, log } = streamingModel();
      streamModelWithHooks(scene.client, callOf(stream));
      await new Promise((resolve) => setImmediate(resolve));
      expect([log, firedEvents(scene)]).toEqual([[], []]);
    });
  });
});

describe('ends before the end', () => {
  test.each(['whole', 'passthrough'] as const)(
    'an error of the source passes through (%s), and no hook sees half a response',
    async (afterModel) => {
      await withCommands(hooksOfAll, async (scene) => {
        const broken = new Error('connection reset');
        async function* stream() {
          yield 'half';
          throw broken;
        }
        const chunks = streamModelWithHooks(scene.client, callOf(stream, { afterModel }));
        await expect(read(chunks)).rejects.toBe(broken);
        await expect(chunks.outcome).rejects.toBe(broken);
        expect(firedEvents(scene)).toEqual(['BeforeModel']);
      });
    },
  );

  test.each<[string, Partial<Call>, string]>([
    ['start', { stream: () => Promise.reject(new Error('no model')) }, 'no model'],
    ['collect', { collect: () => Promise.reject(new Error('no sense')) }, 'no sense'],
    ['collect without a response', { collect: () => undefined as never }, '"collect" must return a response, and returned undefined'],
    [
      'a value that is not a stream',
      { stream: () => 'text' as never },
      '"stream" must return an async iterable, and returned a value of type string',
    ],
  ])('an error of %s passes through', async (_, more, message) => {
    await withCommands({}, async ({ client }) => {
      const chunks = streamModelWithHooks(client, callOf(streamingModel().stream, more));
      await expect(read(chunks)).rejects.toThrow(message);
      await expect(chunks.outcome).rejects.toThrow(message);
    });
  });

  test('leaving the loop ends the source; the outcome is stopped, and no hook sees half a response', async () => {
    await withCommands(hooksOfAll, async (scene) => {
      const { stream, log } = streamingModel();
      const chunks = streamModelWithHooks(scene.client, callOf(stream, { afterModel: 'passthrough' }));
      for await (const _ of chunks) break;
      expect(log).toEqual(['started', 'sent My', 'closed']);
      expect(await chunks.outcome).toMatchObject({
        status: 'stopped',
        stopReason: 'The stream was left before its end.',
        replacesChunks: true,
      });
      expect(firedEvents(scene)).toEqual(['BeforeModel']);
    });
  });

  test('leaving the loop while chunks that were held back are passed on does not change the outcome', async () => {
    await withCommands(hooksOfAll, async ({ client }) => {
      const chunks = streamModelWithHooks(client, callOf(streamingModel().stream));
      for await (const _ of chunks) break;
      expect(await chunks.outcome).toMatchObject({ status: 'responded', response: { text: 'My key is sk-1.' } });
    });
  });

  test.each<[string, (signal: AbortSignal) => AsyncGenerator<string>]>([
    [
      'hangs',
      async function* () {
        yield 'a';
        await new Promise(() => {});
      },
    ],
    [
      'goes on',
      async function* () {
        for (;;) yield 'a';
      },
    ],
  ])('an abort ends a source that %s, with the reason in the outcome', async (_, source) => {
    await withCommands(hooksOfAll, async (scene) => {
      const control = new AbortController();
      const stream: Call['stream'] = (_sent, { signal }) => source(signal);
      const chunks = streamModelWithHooks(scene.client, callOf(stream, { afterModel: 'passthrough', signal: control.signal }));
      for await (const _chunk of chunks) control.abort(new Error('user pressed esc'));
      expect(await chunks.outcome).toMatchObject({
        status: 'stopped',
        stopReason: 'The call was cancelled: user pressed esc.',
        replacesChunks: true,
      });
      expect(firedEvents(scene)).toEqual(['BeforeModel']);
    });
  });

  test('what a source throws because of an abort passes through', async () => {
    await withCommands({}, async ({ client }) => {
      const control = new AbortController();
      async function* stream(_sent: PlainRequest, { signal }: { signal: AbortSignal }) {
        yield 'a';
        signal.throwIfAborted();
      }
      const reason = new Error('user pressed esc');
      const chunks = streamModelWithHooks(client, callOf(stream, { signal: control.signal }));
      const reading = (async () => {
        for await (const _ of chunks) control.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
    });
  });

  test('a signal that has aborted starts nothing', async () => {
    await withCommands({}, async ({ client }) => {
      const { stream, log } = streamingModel();
      const chunks = streamModelWithHooks(client, callOf(stream, { signal: AbortSignal.abort(new Error('too late')) }));
      expect(await read(chunks)).toEqual([]);
      expect(log).toEqual([]);
      expect(await chunks.outcome).toMatchObject({ status: 'stopped', stopReason: 'The call was cancelled: too late.' });
    });
  });
});

test('the agent passes its ask and its signal on', async () => {
  await withCommands({ BeforeModel: [says({ decision: 'ask', reason: 'Sure?' })] }, async ({ hooks }) => {
    const control = new AbortController();
    const asked: unknown[] = [];
    const agent = hooks.agent({
      signal: control.signal,
      ask: ({ reason }) => {
        asked.push(reason);
        return 'allow';
      },
    });
    const chunks = agent.streamModel(callOf(streamingModel().stream, { signal: new AbortController().signal }));
    for await (const _ of chunks) control.abort('enough');
    expect(asked).toEqual(['Sure?']);
    expect(await chunks.outcome).toMatchObject({ status: 'stopped', stopReason: 'The call was cancelled: enough.' });
  });
});

test.each<[string, object, string]>([
  ['no stream', { stream: undefined }, 'stream'],
  ['no collect', { collect: undefined }, 'collect'],
  ['no toChunks', { toChunks: undefined }, 'toChunks'],
  ['no translator', { translator: undefined }, 'translator'],
  ['an unknown policy', { afterModel: 'never' }, '"afterModel" must be "whole" or "passthrough", and is "never"'],
])('%s is a TypeError at once', async (_, more, message) => {
  await withCommands({}, async ({ client, hooks }) => {
    const call = callOf(streamingModel().stream, more as Partial<Call>);
    expect(() => streamModelWithHooks(client, call)).toThrow(TypeError);
    expect(() => streamModelWithHooks(client, call)).toThrow(message);
    expect(() => hooks.agent().streamModel(call)).toThrow(message);
  });
});
