import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { MessageBus } from '@tenterhook/bus';
import type { Extension } from '../src/settings/extensions/extension.js';
import { SettingsError } from '../src/settings/settings-error.js';
import { fireTool, handlerOf, inPlace, toolHooks } from './hooks-rig.js';

const request = { eventName: 'BeforeTool', input: { tool_name: 'write_file', tool_input: {} } };
const linter = (command: string): Extension => ({ name: 'linter', ...toolHooks({ name: 'lint', command }) });
const lintId = 'llxprt/extension:linter/BeforeTool/lint';

test('strict rejects settings with an error, and says which', async () => {
  await inPlace(async ({ create, write }) => {
    const file = write('bad.json', { hooks: { BeforeTol: [], BeforeTool: [{ hooks: [{ command: '' }] }] } });
    const error = await create({ settings: [file], strict: true }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SettingsError);
    expect(error).toMatchObject({
      name: 'SettingsError',
      code: 'invalid_settings',
      diagnostics: [{ code: 'unknown_event' }, { code: 'missing_command' }],
      message: expect.stringMatching(/bad\.json:1:\d+ {2}hooks\.BeforeTol: .*\n.*bad\.json/),
    });
    expect((await create({ settings: [file] })).diagnostics).toHaveLength(2);
  });
});

test('strict minds neither warnings nor notes, nor files that are only looked for', async () => {
  await inPlace(async ({ create }) => {
    const group = { matcher: 'read', hooks: [{ command: 'true', timeout: 5 }] };
    const hooks = await create({ settings: { hooks: { BeforeTool: [group] } }, strict: true });
    expect(hooks.diagnostics.map((diagnostic) => diagnostic.severity).sort()).toEqual(['note', 'warning']);
    expect((await create({ strict: true })).files.map((file) => file.state)).toEqual(['missing', 'missing', 'missing']);
  });
});

const misuse: Record<string, [options: object, message: string]> = {
  'an option that is misspelled': [{ setings: {} }, 'Did you mean "settings"?'],
  'an extension without a name': [{ extensions: [{ hooks: {} }] }, 'extensions[0] must be'],
  'an unknown dialect': [{ dialect: 'latin' }, 'createHooks: "dialect" is "latin", which is not loaded. Loaded dialects: llxprt.'],
  'a limit that makes no sense': [{ limits: { concurrency: 0 } }, 'concurrency'],
};

test.each(Object.entries(misuse))('%s rejects with a TypeError', async (_, [options, message]) => {
  await inPlace(async ({ create }) => {
    const error = await create(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });
});

test('extensions are added, replaced and removed at run time', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: {} });
    expect(hooks.has('BeforeTool')).toBe(false);

    await hooks.extensions.add(linter('echo one >&2; exit 2'));
    expect((await fireTool(hooks)).verdict).toMatchObject({ kind: 'deny', reason: 'one', by: [lintId] });

    await hooks.extensions.add(linter('echo two >&2; exit 2'));
    const replaced = await fireTool(hooks);
    expect([replaced.outcomes.length, replaced.verdict.reason]).toEqual([1, 'two']);

    await hooks.extensions.add({ ...linter('exit 2'), active: false });
    expect(hooks.has('BeforeTool')).toBe(false);

    await hooks.extensions.add(linter('exit 2'));
    await hooks.extensions.remove('another');
    expect(hooks.has('BeforeTool')).toBe(true);
    await hooks.extensions.remove('linter');
    expect([hooks.has('BeforeTool'), hooks.hooks.BeforeTool]).toEqual([false, []]);
  });
});

test('a malformed extension is a TypeError at run time, too, and changes nothing', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: {}, extensions: [linter('true')] });
    await expect(hooks.extensions.add({ name: '', hooks: {} })).rejects.toThrow(TypeError);
    expect(hooks.hooks.BeforeTool.map((hook) => hook.id)).toEqual([lintId]);
  });
});

test('a reload swaps the set at once; an event in flight keeps the one it began with', async () => {
  await inPlace(async ({ at, create, write }) => {
    // The hook waits on a pipe until the test writes to it. So the reload happens during the run of the hook, however slow the computer is.
    execFileSync('mkfifo', [at('go')]);
    const waits = { name: 'waits', command: 'read -r _ < ../go' };
    const old = { hooks: { BeforeTool: [{ sequential: true, hooks: [waits, { name: 'old', command: 'echo old >&2; exit 2' }] }] } };
    const file = write('settings.json', old);
    const hooks = await create({ settings: [file] });
    const started = new Promise<void>((resolve) => {
      hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
        if (payload.kind === 'hook-started') resolve();
      });
    });
    const inFlight = fireTool(hooks);
    await started;

    write('settings.json', toolHooks({ name: 'new', command: 'echo new >&2; exit 2' }));
    expect(hooks.hooks.BeforeTool.map((hook) => hook.name)).toEqual(['waits', 'old']);
    await hooks.reload();
    expect(hooks.hooks.BeforeTool.map((hook) => hook.name)).toEqual(['new']);
    expect((await fireTool(hooks)).verdict.reason).toBe('new');

    await writeFile(at('go'), 'go\n');
    const { outcomes, verdict } = await inFlight;
    expect(outcomes.map((outcome) => [outcome.name, outcome.status])).toEqual([
      ['waits', 'succeeded'],
      ['old', 'blocked'],
    ]);
    expect(verdict.reason).toBe('old');
  });
});

