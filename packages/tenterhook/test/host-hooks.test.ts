import { claudeCode } from '@tenterhook/dialects';
import type { CreateHooksOptions } from '../src/create-hooks-options.js';
import { inPlace } from './hooks-rig.js';

/** Settings with two hooks: one that only the host can run, and one that Tenterhook can run. */
const settings = {
  hooks: {
    PreToolUse: [
      {
        hooks: [
          { type: 'prompt', prompt: 'May this run? $ARGUMENTS' },
          { type: 'command', command: 'echo seen >&2' },
        ],
      },
    ],
  },
};
const dialects = [claudeCode()];

function outcomesWith(options: CreateHooksOptions) {
  let codes: string[] = [];
  let outcomes: unknown[] = [];
  let kind = '';
  return inPlace(async ({ create }) => {
    const hooks = await create({ settings, dialects, ...options });
    codes = hooks.diagnostics.map(({ code }) => code);
    const result = await hooks.getEventHandler().fireBeforeToolEvent('run_shell_command', { command: 'ls' });
    outcomes = result.outcomes.map(({ status, skipReason }) => skipReason ?? status);
    kind = result.verdict.kind;
  }).then(() => ({ codes, outcomes, kind }));
}

test('without a callback such a hook is a diagnostic and an outcome that reports it, and its siblings run', async () => {
  expect(await outcomesWith({})).toEqual({ codes: ['unknown_type'], outcomes: ['invalid', 'succeeded'], kind: 'none' });
  expect(await outcomesWith({ callbacks: { agent: () => ({ ok: true }) } })).toMatchObject({ codes: ['unknown_type'] });
});

test('strict settings are not accepted with it', async () => {
  await inPlace(async ({ create }) => {
    await expect(create({ settings, dialects, strict: true })).rejects.toThrow('callbacks: { prompt }');
  });
});

test('with a callback it runs, and is asked what its settings say', async () => {
  const asked: unknown[] = [];
  const prompt = ({ type, data }: { type: string; data: Readonly<Record<string, unknown>> }) => {
    asked.push([type, data['prompt']]);
    return { ok: false, reason: 'not now' };
  };
  expect(await outcomesWith({ callbacks: { prompt } })).toEqual({ codes: [], outcomes: ['blocked', 'succeeded'], kind: 'deny' });
  expect(asked).toEqual([['prompt', expect.stringMatching(/^May this run\? \{.*"tool_name":"Bash"/)]]);
});

test('an executor of the host for hooks of this kind takes those of every type', async () => {
  const executor = {
    kind: 'host',
    run: async () => ({ kind: 'answered' as const, answer: { ok: true }, durationMs: 0 }),
  };
  expect(await outcomesWith({ advanced: { executors: [executor] } })).toMatchObject({ codes: [], outcomes: ['succeeded', 'succeeded'] });
});

test('the diagnostic follows a reload', async () => {
  await inPlace(async ({ create, write }) => {
    const file = write('settings.json', settings);
    const hooks = await create({ settings: [file], dialects, dialect: 'claude-code' });
    expect(hooks.diagnostics).toMatchObject([{ code: 'unknown_type', file, line: 1, dialect: 'claude-code', eventName: 'BeforeTool' }]);
    write('settings.json', {});
    await hooks.reload();
    expect(hooks.diagnostics).toEqual([]);
  });
});
