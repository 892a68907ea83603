import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import type { CreateHooksOptions } from 'tenterhook';
import { says } from '../support/fire-hooks.js';
import { formatNamed, formatNames, formats } from '../support/formats.js';
import { type Places, withPlaces } from '../support/places.js';
import { runCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';

/** A command that logs which hook ran and which tool it received, and then runs `then`. */
function logging(name: string, then = 'true'): string {
  return `echo "${name} $(jq -r '.tool_name // .toolName // .toolCall.name')" >> "$LOG"; ${then}`;
}

/** Settings in which each hook of a group is in line 4 of its file. */
function ofGroups(eventName: string, matcher: string, command: string, first = ''): string {
  return `{${first}
  "hooks": { "${eventName}": [
    { "matcher": "${matcher}", "hooks": [
      { "type": "command", "command": ${JSON.stringify(command)} } ] } ] }
}`;
}

const localFile = 'project/.claude/settings.local.json';
const objects = "echo 'not here' >&2; exit 2";
/** The last format in the plan. Its hook denies. */
const last = formatNames.at(-1) as string;

/** The command and the file of the hook of each format. */
const written = formatNames.map((name) => {
  const { project } = formatNamed(name);
  return { name, file: project, command: logging(name, name === last ? objects : 'true') };
});
const local = {
  name: 'claude-code',
  file: localFile,
  command: logging('claude-code-local', says(formats['claude-code'].answers.ask('Sure?'))),
};

/** The hooks of all formats in plan order. Claude Code has two files. */
const expected = written.flatMap((hook) => (hook.name === 'claude-code' ? [hook, local] : [hook]));

function withAll(use: (places: Places, env: Readonly<Record<string, string>>) => Promise<void>): Promise<void> {
  const environment = ({ at }: Places) => ({ LOG: at('order.log') });
  return withPlaces(async (places) => {
    for (const { name, file, command } of expected) {
      const { settings, shell, review } = formatNamed(name);
      places.write(file, JSON.stringify(settings([{ command, matcher: file === localFile ? 'Bash|Write' : shell.matcher }]), null, 2));
      review?.(places, command, shell.matcher);
    }
    await use(places, environment(places));
  }, environment);
}

const input = { tool_name: 'run_shell_command', tool_input: { command: 'rm -rf dist' } };

/** Checks that a hook has its place: the file up to its line does not contain its command, and the rest does. */
function requirePlace(places: Places, { file, command }: (typeof expected)[number], line: number | undefined): void {
  const lines = (places.read(file) ?? '').split('\n');
  const [before, rest] = [lines.slice(0, (line ?? 0) - 1), lines.slice((line ?? 0) - 1)].map((part) => part.join('\n'));
  const text = JSON.stringify(command);
  expect([line, before?.includes(text), rest?.includes(text)]).toEqual([expect.any(Number), false, true]);
}

test('the settings of all agents in one folder: every hook is there with its dialect, file and line, in the order of the dialects', async () => {
  await withAll(async (places) => {
    await places.discover(async ({ hooks }) => {
      expect(hooks.diagnostics).toEqual([]);
      const found = hooks.hooks.BeforeTool;
      expect(found.map(({ dialect, file }) => [dialect, file])).toEqual(expected.map(({ name, file }) => [name, places.at(file)]));
      for (const [index, hook] of expected.entries()) requirePlace(places, hook, found[index]?.line);
      const read = hooks.files.filter(({ state, file }) => state === 'read' && file.startsWith(places.project));
      expect(read.map(({ dialect, file }) => [dialect, file])).toEqual(expected.map(({ name, file }) => [name, places.at(file)]));
    });
  });
});

test('one event runs them all, each receives the tool under its own name, and comes to one verdict', async () => {
  await withAll(async (places) => {
    await places.discover(async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('run_shell_command', input.tool_input);
      expect(result.outcomes.map(({ dialect, status }) => [dialect, status])).toEqual(
        expected.map(({ name }) => [name, name === last ? 'blocked' : 'succeeded']),
      );
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'not here' });
      const ran = (places.read('order.log') ?? '').trimEnd().split('\n');
      // The two hooks of Claude Code run side by side.
      const names = [...formatNames.map((name) => `${name} ${formatNamed(name).shell.name}`), 'claude-code-local Bash'];
      expect(ran.sort()).toEqual(names.sort());
    });
  });
});

test('without the last guard the strictest of the others decides, whichever hook allows', async () => {
  await withAll(async (places) => {
    places.write(formatNamed(last).project, {});
    places.write('project/.llxprt/settings.json', formats.llxprt.settings([{ command: says({ decision: 'allow' }) }]));
    await places.discover(async ({ handler }) => {
      const { verdict } = await handler.fireBeforeToolEvent('run_shell_command', input.tool_input);
      expect(verdict).toMatchObject({ kind: 'ask', by: ['claude-code/local/BeforeTool/0.0'] });
    });
  });
});

test('tenterhook list, explain and fire show them with no option', async () => {
  await withAll(async ({ project, home, at }, env) => {
    const cli = (...args: string[]) => runCli(args, { cwd: project, home, env });
    const listed = await cli('list', '--json');
    expect([listed.status, listed.stderr]).toEqual([0, '']);
    const { hooks } = JSON.parse(listed.stdout) as { hooks: { dialect: string; file: string; line: number; state: string }[] };
    expect(hooks.map(({ dialect, file, state }) => [dialect, file, state])).toEqual(
      expected.map(({ name, file }) => [name, at(file), 'on']),
    );
    const text = (await cli('list')).stdout;
    for (const { dialect, file, line } of hooks) expect(text).toContain(`, ${dialect} · ${relative(project, file)}:${line}\n`);

    const explained = await cli('explain', 'BeforeTool', '--input', JSON.stringify(input));
    expect([explained.status, explained.stderr]).toEqual([0, '']);
    const stages = formatNames.length;
    expect(explained.stdout).toContain(`${expected.length} of ${expected.length} hooks would run, in ${stages} stages one after another.`);

    const fired = await cli('fire', 'BeforeTool', '--json', '--input', JSON.stringify(input));
    expect([fired.status, fired.stderr]).toEqual([0, '']);
    expect(JSON.parse(fired.stdout)).toMatchObject({
      success: true,
      output: { verdict: { kind: 'deny' }, outcomes: { length: expected.length } },
    });
    expect((await cli('validate')).status).toBe(0);
  });
});

test.each(formatNames)('--dialect runs the hooks of %s alone, on the event as it is named there', async (name) => {
  await withAll(async ({ project, home, at }, env) => {
    const { events = {} } = formatNamed(name).dialect('/etc');
    const event = Object.keys(events).find((each) => events[each] === 'BeforeTool') ?? 'BeforeTool';
    const args = ['fire', event, '--dialect', name, '--json', '--input', JSON.stringify(input)];
    const { outcomes } = JSON.parse((await runCli(args, { cwd: project, home, env })).stdout).output;
    expect(outcomes.map(({ dialect, file }: { dialect: string; file?: string }) => [dialect, file])).toEqual(
      expected.filter((hook) => hook.name === name).map(({ file }) => [name, at(file)]),
    );
  });
});

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
  await withAll(async ({ project, home }) => {
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
