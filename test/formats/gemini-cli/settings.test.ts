import { geminiCli } from '@tenterhook/dialects';
import type { CreateHooksOptions } from 'tenterhook';
import { outcomeAt } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { deeds, fireWrite, groupOf, hooksOf, idOf, withGemini } from './gemini-hooks.js';

const projectFile = 'project/.gemini/settings.json';
const userFile = 'home/.gemini/settings.json';

/** Options that discover the settings in these places, including the system's. */
function discovering(places: Places): CreateHooksOptions {
  return { dialects: [geminiCli({ systemFile: places.at('etc/settings.json') })] };
}

const ids = (hooks: readonly { readonly id: string }[]) => hooks.map(({ id }) => id);

test('project, user and system are found in this order, and all add up', async () => {
  await withPlaces(async (places) => {
    for (const file of [projectFile, userFile, 'etc/settings.json']) {
      places.write(file, { hooks: hooksOf('BeforeTool', `echo ${file}`) });
    }
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(result.outcomes.map(({ source }) => source)).toEqual(['project', 'user', 'system']);
      expect(result.finalOutput?.systemMessage).toBe([projectFile, userFile, 'etc/settings.json'].join('\n'));
    }, discovering(places));
  });
});

test('GEMINI_CLI_HOME moves the home', async () => {
  const environment = (places: Places) => ({ GEMINI_CLI_HOME: places.at('elsewhere') });
  await withPlaces(async (places) => {
    places.write(userFile, { hooks: hooksOf('BeforeTool', 'exit 2') });
    places.write('elsewhere/.gemini/settings.json', { hooks: hooksOf('BeforeTool', 'true') });
    await places.discover(async ({ handler }) => {
      expect(deeds(await handler.fireBeforeToolEvent('write_file', {}))).toEqual(['succeeded']);
    }, discovering(places));
  }, environment);
});

test('name and command are what makes a hook one, and the environment is not', async () => {
  const guard = { name: 'guard', command: 'echo "$LEVEL"' };
  const twice = await fireWrite([
    { ...guard, env: { LEVEL: 'low' } },
    { ...guard, env: { LEVEL: 'high' } },
  ]);
  expect(deeds(twice)).toEqual(['succeeded', 'skipped: duplicate']);
  expect(outcomeAt(twice, 1).duplicateOf).toBe(idOf('guard'));
  expect(twice.finalOutput?.systemMessage).toBe('low');
  expect(deeds(await fireWrite([guard, { ...guard, name: 'other' }]))).toEqual(['succeeded', 'succeeded']);
});

test('a list of the user disables hooks of the project, and explain names the file', async () => {
  await withPlaces(async (places) => {
    const file = places.write(userFile, { hooksConfig: { disabled: ['guard', 'echo hi'] } });
    places.write(projectFile, { hooks: hooksOf('BeforeTool', [{ name: 'guard', command: 'exit 2' }, 'echo hi', 'true']) });
    await places.discover(async ({ hooks, handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(deeds(result)).toEqual(['skipped: disabled', 'skipped: disabled', 'succeeded']);
      const [explained] = hooks.explain('BeforeTool', { tool_name: 'write_file' }).hooks;
      expect(explained).toMatchObject({ wouldRun: false, skipReason: 'disabled', reason: expect.stringContaining(file) });
    }, discovering(places));
  });
});

test('of an untrusted folder no settings run, and extensions do', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: hooksOf('BeforeTool', 'exit 2') });
    const options: CreateHooksOptions = {
      ...discovering(places),
      isTrusted: (source) => source.startsWith('extension:'),
      extensions: [{ name: 'x', hooks: hooksOf('BeforeTool', 'true') }],
    };
    await places.discover(async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(deeds(result)).toEqual(['skipped: untrusted', 'succeeded']);
      expect(result.verdict.kind).toBe('none');
    }, options);
  });
});

test.each(['Command', 'plugin', 'http'])('a hook of the type %s is a diagnostic, and its siblings run', async (type) => {
  const settings = hooksOf('BeforeTool', [{ type, command: 'exit 2' }, 'true']);
  await withGemini(settings, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([
      { code: 'unknown_type', severity: 'error', path: 'hooks.BeforeTool[0].hooks[0].type', remedy: expect.stringContaining('"command"') },
    ]);
    expect(deeds(await handler.fireBeforeToolEvent('write_file', {}))).toEqual(['skipped: invalid', 'succeeded']);
  });
});

