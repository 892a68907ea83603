import type { LLMRequest } from '@tenterhook/protocol';
import { mergeLlmResponse } from '@tenterhook/protocol/internal';
import fc from 'fast-check';
import type { LlmTranslator } from '../../src/translators/llm-translator.js';
import { conversations, type IsShown, shownMessages, type Turn, withoutTurnAt, withTextAt, withTurnAt } from './conversation.js';
import { frozen } from './freeze.js';

export interface TranslatorUnderTest<Request> {
  translator: LlmTranslator<Request, never>;
  isShown: IsShown;
  write(turns: readonly Turn[]): Request;
  /** The request with these values of a model's config, in the SDK's fields. */
  withConfig(request: Request, config: Config): Request;
  /** Those of them that the format has. */
  configKeys: readonly ConfigKey[];
}

export type Config = NonNullable<LLMRequest['config']>;
type ConfigKey = keyof typeof configValues;

/** Values of every key, so that whatever a format asks for is there. */
const configValues = {
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  maxOutputTokens: fc.nat(),
  topP: fc.double({ min: 0, max: 1, noNaN: true }),
  topK: fc.nat(),
  stopSequences: fc.array(fc.string(), { maxLength: 3 }),
  candidateCount: fc.nat(),
  presencePenalty: fc.nat(),
  frequencyPenalty: fc.nat(),
};
const configs = fc.record(configValues);

/** What every translator promises of requests, whatever the conversation. Everything handed over is frozen. */
export function testRequestProperties<Request>(underTest: TranslatorUnderTest<Request>) {
  const { translator, isShown, write, withConfig, configKeys } = underTest;
  const edits = fc.record({ turns: conversations, seed: fc.nat(), text: fc.string().map((text) => `new ${text}`) });
  const check = (property: (edit: { turns: Turn[]; place: number; text: string; request: Request }) => void, room = 0) =>
    fc.assert(
      fc.property(edits, ({ turns, seed, text }) => {
        const places = turns.filter(isShown).length + room;
        if (places === 0) return;
        property({ turns, place: seed % places, text, request: frozen(write(turns)) });
      }),
      { numRuns: 400 },
    );
  const changed = (request: Request, change: (messages: { role: 'user' | 'model' | 'system'; content: unknown }[]) => unknown) => {
    const shown = translator.toHookRequest(request);
    const messages = [...(shown.messages ?? [])];
    change(messages);
    return translator.fromHookRequest(frozen({ ...shown, messages }), request);
  };

  test('hooks see the texts, in order', () => {
    check(({ turns, request }) => expect(translator.toHookRequest(request).messages).toEqual(shownMessages(turns, isShown)), 1);
  });

  test('what no hook changed is the very same object', () => {
    check(({ request }) => expect(translator.fromHookRequest(frozen(translator.toHookRequest(request)), request)).toBe(request), 1);
  });

  test('one changed text changes nothing else', () => {
    check(({ turns, place, text, request }) => {
      const result = changed(request, (messages) => messages.splice(place, 1, { ...messages[place]!, content: text }));
      expect(result).toEqual(write(withTextAt(turns, isShown, place, text)));
    });
  });

  test('a message that is gone takes its own parts with it, but neither calls nor results, and nothing else', () => {
    check(({ turns, place, request }) => {
      const result = changed(request, (messages) => messages.splice(place, 1));
      expect(result).toEqual(write(withoutTurnAt(turns, isShown, place)));
    });
  });

  test('a new message stands where the hook put it, never between a call and its results', () => {
    check(({ turns, place, text, request }) => {
      const result = changed(request, (messages) => messages.splice(place, 0, { role: 'user', content: text }));
      expect(result).toEqual(write(withTurnAt(turns, isShown, place, text)));
    }, 1);
  });

  test('one changed value of the config changes nothing else', () => {
    const keys = fc.constantFrom(...configKeys);
    fc.assert(
      fc.property(conversations, configs, configs, keys, (turns, config, others, key) => {
        const value = others[key];
        const request = frozen(withConfig(write(turns), config));
        const shown = translator.toHookRequest(request);
        const changed = frozen({ ...shown, config: { ...shown.config, [key]: value } });
        expect(translator.fromHookRequest(changed, request)).toEqual(withConfig(write(turns), { ...config, [key]: value }));
      }),
    );
  });

  test('whatever a hook returns, nothing throws, and calls keep their results beside them', () => {
    const messages = fc.array(
      fc.record({
        role: fc.constantFrom('user', 'model', 'system'),
        content: fc.oneof(fc.string(), fc.constantFrom('', ' '), fc.jsonValue()),
      }),
    );
    fc.assert(
      fc.property(conversations, messages, (turns, returned) => {
        const request = frozen(write(turns));
        const result = translator.fromHookRequest({ messages: frozen(returned) as never }, request);
        expect(toolOrder(result)).toEqual(toolOrder(request));
      }),
      { numRuns: 400 },
    );
  });

  test('five thousand messages, every other one rewritten and one put in front', () => {
    const turns = Array.from({ length: 5000 }, (_, at): Turn => ({ kind: at % 2 ? 'model' : 'user', text: at % 3 ? `text ${at}` : 'ok' }));
    const request = write(turns);
    const expected = turns.map((turn, at) => (at % 2 ? { ...turn, text: `rewritten ${at}` } : turn));
    const result = changed(request, (messages) => {
      for (const at of turns.keys()) if (at % 2) messages[at] = { role: 'model', content: `rewritten ${at}` };
      messages.unshift({ role: 'user', content: 'first' });
    });
    expect(result).toEqual(write([{ kind: 'user', text: 'first' }, ...expected]));
  });
}

