import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import type { HookDefinition } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { says } from '../support/fire-hooks.js';
import { type Places, withPlaces } from '../support/places.js';
import { runCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';

/** A command that logs which hook ran and which tool it received, and then runs `then`. */
function logging(name: string, then = 'true'): string {
  return `echo "${name} $(jq -r .tool_name)" >> order.log; ${then}`;
}

/** Settings in which each hook of a group is in line 4 of its file. */
function ofGroups(eventName: string, matcher: string, command: string, first = ''): string {
  return `{${first}
  "hooks": { "${eventName}": [
    { "matcher": "${matcher}", "hooks": [
      { "type": "command", "command": ${JSON.stringify(command)} } ] } ] }
}`;
}

const files: Readonly<Record<string, string>> = {
  'project/.llxprt/settings.json': ofGroups(
    'BeforeTool',
    '^run_shell_command$',
    logging('llxprt', says({ decision: 'allow' })),
    ' "tools": { "enableHooks": true },',
  ),
  'project/.claude/settings.json': ofGroups('PreToolUse', 'Bash', logging('claude-code', says({ systemMessage: 'seen' }))),
  'project/.claude/settings.local.json': ofGroups(
    'PreToolUse',
    'Bash|Write',
    logging('claude-code-local', says({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } })),
  ),
  'project/.gemini/settings.json': ofGroups('BeforeTool', '^run_shell_command$', logging('gemini-cli', says({ decision: 'allow' }))),
  'project/.eca/config.json': `{
  "hooks": {
    "guard": {
      "type": "preToolCall", "matcher": "eca__shell_command",
      "actions": [{ "type": "shell", "shell": ${JSON.stringify(logging('eca', "echo 'not here' >&2; exit 2"))} }] } }
}`,
};

/** The dialect, file and line of every hook, in plan order. */
const expected = [
  ['llxprt', '.llxprt/settings.json', 4],
  ['claude-code', '.claude/settings.json', 4],
  ['claude-code', '.claude/settings.local.json', 4],
  ['gemini-cli', '.gemini/settings.json', 4],
  ['eca', '.eca/config.json', 5],
];

function withFour(use: (places: Places) => Promise<void>): Promise<void> {
  return withPlaces(async (places) => {
    for (const [file, text] of Object.entries(files)) places.write(file, text);
    await use(places);
  });
}

const input = { tool_name: 'run_shell_command', tool_input: { command: 'rm -rf dist' } };

test('the settings of four agents in one folder: every hook is there with its dialect, file and line, in the order of the dialects', async () => {
  await withFour(async (places) => {
    await places.discover(async ({ hooks }) => {
      expect(hooks.diagnostics).toEqual([]);
      const placeOf = ({ dialect, file = '', line }: HookDefinition) => [dialect, relative(places.project, file), line];
      expect(hooks.hooks.BeforeTool.map(placeOf)).toEqual(expected);
      expect(
        hooks.files.filter(({ state }) => state === 'read').map(({ dialect, file }) => [dialect, relative(places.project, file)]),
      ).toEqual(expected.map(([dialect, file]) => [dialect, file]));
    });
  });
});

test('one event runs them all, each receives the tool under its own name, and comes to one verdict', async () => {
  await withFour(async (places) => {
    await places.discover(async ({ handler, read }) => {
      const result = await handler.fireBeforeToolEvent('run_shell_command', input.tool_input);
      expect(result.outcomes.map(({ dialect, status }) => [dialect, status])).toEqual([
        ['llxprt', 'succeeded'],
        ['claude-code', 'succeeded'],
        ['claude-code', 'succeeded'],
        ['gemini-cli', 'succeeded'],
        ['eca', 'blocked'],
      ]);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'not here', by: ['eca/project/BeforeTool/guard'] });
      const [first, ...rest] = (read('order.log') ?? '').trimEnd().split('\n');
      const sideBySide = rest.slice(0, 2).sort();
      expect([first, ...sideBySide, ...rest.slice(2)]).toEqual([
        'llxprt run_shell_command',
        'claude-code Bash',
        'claude-code-local Bash',
        'gemini-cli run_shell_command',
        'eca shell_command',
      ]);
    });
  });
});

