import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, fireTool, outcomeAt, processesWith, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';

const input = { tool_name: 'write_file', tool_input: {} };

fault('E1', async () => {
  const result = await fireTool(['echo "no such table" >&2; exit 1']);
  expect(result).toMatchObject({ success: false, verdict: { kind: 'none', by: [] }, errors: [{ code: 'exit_code' }] });
  expect(outcomeAt(result, 0)).toMatchObject({
    status: 'failed',
    exitCode: 1,
    warnings: [{ code: 'exit_code', message: expect.stringContaining('no such table') }],
  });
});

fault('E2', async () => {
  expect(outcomeAt(await fireTool(['no-such-linter --fix']), 0)).toMatchObject({
    status: 'failed',
    exitCode: 127,
    warnings: [{ code: 'missing_command', message: expect.stringContaining('"no-such-linter"') }],
  });
});

fault('E3', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['./guard.sh']) }, async ({ handler, projectDir }) => {
    writeFileSync(join(projectDir, 'guard.sh'), '#!/bin/sh\n', { mode: 0o644 });
    expect(outcomeAt(await handler.fire('BeforeTool', input), 0)).toMatchObject({
      status: 'failed',
      exitCode: 126,
      warnings: [{ code: 'not_executable', message: expect.stringContaining('chmod +x ./guard.sh') }],
    });
  });
});

fault('E4', async () => {
  const result = await fireTool(['kill -KILL $$', 'ulimit -c 0; kill -SEGV $$']);
  for (const [index, signal] of ['SIGKILL', 'SIGSEGV'].entries()) {
    expect(outcomeAt(result, index)).toMatchObject({ status: 'failed', signal, warnings: [{ code: 'signal' }] });
    expect(outcomeAt(result, index)).not.toHaveProperty('exitCode');
  }
});

fault('E5', async () => {
  const mark = `own-group-${process.pid}-${Math.random()}`;
  const result = await fireTool([{ command: 'sleep 300 & kill -KILL 0', env: { MARK: mark } }, 'echo no >&2; exit 2']);
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', signal: 'SIGKILL', warnings: [{ code: 'signal' }] });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  await until('nothing of the hook is left', () => processesWith(mark).length === 0);
});

fault('E6', async () => {
  expect(outcomeAt(await fireEvent('BeforeTool', { ...input, cwd: '/no/such/directory' }, ['true']), 0)).toMatchObject({
    status: 'failed',
    failedClosed: true,
    warnings: [{ code: 'spawn_failed', message: expect.stringContaining('/no/such/directory does not exist') }, { code: 'failed_closed' }],
  });
});

fault('E7', async () => {
  expect(outcomeAt(await fireTool([`: ${'x'.repeat(200_000)}`]), 0)).toMatchObject({
    status: 'failed',
    warnings: [{ code: 'spawn_failed', message: expect.stringContaining('too long for the system: move the command into a script') }],
  });
});

fault('E8', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['touch ran; echo a\0b']) }, async ({ handler, read }) => {
    expect(outcomeAt(await handler.fire('BeforeTool', input), 0)).toMatchObject({
      status: 'failed',
      warnings: [{ code: 'invalid_input', message: expect.stringContaining('the command contains a NUL byte') }],
    });
    expect(read('ran')).toBeUndefined();
  });
});

fault('E9', async () => {
  const result = await fireTool([`${says({ decision: 'deny', reason: 'no' })}; exit 1`]);
  expect(result.verdict).toMatchObject({ kind: 'none', by: [] });
  expect(outcomeAt(result, 0).status).toBe('failed');
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['exit_code', 'decision_ignored']);
});