test('hooksConfig.enabled: false, and nothing runs', async () => {
  const settings = { hooksConfig: { enabled: false }, hooks: hooksOf('BeforeTool', 'exit 2') };
  await withGemini(settings, async ({ hooks, handler }) => {
    expect(hooks.has('BeforeTool')).toBe(false);
    expect((await handler.fireBeforeToolEvent('write_file', {})).outcomes).toEqual([]);
    expect(hooks.explain('BeforeTool').hooks).toMatchObject([{ wouldRun: false, reason: expect.stringContaining('hooksConfig.enabled') }]);
  });
});

test("a repository's switch is about its own hooks, and the administrator's about all", async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooksConfig: { enabled: false }, hooks: hooksOf('BeforeTool', 'true') });
    places.write(userFile, { hooks: hooksOf('BeforeTool', 'true') });
    const enabled = () => places.discover(async ({ hooks }) => ids(hooks.hooks.BeforeTool), discovering(places));
    expect(await enabled()).toEqual([idOf('0.0', 'BeforeTool', 'user')]);
    places.write('etc/settings.json', { hooksConfig: { enabled: false } });
    expect(await enabled()).toEqual([]);
  });
});

test('hooksConfig.notifications: false keeps the runs out of the chat', async () => {
  const settings = { hooksConfig: { notifications: false }, hooks: hooksOf('BeforeTool', 'true') };
  await withGemini(settings, async ({ handler, progress }) => {
    await handler.fireBeforeToolEvent('write_file', {});
    expect(progress.filter(({ kind }) => kind === 'hook-started')).toMatchObject([{ hidden: true }]);
  });
});

test('what keeps a Gemini hook from firing is named: a flat handler, and an event of Claude Code', async () => {
  const settings = { hooks: { BeforeTool: [{ matcher: 'write_file', command: 'exit 2' }], PreToolUse: [groupOf('exit 2')] } };
  await withGemini(settings, async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([
      { code: 'misplaced_hooks', path: 'hooks.BeforeTool[0]', remedy: expect.stringContaining('"hooks": [ { "type": "command"') },
      { code: 'unknown_event', path: 'hooks.PreToolUse', remedy: expect.stringContaining('"BeforeTool"') },
    ]);
  });
});

const inExtension = (command: string, env: Record<string, string> = {}) => ({ hooks: hooksOf('BeforeTool', { command, env }) });

test.each(['an-extension', 'an extension with "quotes"'])('the paths of the extension %s are filled in', async (folder) => {
  await withPlaces(async (places) => {
    places.write(`home/${folder}/bin/hook.sh`, '#!/bin/sh\nprintf "%s|%s" "$1" "$WHERE"\n', 0o755);
    const hooks = inExtension(`"\${extensionPath}\${/}bin/hook.sh" "\${workspacePath}"`, { WHERE: `in \${extensionPath}` });
    places.write(`home/${folder}/hooks/hooks.json`, hooks);
    const options = { ...discovering(places), extensions: [{ name: 'x', directory: places.at(`home/${folder}`) }] };
    await places.discover(async ({ handler, hooks: { diagnostics } }) => {
      expect(diagnostics).toEqual([]);
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(outcomeAt(result, 0)).toMatchObject({ source: 'extension:x', status: 'succeeded' });
      expect(result.finalOutput?.systemMessage).toBe(`${places.project}|in ${places.at(`home/${folder}`)}`);
    }, options);
  });
});

test('a path of an extension that a shell would split is said', async () => {
  await withPlaces(async (places) => {
    places.write('home/an extension/hooks/hooks.json', inExtension(`\${extensionPath}/hook.sh`));
    const options = { ...discovering(places), extensions: [{ name: 'x', directory: places.at('home/an extension') }] };
    await places.discover(async ({ hooks }) => {
      expect(hooks.diagnostics).toMatchObject([
        { code: 'unquoted_variable', severity: 'warning', path: 'hooks.BeforeTool[0].hooks[0].command' },
      ]);
    }, options);
  });
});

test('an extension switches nothing off', async () => {
  const settings = { hooksConfig: { disabled: ['guard'], enabled: false }, hooks: hooksOf('BeforeTool', 'true') };
  await withPlaces(async (places) => {
    places.write(userFile, { hooks: hooksOf('BeforeTool', { name: 'guard', command: 'exit 2' }) });
    places.write('home/x/hooks/hooks.json', settings);
    const options = { ...discovering(places), extensions: [{ name: 'x', directory: places.at('home/x') }] };
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'misplaced_switch', path: 'hooksConfig' }]);
      expect(deeds(await handler.fireBeforeToolEvent('write_file', {}))).toEqual(['blocked', 'succeeded']);
    }, options);
  });
});