export interface ResponseUnderTest<Response extends object> {
  translator: LlmTranslator<never, Response>;
  /** A response of one candidate: thought, text, calls. */
  write(turn: Turn): Response;
}

/** What every translator promises of responses. */
export function testResponseProperties<Response extends object>({ translator, write }: ResponseUnderTest<Response>) {
  const turns: fc.Arbitrary<Turn> = fc.record({
    kind: fc.constant('call' as const),
    text: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
    hasThought: fc.boolean(),
    ids: fc.uniqueArray(fc.constantFrom('call-1-1', 'call-1-2', 'call-1-3')),
  });

  test('a response that no hook changed is the very same object', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const response = frozen(write(turn));
        const shown = frozen(translator.toHookResponse(response));
        expect(translator.fromHookResponse(shown, response, { replacesCandidates: false })).toBe(response);
      }),
    );
  });

  test('a text alone changes nothing else', () => {
    fc.assert(
      fc.property(turns, fc.string({ minLength: 1 }), (turn, text) => {
        const response = frozen(write(turn));
        const changed = frozen(mergeLlmResponse(translator.toHookResponse(response), { text }));
        expect(translator.fromHookResponse(changed, response, { replacesCandidates: false })).toEqual(write({ ...turn, text }));
      }),
    );
  });

  test('returned candidates leave no call that did not come back', () => {
    fc.assert(
      fc.property(turns, fc.string(), (turn, text) => {
        const response = frozen(write(turn));
        const candidates = [{ content: { role: 'model', parts: [text] } }];
        const changed = frozen(mergeLlmResponse(translator.toHookResponse(response), { candidates }));
        const result = translator.fromHookResponse(changed, response, { replacesCandidates: true });
        expect(JSON.stringify(result)).not.toMatch(/call-\d/);
        expect(translator.toHookResponse(result).text ?? '').toBe(text);
      }),
    );
  });
}

/**
 * Ids of calls and results in their order, with the other messages between them counted: what a provider looks at. A list of
 * messages is whatever list of objects with a role the request has.
 */
function toolOrder(request: unknown): string[] {
  const json = JSON.stringify(request);
  const ids = [...json.matchAll(/call-\d+-\d+/g)].map(([id]) => id);
  return [...ids, ...betweenCallAndResults(request)];
}

function betweenCallAndResults(request: unknown): string[] {
  const { messages, contents } = request as { messages?: unknown[]; contents?: unknown[] };
  const list = (messages ?? contents ?? []) as unknown[];
  const kinds = list.map((message) => {
    const json = JSON.stringify(message);
    if (/"(tool_calls|tool_use|functionCall)"/.test(json)) return 'call';
    return /"(tool|tool_result|functionResponse)"/.test(json) ? 'results' : 'other';
  });
  return kinds.flatMap((kind, at) => (kind === 'results' && kinds[at - 1] === 'other' ? [`message ${at} is cut off from its calls`] : []));
}
