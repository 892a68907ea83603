import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { geminiCli } from '@tenterhook/dialects';
import { withEnvironment } from '../support/environment.js';
import { freshDirectory, outcomeAt, processesWith, says, warningCodes } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fireWrite, hooksOf, withGemini } from './gemini-hooks.js';

const mark = () => globalThis.crypto.randomUUID();

test('gemini 28: a timeout is in milliseconds; at the deadline the outcome is settled and no process is left', async () => {
  const id = mark();
  // Longer than anybody waits: that nothing is left is the work of who killed it, not of its end.
  const hook = { command: 'sleep 600; echo x', timeout: 600, env: { TENTERHOOK_TEST: id } };
  await withGemini(hooksOf('BeforeTool', hook), async ({ hooks, handler, progress }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'suspicious_timeout', severity: 'note', remedy: expect.stringContaining('600000') }]);
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'timed-out',
      warnings: [{ code: 'timeout', message: expect.stringContaining('600 ms') }],
    });
    expect(progress).toContainEqual(expect.objectContaining({ kind: 'hook-started', timeoutMs: 600 }));
    await until('no process of the hook is left', () => processesWith(id).length === 0);
  });
});

test.each([0, 3e9, '5s'])('the timeout %j is a diagnostic, and 60 seconds are used', async (timeout) => {
  await withGemini(hooksOf('BeforeTool', { command: 'true', timeout }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_timeout', path: 'hooks.BeforeTool[0].hooks[0].timeout' }]);
    expect(hooks.hooks.BeforeTool.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000]);
  });
});

test('the number of a hook that was migrated from Claude Code is doubted', async () => {
  await withGemini(hooksOf('BeforeTool', { command: 'true', timeout: 30 }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([
      { code: 'suspicious_timeout', severity: 'warning', remedy: expect.stringContaining('30000') },
    ]);
  });
});

/** A project whose path has a space, with a script in it that prints its variables. */
async function inSpacedProject(
  command: string,
  use: (said: { message?: string; codes: string[]; projectDir: string }) => void,
): Promise<void> {
  const parent = freshDirectory();
  const projectDir = join(parent, 'my project');
  mkdirSync(projectDir);
  const script =
    '#!/bin/sh\nprintf "%s|%s|%s|%s|%s" "$GEMINI_PROJECT_DIR" "$CLAUDE_PROJECT_DIR" "$GEMINI_CWD" "$GEMINI_SESSION_ID" "$PWD"\n';
  writeFileSync(join(projectDir, 'x.sh'), script, { mode: 0o755 });
  try {
    await withGemini(
      hooksOf('BeforeTool', command),
      async ({ hooks, handler }) => {
        const codes = hooks.diagnostics.map(({ code }) => code);
        const message = (await handler.fireBeforeToolEvent('write_file', {})).finalOutput?.systemMessage;
        use({ ...(message === undefined ? {} : { message }), codes, projectDir });
      },
      { projectDir },
    );
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

test.each(['"$GEMINI_PROJECT_DIR/x.sh"', `"\${GEMINI_PROJECT_DIR}"/x.sh`, 'D=$GEMINI_PROJECT_DIR; "$D"/x.sh'])(
  'gemini 32: %s runs where the project path has a space',
  async (command) => {
    await inSpacedProject(command, ({ message, codes, projectDir }) => {
      expect(codes).toEqual([]);
      expect(message?.split('|')).toEqual([projectDir, projectDir, projectDir, 's1', projectDir]);
    });
  },
);

test.each(['$GEMINI_PROJECT_DIR/x.sh', `\${GEMINI_PROJECT_DIR}/x.sh`, 'sh -c "$(cat $CLAUDE_PROJECT_DIR/x.sh)"'])(
  'gemini 32: %s is a load warning where the project path has a space',
  async (command) => {
    await inSpacedProject(command, ({ codes }) => expect(codes).toEqual(['unquoted_variable']));
  },
);

test('without white space in the path there is nothing to say', async () => {
  await withGemini(hooksOf('BeforeTool', '$GEMINI_PROJECT_DIR/x.sh'), async ({ hooks }) => expect(hooks.diagnostics).toEqual([]));
});

test("a hook has its parent's environment, its own last", async () => {
  const print = `printf "%s|%s|%s" "$OF_THE_PARENT" "$GEMINI_SESSION_ID" "\${GEMINI_PLANS_DIR-none}"`;
  await withEnvironment({ OF_THE_PARENT: 'here', GEMINI_PLANS_DIR: undefined }, async () => {
    expect((await fireWrite(print)).finalOutput?.systemMessage).toBe('here|s1|none');
    const own = { command: print, env: { GEMINI_SESSION_ID: 'mine', OF_THE_PARENT: 'changed' } };
    expect((await fireWrite(own)).finalOutput?.systemMessage).toBe('changed|mine|none');
    await withGemini(
      hooksOf('BeforeTool', print),
      async ({ handler }) => {
        expect((await handler.fireBeforeToolEvent('write_file', {})).finalOutput?.systemMessage).toBe('here|s1|/srv/plans');
      },
      { dialects: [geminiCli({ plansDir: '/srv/plans' })] },
    );
  });
});

const printed = `printf "%s|%s|%s" "\${MY_TOKEN-none}" "\${HARMLESS-none}" "\${PLAIN-none}"`;
const secrets = { MY_TOKEN: 't', HARMLESS: `ghp_${'a'.repeat(36)}`, PLAIN: 'text' };
const asking = { security: { environmentVariableRedaction: { enabled: true } } };

test.each<[string, Record<string, unknown>, Parameters<typeof geminiCli>[0], string]>([
  ['nobody asks for it', {}, {}, `t|${secrets.HARMLESS}|text`],
  ['the settings ask for it', asking, {}, 'none|none|text'],
  ['the host asks for it', {}, { redactEnvironment: true }, 'none|none|text'],
  [
    'the settings make exceptions',
    { security: { environmentVariableRedaction: { enabled: true, allowed: ['my_token'], blocked: ['PLAIN'] } } },
    {},
    't|none|none',
  ],
])('secrets in the environment where %s', async (_, settings, options, expected) => {
  await withEnvironment(secrets, async () => {
    await withGemini(
      { ...settings, hooks: hooksOf('BeforeTool', printed) },
      async ({ handler }) => {
        expect((await handler.fireBeforeToolEvent('write_file', {})).finalOutput?.systemMessage).toBe(expected);
      },
      { dialects: [geminiCli(options)] },
    );
  });
});

test('gemini 34: an answer counts although a child of the hook holds its output, and the child is left alone', async () => {
  const id = mark();
  const hook = { command: `sleep 600 & ${says({ decision: 'deny', reason: 'no' })}`, env: { TENTERHOOK_TEST: id } };
  const result = await fireWrite(hook);
  const children = processesWith(id);
  for (const child of children) process.kill(child, 'SIGKILL');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['left_processes']);
  expect(children).toHaveLength(1);
});

test('a working directory that is not there is named as what is missing', async () => {
  await withGemini(hooksOf('BeforeTool', 'true'), async ({ handler }) => {
    const result = await handler.fire('BeforeTool', { tool_name: 'write_file', tool_input: {}, cwd: '/no/such/directory' });
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'failed',
      warnings: [{ message: expect.stringContaining('/no/such/directory') }],
    });
  });
});
