import { setTimeout as pause } from 'node:timers/promises';
import { eventLines, inspecting } from '../inspector-rig.js';

test('13. a run that takes longer than a connection may be silent is answered', async () => {
  let wasStopped = false;
  const runFiles = async (_: unknown, signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      wasStopped = true;
    });
    await pause(62_000, undefined, { signal });
    return { request: {}, progress: [], response: { success: true, output: { verdict: { kind: 'allow' }, outcomes: [] } } };
  };
  await inspecting(
    eventLines(0),
    async (inspector) => {
      const response = await inspector.post('/api/run', { eventName: 'BeforeTool', input: {} });
      expect(((await response.json()) as { row: { verdict: string } }).row.verdict).toBe('allow');
      expect(wasStopped).toBe(false);
    },
    { runFiles },
  );
}, 120_000);
