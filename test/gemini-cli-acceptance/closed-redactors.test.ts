import { createHookClient, executeToolWithHooks } from 'tenterhook';
import { withHooks } from '../support/fire-hooks.js';

const settings = (event: string, command: string) => [
  { hooks: { [event]: [{ hooks: [{ type: 'command', name: 'redact', command, onError: 'block' }] }] } },
];

test.each(['exit 1', 'kill -9 $$', 'exec no-such-program-anywhere'])(
  'a redactor that fails closed takes the result away, as one that denies does: %s',
  async (command) => {
    await withHooks({ settings: settings('AfterTool', command), dialect: 'gemini-cli' }, async ({ hooks }) => {
      const done = await executeToolWithHooks(createHookClient(hooks), {
        name: 'read_file',
        input: { file_path: 'a' },
        execute: async () => ({ llmContent: 'SECRET', returnDisplay: 'SECRET' }),
      });
      expect(JSON.stringify(done.result)).not.toContain('SECRET');
      expect(done.after?.verdict).toMatchObject({ kind: 'deny', by: ['gemini-cli/settings/AfterTool/redact'] });
    });
  },
);

test('what a model answered is taken away likewise', async () => {
  await withHooks({ settings: settings('AfterModel', 'exit 1'), dialect: 'gemini-cli' }, async ({ handler }) => {
    const result = await handler.fireAfterModelEvent({ model: 'm', messages: [] }, { text: 'SECRET' });
    expect(JSON.stringify(result.finalOutput)).not.toContain('SECRET');
    expect(result.verdict.kind).toBe('deny');
  });
});

test('an answer on stderr that was cut off is a failure, as one on stdout is', async () => {
  const command = `node -e "process.stderr.write(' '.repeat(3e6) + JSON.stringify({ decision: 'deny' }))"`;
  await withHooks({ settings: settings('BeforeTool', command), dialect: 'gemini-cli' }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', { a: 1 });
    expect(result.outcomes[0]).toMatchObject({ status: 'failed', failedClosed: true });
    expect(result.verdict.kind).toBe('deny');
  });
});
