import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AggregatedHookResult, createHookOutput, type HookEventName } from '@tenterhook/protocol';
import { type HookRig, hookRig } from '@tenterhook/testing';
import { createHooks, type Hooks, MessageBus } from 'tenterhook';
import { noOtherHome, withEnvironment } from '../support/environment.js';
import { settingsOf, withHooks } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';

let folder: string;
let hooks: Hooks;
const bus = new MessageBus();

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenterhook-example-')));
  cpSync(join(root, 'examples/agent-loop/workspace'), folder, { recursive: true });
  // Uses its own home directory, because the hooks of the user who runs this test must not take part.
  const home = { ...noOtherHome, HOME: join(folder, 'home') };
  hooks = await withEnvironment(home, () => createHooks({ bus, projectDir: folder, trust: 'all', sessionId: 'example' }));
});

afterAll(async () => {
  await hooks.dispose();
  await bus.close();
  rmSync(folder, { recursive: true });
});

async function answer(eventName: HookEventName, input: Record<string, unknown>): Promise<AggregatedHookResult> {
  const response = await bus.request('HOOK_EXECUTION_REQUEST', { eventName, input });
  expect(response.success).toBe(true);
  const output = response.output as AggregatedHookResult;
  // On the bus the output is plain data.
  return output.finalOutput === undefined ? output : { ...output, finalOutput: createHookOutput(eventName, output.finalOutput) };
}

/** The request as the agent sends it: the whole conversation, the newest message last. */
const ask = (...contents: string[]) =>
  answer('BeforeModel', { llm_request: { model: 'm', messages: contents.map((content) => ({ role: 'user', content })) } });
const text = (file: string) => readFileSync(join(folder, '.llxprt', file), 'utf8');
const write = (path: string, content: string) => answer('BeforeTool', { tool_name: 'write_file', tool_input: { path, content } });
const id = (event: string, name: string) => `llxprt/project/${event}/${name}`;

test('the settings of the example have nothing to complain about', () => {
  expect(hooks.diagnostics.filter((diagnostic) => diagnostic.severity !== 'note')).toEqual([]);
});

test('tenterhook test runs the cases beside the hooks', async () => {
  const { status, stdout } = await runCli(['test'], { cwd: folder, home: join(folder, 'home') });
  expect(stdout).toMatch(/\n6 passed, 0 failed\n$/);
  expect(status).toBe(0);
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
  expect(result.finalOutput?.getAdditionalContext()).toMatch(/^README\.md has \d+ lines on disk\.$/);
});

test('Node: the files of the project are context for each prompt', async () => {
  const { finalOutput } = await answer('BeforeAgent', { prompt: 'Hello.' });
  expect(finalOutput?.getAdditionalContext()).toBe('Files of the project: README.md.');
});

test('bash: a frozen project leaves one tool, and one that is not frozen all of them', async () => {
  const select = () => answer('BeforeToolSelection', { llm_request: { messages: [] } });
  expect((await select()).changes).toEqual([]);
  writeFileSync(join(folder, 'FREEZE'), '');
  const { finalOutput } = await select().finally(() => rmSync(join(folder, 'FREEZE')));
  expect(finalOutput?.hookSpecificOutput?.['toolConfig']).toEqual({ mode: 'AUTO', allowedFunctionNames: ['read_file'] });
});

test('Python: a secret in any message is taken out before the model sees it, and nothing else is', async () => {
  const { finalOutput, changes } = await ask('My key is sk-live-0123456789abcdef.', 'Keep it.');
  expect(finalOutput?.hookSpecificOutput?.['llm_request']).toEqual({
    model: 'm',
    messages: [
      { role: 'user', content: 'My key is [REDACTED].' },
      { role: 'user', content: 'Keep it.' },
    ],
  });
  expect(changes).toMatchObject([{ path: 'llm_request.messages', hookId: id('BeforeModel', 'redact-messages') }]);
  expect((await ask('Hello.')).changes).toEqual([]);
});

test('Node: what is known is answered without the model, when it is what was asked last', async () => {
  const { finalOutput, verdict } = await ask('Hello.', 'Which number has the station?');
  expect(verdict.kind).toBe('none');
  expect(finalOutput?.hookSpecificOutput?.['llm_response']).toMatchObject({
    candidates: [{ content: { parts: ['It is station 17, as the sign on its door says.'] } }],
  });
  const later = await ask('Which number has the station?', 'And now something else.');
  expect(later.finalOutput?.hookSpecificOutput?.['llm_response']).toBeUndefined();
});

test('bash: behind the last call that the budget allows, the agent is stopped; the end of the session gives it back', async () => {
  writeFileSync(join(folder, '.llxprt/model-calls'), 'a call\n'.repeat(8));
  expect((await ask('The ninth.')).verdict).toMatchObject({ kind: 'none', stop: false });
  const { verdict } = await ask('The tenth.');
  expect(verdict).toMatchObject({ kind: 'none', stop: true, stoppedBy: [id('BeforeModel', 'budget')] });
  expect(verdict.stopReason).toBe('The session has used up its 9 calls of the model.');

  await answer('SessionEnd', { reason: 'exit' });
  expect(text('sessions.log')).toBe('The session wanted to call the model 10 times.\n');
  expect((await ask('The first.')).verdict.stop).toBe(false);
});