test('onChange reports each swap, why, and what is wrong now; the new set is in force by then', async () => {
  await inPlace(async ({ at, create, write }) => {
    const file = write('settings.json', toolHooks({ name: 'a', command: 'true' }));
    const hooks = await create({ settings: [file] });
    const reported: unknown[] = [];
    const unsubscribe = hooks.onChange(({ cause, diagnostics, files }) => {
      reported.push([
        cause,
        hooks.hooks.BeforeTool.map((hook) => hook.name),
        diagnostics.map(({ code }) => code),
        files.map(({ state }) => state),
      ]);
    });
    await hooks.extensions.add(linter('true'));
    await hooks.extensions.remove('linter');
    write('settings.json', '{');
    await hooks.reload();
    unsubscribe();
    unsubscribe();
    await hooks.reload();
    expect(reported).toEqual([
      ['extensions', ['a', 'lint'], [], ['read']],
      ['extensions', ['a'], [], ['read']],
      ['reload', ['a'], ['invalid_json'], ['broken']],
    ]);
    expect(hooks.diagnostics).toMatchObject([
      { file: at('settings.json'), message: expect.stringContaining('last good state stays in use') },
    ]);
  });
});

test('a listener that throws or rejects harms neither the others nor the reload', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: {} });
    const reported: string[] = [];
    hooks.onChange(() => {
      throw new Error('not now');
    });
    hooks.onChange(async () => {
      throw new Error('nor later');
    });
    const listener = () => reported.push('heard');
    const unsubscribe = hooks.onChange(listener);
    hooks.onChange(listener);
    await expect(hooks.reload()).resolves.toBeUndefined();
    expect(reported).toEqual(['heard', 'heard']);
    unsubscribe();
    await hooks.reload();
    expect(reported).toHaveLength(3);
    expect(() => hooks.onChange('listener' as never)).toThrow(TypeError);
  });
});

test('a dialect that cannot read its settings is a diagnostic, and the hooks of another run', async () => {
  await inPlace(async ({ create, write, dialect }) => {
    const fails = () => {
      throw new Error('not today');
    };
    const claims = (file: string) => (file.endsWith('other.json') ? {} : undefined);
    const other = { ...dialect, name: 'other', eventsIn: () => [], locations: () => [], claims, parse: fails };
    const settings = [write('other.json', toolHooks('exit 1')), write('settings.json', toolHooks('exit 2'))];
    const hooks = await create({ dialects: [other, dialect], settings });
    expect(hooks.diagnostics).toMatchObject([{ code: 'foreign_format' }, { code: 'dialect_failed', dialect: 'other', file: settings[0] }]);
    expect((await fireTool(hooks)).outcomes).toMatchObject([{ source: 'settings:2', status: 'blocked' }]);
  });
});

const handlerId = 'functions/handler/BeforeTool/no';

test('a handler that is both source and executor takes part, first in order, and its deny counts', async () => {
  await inPlace(async ({ create, at }) => {
    const seen: unknown[] = [];
    const handler = handlerOf(handlerId, (argument) => {
      seen.push(argument);
      return { decision: 'deny', reason: 'not by this function' };
    });
    const hooks = await create({ settings: toolHooks('touch ../ran'), handlers: [handler] });
    const { verdict, outcomes } = await fireTool(hooks);
    expect(verdict).toMatchObject({ kind: 'deny', reason: 'not by this function', by: [handlerId] });
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['blocked', 'skipped']);
    expect(seen).toMatchObject([{ session_id: 's1', tool_name: 'write_file', tool_input: { path: 'a.txt' } }]);
    expect(existsSync(at('ran'))).toBe(false);
  });
});

test('a handler without an objection leaves the decision to the others', async () => {
  await inPlace(async ({ create }) => {
    const handlers = [handlerOf(handlerId, () => ({}))];
    const { verdict, outcomes } = await fireTool(await create({ settings: toolHooks('exit 2'), handlers }));
    expect(verdict).toMatchObject({ kind: 'deny', by: ['llxprt/settings/BeforeTool/0.0'] });
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['succeeded', 'blocked']);
  });
});

const checks: Record<string, (source: string) => boolean> = {
  'says no': (source) => source !== 'extension:linter',
  throws: (source) => {
    if (source === 'extension:linter') throw new Error('the list of trusted sources is gone');
    return true;
  },
};

test.each(Object.entries(checks))('hooks of which isTrusted %s do not run, and their outcome reports it', async (_, isTrusted) => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: toolHooks('true'), extensions: [linter('exit 2')], isTrusted });
    const { verdict, outcomes } = await fireTool(hooks);
    expect(verdict.kind).toBe('none');
    expect(outcomes).toMatchObject([
      { source: 'settings', status: 'succeeded' },
      { hookId: lintId, status: 'skipped', skipReason: 'untrusted' },
    ]);
  });
});

test('a bus that was given stays open after dispose(), without a responder', async () => {
  await inPlace(async ({ create }) => {
    const bus = new MessageBus();
    const hooks = await create({ settings: toolHooks('exit 2'), bus });
    expect(hooks.bus).toBe(bus);
    expect(await bus.request('HOOK_EXECUTION_REQUEST', request)).toMatchObject({ success: true, output: { verdict: { kind: 'deny' } } });
    await hooks.dispose();
    expect(await bus.request('HOOK_EXECUTION_REQUEST', request)).toMatchObject({ success: false, error: { code: 'no_responders' } });

    const again = await create({ settings: toolHooks('exit 2'), bus });
    expect((await fireTool(again)).verdict.kind).toBe('deny');
    await again.dispose();
    await bus.close();
  });
});

test('a bus of its own is closed by dispose()', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: toolHooks('exit 2') });
    await hooks.dispose();
    await hooks.dispose();
    expect(await hooks.bus.request('HOOK_EXECUTION_REQUEST', request)).toMatchObject({ success: false, error: { code: 'disposed' } });
    expect(await fireTool(hooks)).toMatchObject({ success: false, errors: [{ code: 'disposed' }, { code: 'not_started' }] });
  });
});
