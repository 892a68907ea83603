import type { ConnectToNatsOptions, NatsTransport } from '../../src/index.js';
import type { NatsScene } from '../nats-scene.js';

export const stream = 'tenterhook-default-requests';
export const queued = { atLeastOnce: { ackWaitMs: 1000 } };
export const answer = { success: false as const, error: { code: 'unsupported_event' as const, message: 'the answer' } };

/** A client with its bus. */
export async function client(scene: NatsScene, options: ConnectToNatsOptions = queued) {
  const transport = (await scene.transport(options)) as NatsTransport;
  return { transport, bus: scene.busOn(transport) };
}

/** A promise and its resolve function. */
export function pledge<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((onResolved) => {
    resolve = onResolved;
  });
  return { promise, resolve };
}

/** The number of requests that the stream keeps. */
export async function kept(scene: NatsScene): Promise<number> {
  const raw = await scene.raw();
  const { state } = (await raw.request(`$JS.API.STREAM.INFO.${stream}`)).json<{ state: { messages: number } }>();
  await raw.close();
  return state.messages;
}

/** Follows what workers report to the stream, such as '+ACK'. `ackSubject()` is the subject of the last delivery that was reported. */
export async function watchReports(scene: NatsScene) {
  const raw = await scene.raw();
  const reports: string[] = [];
  let last = '';
  raw.subscribe('$JS.ACK.>', {
    callback: (_error, { subject, data }) => {
      last = subject;
      reports.push(Buffer.from(data).toString());
    },
  });
  await raw.flush();
  return { raw, reports, ackSubject: () => last };
}