test('without the guard of ECA the strictest of the others decides, whichever hook allows', async () => {
  await withFour(async (places) => {
    places.write('project/.eca/config.json', {});
    await places.discover(async ({ handler }) => {
      const { verdict } = await handler.fireBeforeToolEvent('run_shell_command', input.tool_input);
      expect(verdict).toMatchObject({ kind: 'ask', by: ['claude-code/local/BeforeTool/0.0'] });
    });
  });
});

test('tenterhook list, explain and fire show them with no option', async () => {
  await withFour(async ({ project, home, at }) => {
    const cli = (...args: string[]) => runCli(args, { cwd: project, home });
    const listed = await cli('list', '--json');
    expect([listed.status, listed.stderr]).toEqual([0, '']);
    const { hooks } = JSON.parse(listed.stdout) as { hooks: Record<string, unknown>[] };
    expect(hooks.map(({ dialect, file, line, state }) => [dialect, file, line, state])).toEqual(
      expected.map(([dialect, file, line]) => [dialect, at(`project/${file}`), line, 'on']),
    );
    const text = (await cli('list')).stdout;
    for (const [dialect, file, line] of expected) expect(text).toContain(`, ${dialect} · ${file}:${line}\n`);

    const explained = await cli('explain', 'BeforeTool', '--input', JSON.stringify(input));
    expect([explained.status, explained.stderr]).toEqual([0, '']);
    expect(explained.stdout).toContain('5 of 5 hooks would run, in 4 stages one after another.');

    const fired = await cli('fire', 'BeforeTool', '--json', '--input', JSON.stringify(input));
    expect([fired.status, fired.stderr]).toEqual([0, '']);
    expect(JSON.parse(fired.stdout)).toMatchObject({ success: true, output: { verdict: { kind: 'deny' }, outcomes: { length: 5 } } });
    expect((await cli('validate')).status).toBe(0);
  });
});

const spellings: Record<string, [dialect: string, eventName: string, ids: string[]]> = {
  'Claude Code': ['claude-code', 'PreToolUse', ['claude-code/project/BeforeTool/0.0', 'claude-code/local/BeforeTool/0.0']],
  'Gemini CLI': ['gemini-cli', 'BeforeTool', ['gemini-cli/project/BeforeTool/0.0']],
  ECA: ['eca', 'preToolCall', ['eca/project/BeforeTool/guard']],
};

test.each(Object.entries(spellings))(
  '--dialect runs the hooks of %s alone, on the event as it is named there',
  async (_, [dialect, eventName, ids]) => {
    await withFour(async ({ project, home }) => {
      const args = ['fire', eventName, '--dialect', dialect, '--json', '--input', JSON.stringify(input)];
      const { outcomes } = JSON.parse((await runCli(args, { cwd: project, home })).stdout).output;
      expect(outcomes.map(({ hookId }: { hookId: string }) => hookId)).toEqual(ids);
    });
  },
);

test('two events of Claude Code are one here, and what the tool answered says which of its hooks run', async () => {
  await withPlaces(async (places) => {
    const hooksOf = (name: string) => [{ matcher: 'Bash', hooks: [{ type: 'command', command: `echo ${name} >> order.log` }] }];
    places.write('project/.claude/settings.json', { hooks: { PostToolUse: hooksOf('worked'), PostToolUseFailure: hooksOf('failed') } });
    const fire = async (eventName: string, tool_response: object) => {
      const args = ['fire', eventName, '--dialect', 'claude-code', '--json', '--input', JSON.stringify({ ...input, tool_response })];
      return (await runCli(args, { cwd: places.project, home: places.home })).status;
    };
    expect(await fire('PostToolUseFailure', { llmContent: 'x', error: { message: 'no such file' } })).toBe(0);
    expect(await fire('PostToolUse', { llmContent: 'x' })).toBe(0);
    expect(places.read('project/order.log')).toBe('failed\nworked\n');
  });
});

test('an event that has its name from another agent is reported as what it is here', async () => {
  await withFour(async ({ project, home }) => {
    for (const [name, agent, eventName] of [
      ['PreToolUse', 'Claude Code', 'BeforeTool'],
      ['PostToolUseFailure', 'Claude Code', 'AfterTool'],
      ['PostCompact', 'Claude Code', 'PostCompress'],
      ['preToolCall', 'ECA', 'BeforeTool'],
    ] as const) {
      const { status, stdout } = await runCli(['fire', name, '--json', '--input', JSON.stringify(input)], { cwd: project, home });
      const { code, message } = JSON.parse(stdout).error;
      expect([status, code]).toEqual([1, 'unsupported_event']);
      expect(message).toContain(`The event "${name}" of ${agent} is called "${eventName}" in Tenterhook.`);
    }
  });
});

