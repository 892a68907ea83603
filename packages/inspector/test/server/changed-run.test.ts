import type { PreviewAnswer } from '../../src/api/messages.js';
import { eventLines, inspecting } from '../inspector-rig.js';

const call = { eventName: 'BeforeTool', input: {} };
const previewOf = (command: string) => ({ hooks: [{ hookId: 'guard', kind: 'command', command, stdin: command }], issues: [] });

test('13. settings that change after the commands were compared, and before the hooks are loaded, start nothing', async () => {
  let loaded = 'echo one';
  const started: string[] = [];
  await inspecting(
    eventLines(0),
    async (inspector) => {
      const { shown } = (await (await inspector.post('/api/preview', { ...call, by: 'files' })).json()) as PreviewAnswer;
      loaded = 'echo two';
      const refused = await inspector.post('/api/run', { ...call, shown });
      expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code, started]).toEqual([409, 'changed', []]);
      loaded = 'echo one';
      expect((await inspector.post('/api/run', { ...call, shown })).status).toBe(200);
      expect(started).toEqual(['echo one']);
    },
    {
      askFiles: async () => previewOf('echo one'),
      runFiles: async (_body, _signal, requireShown) => {
        requireShown(previewOf(loaded));
        started.push(loaded);
        return { request: {}, progress: [], response: { success: true, output: { verdict: { kind: 'allow' }, outcomes: [] } } };
      },
    },
  );
});
