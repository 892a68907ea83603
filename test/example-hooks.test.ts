import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { createHooks, type Hooks, MessageBus } from 'tenterhook';
import { root } from './support/sources.js';

let folder: string;
let hooks: Hooks;
const bus = new MessageBus();

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenterhook-example-')));
  cpSync(join(root, 'examples/agent-loop/workspace'), folder, { recursive: true });
  hooks = await createHooks({ bus, projectDir: folder, sessionId: 'example' });
});

afterAll(async () => {
  await hooks.dispose();
  await bus.close();
  rmSync(folder, { recursive: true });
});

async function answer(eventName: string, input: Record<string, unknown>): Promise<AggregatedHookResult> {
  const response = await bus.request('HOOK_EXECUTION_REQUEST', { eventName, input });
  expect(response.success).toBe(true);
  return response.output as AggregatedHookResult;
}

const write = (path: string, content: string) => answer('BeforeTool', { tool_name: 'write_file', tool_input: { path, content } });
const id = (event: string, name: string) => `llxprt/project/${event}/${name}`;

test('the settings of the example have nothing to complain about', () => {
  expect(hooks.diagnostics.filter((diagnostic) => diagnostic.severity !== 'note')).toEqual([]);
});

test('bash: a write outside the workspace is denied, and the rest of the chain does not run', async () => {
  const { verdict, outcomes } = await write('/etc/passwd', 'x');
  expect(verdict).toMatchObject({ kind: 'deny', by: [id('BeforeTool', 'stay-inside')], reason: expect.stringContaining('/etc/passwd') });
  expect(outcomes.map(({ name, status, skipReason }) => [name, skipReason ?? status])).toEqual([
    ['stay-inside', 'blocked'],
    ['redact-secrets', 'chain-ended'],
    ['lint-command', 'matcher'],
  ]);
});

test('Python: a secret is rewritten, and the change says by whom', async () => {
  const result = await write('station.env', 'STATION_ID=17\nAPI_KEY=sk-live-0123456789abcdef0123456789\n');
  expect(result.verdict.kind).toBe('none');
  expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({
    path: 'station.env',
    content: 'STATION_ID=17\nAPI_KEY=[REDACTED]\n',
  });
  expect(result.changes).toMatchObject([{ path: 'tool_input.content', hookId: id('BeforeTool', 'redact-secrets') }]);
});

test('Node: plain text becomes a message and no decision, and what deletes is asked about', async () => {
  const shell = (command: string) => answer('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command } });
  const advised = await shell('cat notes.md | wc -l');
  expect(advised.verdict.kind).toBe('none');
  expect(advised.finalOutput?.systemMessage).toMatch(/cat/);
  expect((await shell('rm -rf notes.md')).verdict).toMatchObject({ kind: 'ask', by: [id('BeforeTool', 'lint-command')] });
});

test('a crash and a timeout are seen, and decide nothing', async () => {
  const result = await answer('AfterTool', {
    tool_name: 'run_shell_command',
    tool_input: { command: 'ls' },
    tool_response: { llmContent: '' },
  });
  expect(result.verdict.kind).toBe('none');
  expect(result.success).toBe(false);
  expect(result.errors.map(({ code, hookId }) => [code, hookId])).toEqual([
    ['exit_code', id('AfterTool', 'crashy')],
    ['timeout', id('AfterTool', 'slow-audit')],
  ]);
});

test('Python: context is added after a tool', async () => {
  const result = await answer('AfterTool', {
    tool_name: 'write_file',
    tool_input: { path: 'README.md' },
    tool_response: { llmContent: 'Wrote it.' },
  });
  expect(result.outcomes[0]).toMatchObject({ name: 'note-changes', status: 'succeeded' });
});