test('Node: addresses are taken out of what the model says', async () => {
  const says = (response: object) => answer('AfterModel', { llm_request: {}, llm_response: response });
  const { finalOutput } = await says({ text: 'Ask a.b@example.org or c@d.example.' });
  expect(finalOutput?.hookSpecificOutput?.['llm_response']).toMatchObject({ text: 'Ask [ADDRESS] or [ADDRESS].' });
  expect((await says({ text: 'Ask at 10 @ home.' })).changes).toEqual([]);
  expect((await says({ candidates: [] })).errors).toEqual([]);
});

test('Node: an answer that does not name a file is sent back, once', async () => {
  const answered = (prompt_response: string, prompt = 'Write it down.', stop_hook_active = false) =>
    answer('AfterAgent', { prompt, prompt_response, stop_hook_active }).then(({ verdict }) => verdict);
  expect(await answered('Done.')).toMatchObject({
    kind: 'deny',
    reason: 'Say which files you wrote.',
    by: [id('AfterAgent', 'say-where')],
  });
  expect((await answered('Done.', 'Write it down.', true)).kind).toBe('none');
  expect((await answered('It is in README.md.')).kind).toBe('none');
  expect((await answered('Done.', 'Who wrote that?')).kind).toBe('none');
});

test('Python: the tool calls of the transcript are saved before it is compressed', async () => {
  const call = { functionCall: { name: 'write_file', args: { path: 'notes.md' } } };
  const transcript = join(folder, 'transcript.jsonl');
  writeFileSync(
    transcript,
    [{ parts: [{ text: 'Hello.' }] }, { parts: [{ text: 'I write.' }, call] }].map((entry) => JSON.stringify(entry)).join('\n'),
  );
  const { finalOutput } = await answer('PreCompress', { trigger: 'auto', transcript_path: transcript });
  rmSync(transcript);
  expect(finalOutput?.systemMessage).toBe('1 tool calls are kept in .llxprt/history.md.');
  expect(text('history.md')).toBe('- write_file notes.md\n');
});

test('Node: a tool permission rings, another notification does not', async () => {
  const notify = (notification_type: string) => answer('Notification', { notification_type, message: 'May it run?', details: {} });
  await notify('Idle');
  await notify('ToolPermission');
  expect(text('notifications.log')).toBe('ToolPermission: May it run?\n');
});

test('a line of shell: the house rules reach the model', async () => {
  const { finalOutput } = await answer('SessionStart', { source: 'startup' });
  expect(finalOutput?.systemMessage).toContain('Secrets come from the environment.');
});

describe('the rig in use', () => {
  let rig: HookRig;
  beforeEach(async () => {
    rig = await hookRig();
  });
  afterEach(() => rig.close());

  test('the third hook waits while the limit is two', async () => {
    // The labels make the commands different: equal commands would be one hook.
    const settings = settingsOf('BeforeTool', ['a', 'b', 'c'].map(rig.command));
    await withHooks({ limits: { concurrency: 2 }, settings }, async ({ handler, progress }) => {
      const fired = handler.fireBeforeToolEvent('write_file', { path: 'a.txt' });
      const [first, second] = await Promise.all([rig.nextRun(), rig.nextRun()]);
      expect([first.label, second.label].sort()).toEqual(['a', 'b']);
      expect(await first.input()).toMatchObject({ tool_name: 'write_file', tool_input: { path: 'a.txt' } });
      await first.exit(0);
      const third = await rig.nextRun();
      const happened = progress.map(({ kind }) => kind);
      expect(happened).toEqual(['planned', 'hook-started', 'hook-started', 'hook-finished', 'hook-started']);
      await second.exit(0);
      await third.stderr('no');
      await third.exit(2);
      const result = await fired;
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [result.outcomes[2]?.hookId] });
    });
  });
});

describe('no warnings', () => {
  /** Runs the build in a separate process, because the test environment hides Node's warnings. */
  const program = `
  import { createHooks } from 'tenterhook';
  const group = { hooks: Array.from({ length: 40 }, (_, index) => ({ name: 'h' + index, command: 'true' })) };
  const hooks = await createHooks({ settings: { hooks: { BeforeTool: [group] } } });
  const handler = hooks.getEventHandler();
  const { outcomes } = await handler.fireBeforeToolEvent('write_file', {});
  const control = new AbortController();
  const events = Array.from({ length: 40 }, () => handler.fireBeforeToolEvent('t', {}, undefined, { signal: control.signal, timeoutMs: 60000 }));
  control.abort();
  const cancelled = (await Promise.all(events)).filter((result) => result.errors[0].code === 'cancelled');
  await hooks.dispose();
  console.log(outcomes.filter((outcome) => outcome.status === 'succeeded').length, cancelled.length);
`;

  test('forty hooks of one event, and forty events on one signal, are nothing that Node warns of', () => {
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout.trim()).toBe('40 40');
  });
});