const misplaced: Record<string, [file: string, event: string, formats: string, place: string]> = {
  'Claude Code’s under .gemini': ['.gemini/settings.json', 'PreToolUse', 'claude-code', '.claude/settings.json'],
  'Claude Code’s under .llxprt': ['.llxprt/settings.json', 'PreToolUse', 'claude-code', '.claude/settings.json'],
  'Gemini CLI’s under .claude': ['.claude/settings.json', 'BeforeTool', 'llxprt or gemini-cli', '.llxprt/settings.json'],
  'LLxprt Code’s in .claude/settings.local.json': [
    '.claude/settings.local.json',
    'BeforeTool',
    'llxprt or gemini-cli',
    '.llxprt/settings.json',
  ],
  'Gemini CLI’s under .eca': ['.eca/config.json', 'BeforeTool', 'llxprt or gemini-cli', '.llxprt/settings.json'],
};

test.each(Object.entries(misplaced))('hooks at the place of another agent are reported: %s', async (_, [file, event, formats, place]) => {
  await withPlaces(async (places) => {
    places.write(`project/${file}`, ofGroups(event, 'x', 'true'));
    await places.discover(async ({ hooks }) => {
      expect(hooks.diagnostics.filter(({ code }) => code === 'foreign_format')).toMatchObject([
        {
          file: places.at(`project/${file}`),
          message: expect.stringContaining(`they look like ${formats}.`),
          remedy: expect.stringContaining(places.at(`project/${place}`)),
        },
      ]);
    });
  });
});

const given: Record<string, [events: string[], dialect: string, others: string | undefined]> = {
  'by an event of Claude Code alone': [['PreToolUse'], 'claude-code', undefined],
  'by one such event beside one that all have': [['SessionStart', 'Stop'], 'claude-code', undefined],
  'as LLxprt’s, where three could have written it': [['SessionStart'], 'llxprt', 'llxprt, claude-code or gemini-cli'],
  'as LLxprt’s, where two could': [['SessionStart', 'BeforeModel'], 'llxprt', 'llxprt or gemini-cli'],
  'as LLxprt’s, where it holds events of several': [['BeforeTool', 'PreToolUse'], 'llxprt', 'llxprt, claude-code or gemini-cli'],
};

test.each(Object.entries(given))('settings without a telling place are recognised %s', async (_, [events, dialect, others]) => {
  const group = [{ hooks: [{ type: 'command', command: 'true' }] }];
  const settings: CreateHooksOptions['settings'] = [{ hooks: Object.fromEntries(events.map((event) => [event, group])) }];
  await withPlaces(async (places) => {
    await places.discover(
      async ({ hooks }) => {
        expect(new Set(Object.values(hooks.hooks).flatMap((list) => list.map((hook) => hook.dialect)))).toEqual(new Set([dialect]));
        const notes = hooks.diagnostics.filter(({ code }) => code === 'ambiguous_dialect').map(({ message }) => message);
        expect(notes).toEqual(others === undefined ? [] : [`The format could be ${others}; it was read as ${dialect}.`]);
      },
      { settings },
    );
  });
});

describe('schemas', () => {
  const withSchema = defaultDialects().filter(({ settingsJsonSchema }) => settingsJsonSchema !== undefined);
  const folder = join(root, 'packages/dialects/schema');

  test.each(withSchema)('the schema of $name is the one that is committed, and is printed', async ({ name }) => {
    const { status, stdout } = await runCli(['schema', '--dialect', name], { cwd: root });
    expect(status).toBe(0);
    expect(stdout).toBe(readFileSync(join(folder, `${name}-settings.schema.json`), 'utf8'));
  });

  test('the documentation names every dialect that has one, and no schema is left of one that is gone', () => {
    const names = withSchema.map(({ name }) => name);
    const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
    for (const name of names) expect(page).toContain(`\`${name}\``);
    expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}-settings.schema.json`).sort());
  });
});
