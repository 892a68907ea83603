import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { eventLines, inspecting } from '../inspector-rig.js';

const started = 'http.server.request.start';

test('13. a connection is not cut off while the hooks of its run print nothing', async () => {
  let socket: Socket | undefined;
  const note = (message: unknown) => {
    socket = (message as { readonly socket: Socket }).socket;
  };
  const timeouts: unknown[] = [];
  const runFiles = async () => {
    timeouts.push(socket?.timeout);
    await new Promise((resolve) => setImmediate(resolve));
    timeouts.push(socket?.timeout);
    return { request: {}, progress: [], response: { success: true, output: { verdict: { kind: 'allow' }, outcomes: [] } } };
  };
  subscribe(started, note);
  try {
    await inspecting(
      eventLines(0),
      async (inspector) => {
        const response = await inspector.post('/api/run', { eventName: 'BeforeTool', input: {}, shown: 'x' });
        expect(((await response.json()) as { row: { verdict: string } }).row.verdict).toBe('allow');
        // The server stops a run when its connection ends, so a limit would end each run of more than a minute.
        expect(timeouts).toEqual([60_000, 0]);
      },
      { askFiles: async () => ({ hooks: [], issues: [] }), runFiles },
    );
  } finally {
    unsubscribe(started, note);
  }
});
