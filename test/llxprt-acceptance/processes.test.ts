import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireTool, freshDirectory, outcomeAt, processesWith, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';

const marker = () => `TENTERHOOK_TEST=${globalThis.crypto.randomUUID()}`;
const envOf = (text: string) => ({ TENTERHOOK_TEST: text.split('=')[1] as string });
const deny = says({ decision: 'deny', reason: 'no' });

test('30. two parallel hooks run at once, and their outcomes stand in plan order whoever ends first', async () => {
  const first = 'echo > first; until [ -e second ]; do sleep 0.02; done; until [ -e go ]; do sleep 0.02; done; echo one';
  const second = 'echo > second; until [ -e first ]; do sleep 0.02; done; sleep 0.3; echo two';
  await withHooks({ settings: settingsOf('BeforeTool', [first, second]) }, async ({ hooks, handler, projectDir, progress }) => {
    hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
      if (payload.kind === 'hook-finished') writeFileSync(join(projectDir, 'go'), '');
    });
    const began = performance.now();
    const result = await handler.fireBeforeToolEvent('write_file', {});
    const measured = performance.now() - began;
    const happened = progress.map((message) => ('hookId' in message ? `${message.kind} ${message.hookId.at(-1)}` : message.kind));
    expect(happened).toEqual(['planned', 'hook-started 0', 'hook-started 1', 'hook-finished 1', 'hook-finished 0']);
    expect(result.outcomes.map((outcome) => outcome.stdout)).toEqual(['one\n', 'two\n']);
    expect(result.finalOutput?.systemMessage).toBe('one\ntwo');
    // The wall clock of the event (decision 33): no shorter than its longest hook, and no sum that nobody waited for.
    expect(result.totalDuration).toBeGreaterThanOrEqual(Math.max(...result.outcomes.map((outcome) => outcome.durationMs)));
    expect(result.totalDuration).toBeLessThanOrEqual(measured);
  });
});

test('31. at the deadline a hook is settled without its output, and dispose() leaves no process of it', async () => {
  const mark = marker();
  // It ignores SIGTERM, so that only what kills the whole group for certain can end it.
  const hook = { command: `trap '' TERM; ${deny}; sleep 12; echo x`, timeout: 300, env: envOf(mark) };
  await withHooks({ settings: settingsOf('BeforeTool', [hook]), limits: { killGraceMs: 60_000 } }, async ({ hooks, handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'timed-out',
      warnings: [{ code: 'timeout', message: expect.stringContaining('300 ms') }],
    });
    expect(outcomeAt(result, 0)).not.toHaveProperty('output');
    expect(result.verdict.kind).toBe('none');
    // Settled while the hook still runs: nobody waited for the 12 s, nor for its death.
    expect(processesWith(mark)).not.toEqual([]);
    await hooks.dispose();
    expect(processesWith(mark)).toEqual([]);
  });
});

test('32. a deny counts although a child of the hook holds its output, and the child is left alone', async () => {
  const mark = marker();
  const hook = { command: `sleep 600 & ${deny}; exit 2`, env: envOf(mark) };
  const result = await fireTool([hook]);
  const children = processesWith(mark);
  for (const child of children) process.kill(child, 'SIGKILL');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['left_processes']);
  expect(children).toHaveLength(1);
});

test.each([0, '500', 3e9])('33. the timeout %j is a diagnostic, and 60000 is used', async (timeout) => {
  await withHooks({ settings: settingsOf('BeforeTool', [{ command: 'true', timeout }]) }, async ({ hooks, handler, progress }) => {
    expect(hooks.diagnostics).toMatchObject([
      { code: 'invalid_timeout', path: 'hooks.BeforeTool[0].hooks[0].timeout', message: expect.stringContaining('Using 60000') },
    ]);
    await handler.fireBeforeToolEvent('write_file', {});
    expect(progress).toContainEqual(expect.objectContaining({ kind: 'hook-started', timeoutMs: 60_000 }));
  });
});

test('34. a project path with a space: the shell expands the variables, and all three hold the project directory', async () => {
  const parent = freshDirectory();
  const projectDir = join(parent, 'my project');
  mkdirSync(projectDir);
  const script = '#!/bin/sh\nprintf "%s|%s|%s|%s" "$LLXPRT_PROJECT_DIR" "$GEMINI_PROJECT_DIR" "$CLAUDE_PROJECT_DIR" "$PWD"\n';
  writeFileSync(join(projectDir, 'h.sh'), script, { mode: 0o755 });
  await withHooks({ projectDir, settings: settingsOf('BeforeTool', ['"$LLXPRT_PROJECT_DIR"/h.sh']) }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.finalOutput?.systemMessage?.split('|')).toEqual([projectDir, projectDir, projectDir, projectDir]);
  });
  rmSync(parent, { recursive: true });
});
