import { MessageBus } from '@tenterhook/bus';
import type { Absent, Bench, Variant } from '../../bench.js';
import { geminiFile, geminiName } from '../contenders/gemini-cli.js';
import { atMostUnits } from '../marks.js';
import type { Case } from './case.js';

const name = 'a bus request and its response';
const floor = 'an awaited function in a Map';
const label = (contender: string, inFlight: number) => `${contender}, ${inFlight} in flight, each`;
const ours = (inFlight: number) => label('Tenterhook', inFlight);

const why = 'Each request is validated, and has a deadline.';

interface GeminiBus {
  setMaxListeners(most: number): void;
  subscribe(type: string, listener: (message: { correlationId: string }) => void): void;
  publish(message: object): Promise<void>;
  request(message: object, responseType: string): Promise<{ answers?: object }>;
}

/** Requests on the bus, in one process: one at a time, and many that wait at once. */
export const bus: Case = {
  name,
  make: async (withPeer): Promise<Bench> => {
    const own = new MessageBus();
    own.respond('HOOK_EXECUTION_REQUEST', async () => ({ success: true, output: outputOfNoHook }), { maxInFlight: 4096 });
    const payload = { eventName: 'BeforeTool', input: {} };
    const ask = async () => {
      const { success } = await own.request('HOOK_EXECUTION_REQUEST', payload);
      if (!success) throw new Error('Tenterhook: the request failed');
    };
    const functions = new Map([['answer', async (_payload: object) => ({ success: true })]]);
    const peer = withPeer ? await askPeer() : undefined;
    const askers: [string, () => Promise<void>][] = [['Tenterhook', ask]];
    if (typeof peer === 'function') askers.push([geminiName, peer]);
    const absent: Absent[] = typeof peer === 'string' ? [{ name: geminiName, why: peer }] : [];
    return {
      name,
      unit: 'µs',
      warmup: 5,
      rounds: 50,
      variants: [
        {
          name: floor,
          batch: 1000,
          run: async (times) => {
            for (let index = 0; index < times; index += 1) await functions.get('answer')?.(payload);
          },
        },
        ...askers.flatMap(([contender, once]): Variant[] => [
          {
            name: label(contender, 1),
            batch: 1000,
            run: async (times) => {
              for (let index = 0; index < times; index += 1) await once();
            },
          },
          ...[100, 1000].map((inFlight) => ({
            name: label(contender, inFlight),
            batch: inFlight,
            run: async () => void (await Promise.all(Array.from({ length: inFlight }, once))),
          })),
        ]),
      ],
      absent,
      marks: [
        atMostUnits(
          1,
          'µs',
          'one request in flight, over an awaited function',
          ours(1),
          ({ median, ratio }) => median - median / ratio,
          why,
        ),
        {
          text: '1000 requests in flight: at most 11 times 100 in flight',
          why: 'The objects of more requests are alive when garbage is collected, and each of them is copied.',
          reached: (median) => {
            const factor = (10 * median(ours(1000))) / median(ours(100));
            return { reached: factor <= 11, over: factor / 11, measured: `${factor.toFixed(1)} times` };
          },
        },
      ],
      dispose: () => own.close(),
    };
  },
};

/** Returns a function that asks the peer's bus once, or the reason why there is none. */
async function askPeer(): Promise<(() => Promise<void>) | string> {
  const file = geminiFile('dist/src/confirmation-bus/message-bus.js');
  if (file === undefined) return '@google/gemini-cli-core is not installed; npm run bench:peers installs it';
  const { MessageBus: GeminiMessageBus } = (await import(file)) as { MessageBus: new (policy: object) => GeminiBus };
  const peer = new GeminiMessageBus({});
  peer.setMaxListeners(0);
  // A question of the agent, which its policies do not answer.
  peer.subscribe('ask-user-request', ({ correlationId }) => {
    void peer.publish({ type: 'ask-user-response', correlationId, answers: {} });
  });
  return async () => {
    const { answers } = await peer.request({ type: 'ask-user-request', questions: [] }, 'ask-user-response');
    if (answers === undefined) throw new Error(`${geminiName}: the request failed`);
  };
}

const outputOfNoHook = {
  success: true,
  verdict: { kind: 'none' as const, stop: false, by: [], stoppedBy: [] },
  changes: [],
  allOutputs: [],
  outcomes: [],
  errors: [],
  totalDuration: 0,
};
