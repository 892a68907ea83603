import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withReportingAgent } from '../faults/reporting-agent.js';
import { freshDirectory } from '../support/fire-hooks.js';
import { families, formatNamed, formatNames, formats } from '../support/formats.js';
import { attack } from './attack.js';
import { callShell, denies, withLevels } from './levels/places.js';

const count = <Item>(items: number, item: (index: number) => Item) => Array.from({ length: items }, (_, index) => item(index));

/** The formats in which "hooks" has a list for each event. In ECA's format, an event is a type of hook, and hooks have keys. */
const listFormats = families.filter((name) => name !== 'eca');

/** Returns a format's name of the event before a tool. */
function eventOf(format: string): string {
  const { events = {} } = formatNamed(format).dialect('/etc');
  return Object.keys(events).find((event) => events[event] === 'BeforeTool') ?? 'BeforeTool';
}

/**
 * Creates a repository with such settings, and a guard of its user in the same format. Checks that the guard denies and that these problems
 * are reported.
 */
async function withGuard(format: string, settings: object | string, problems: readonly object[]): Promise<void> {
  await withLevels(async (places, discover) => {
    const file = places.write(formatNamed(format).project, settings);
    places.write(formatNamed(format).user, formatNamed(format).settings([{ command: denies }]));
    await discover(async (scene) => {
      expect((await callShell(scene)).verdict).toMatchObject({ kind: 'deny', reason: 'guarded' });
      expect(scene.hooks.list().map(({ hook }) => hook.source)).toEqual(['user']);
      expect(scene.hooks.diagnostics).toEqual(problems.map((problem) => expect.objectContaining({ severity: 'error', file, ...problem })));
    });
  });
}

attack(
  {
    id: 'repo-floods-events',
    attacker: 'a repository',
    attempt: 'contains 30,000 events that do not exist, so that the agent is busy with similar names and line numbers',
    result: 'reading ends at the limit with one error. Nothing of the file is used, and hooks of other levels run',
  },
  async () => {
    for (const format of listFormats) {
      const hooks = Object.fromEntries(count(format === 'llxprt' ? 30_000 : 2_000, (index) => [`E${index}`, []]));
      await withGuard(format, { hooks }, [
        { code: 'settings_too_large', line: 1, path: 'hooks.E1000', message: expect.stringContaining('more than 1000 hooks') },
      ]);
    }
    const hooks = Object.fromEntries(count(2_000, (index) => [`k${index}`, { type: 'none' }]));
    await withGuard('eca', { hooks }, [{ code: 'settings_too_large', line: 1, path: 'hooks.k1000' }]);
  },
);

attack(
  {
    id: 'repo-floods-groups',
    attacker: 'a repository',
    attempt: 'contains 300,000 invalid groups in 0.6 MB, so that the agent runs out of memory',
    result: 'an agent with little memory reports the file, and keeps the hooks of other levels',
  },
  async () => {
    const home = freshDirectory('home');
    const write = (file: string, content: object) => {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), JSON.stringify(content));
    };
    for (const format of listFormats) {
      write(formatNamed(format).user.replace('home/', ''), formatNamed(format).settings([{ command: denies }]));
      write(formatNamed(format).project, { hooks: { [eventOf(format)]: count(300_000, () => 1) } });
    }
    const program = `
      const hooks = await createHooks({ sessionId: 's1', projectDir: process.env.HOME + '/project' });
      const { verdict } = await hooks.fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'rm -rf /' } });
      tell([verdict.kind, hooks.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)]);
      await hooks.dispose();`;
    const env = { HOME: home, NODE_OPTIONS: `--max-old-space-size=${32 * listFormats.length}` };
    await withReportingAgent(
      program,
      async (agent) => {
        expect(await agent.nextReport()).toEqual(['deny', listFormats.map(() => 'settings_too_large')]);
      },
      { env },
    );
  },
);

attack(
  {
    id: 'repo-floods-patterns',
    attacker: 'a repository',
    attempt: 'contains hundreds of matchers whose repeats need gigabytes when they are expanded',
    result: 'the instructions of all patterns of a file are counted, also those of refused patterns, and nothing of the file is used',
  },
  async () => {
    const hostile = [
      // Each pattern is within the limit for one pattern; together they are far beyond the limit for all.
      count(300, (index) => `(a|b${index}.{30}){30}x`),
      count(100, (index) => `${'.{1000}'.repeat(260)}${index}`),
      // Names of tools in one matcher.
      [count(60_000, (index) => `read_file${index}`).join('|')],
    ];
    const cut = { code: 'settings_too_large', line: 1, message: expect.stringContaining('instructions of the pattern engine') };
    for (const matchers of hostile) {
      const hooks = { PreToolUse: matchers.map((matcher) => ({ matcher, hooks: [{ type: 'command', command: 'true' }] })) };
      await withGuard('claude-code', { hooks }, [cut]);
    }
    const action = { type: 'shell', shell: 'true' };
    for (const [format, settings] of [
      ['llxprt', { hooks: { BeforeTool: hostile[1]?.map((matcher) => ({ matcher, hooks: [{ command: 'true' }] })) } }],
      ['gemini-cli', { hooks: { BeforeTool: hostile[1]?.map((matcher) => ({ matcher, hooks: [{ type: 'command', command: 'true' }] })) } }],
      [
        'eca',
        { hooks: Object.fromEntries((hostile[1] ?? []).map((matcher) => [matcher, { type: 'preToolCall', matcher, actions: [action] }])) },
      ],
    ] as const) {
      await withGuard(format, settings, [cut]);
    }
    const condition = `Edit(${'{a,b}'.repeat(2_000)})`;
    const hooks = { PreToolUse: [{ hooks: count(50, () => ({ type: 'command', command: 'true', if: condition })) }] };
    await withGuard('claude-code', { hooks }, [cut]);
  },
);

attack(
  {
    id: 'repo-floods-lists',
    attacker: 'a repository',
    attempt: 'contains 40,000 hooks to disable, 40,000 variables and 20,000 URLs, each of which must be compared with each hook',
    result: 'entries are found without a search. A file with a list of more than 1,000 URLs is refused',
  },
  async () => {
    const variables = count(20_000, (index) => `V${index}`);
    const unlisted = count(20_000, (index) => `W${index}`);
    const request = { type: 'http', url: 'https://example.com', allowedEnvVars: unlisted };
    await withLevels(async (places, discover) => {
      places.write(formats['claude-code'].project, { httpHookAllowedEnvVars: variables, hooks: { PreToolUse: [{ hooks: [request] }] } });
      const commands = count(900, (index) => ({ command: `c${index}` }));
      const disabled = [...count(40_000, (index) => `n${index}`), 'c899'];
      places.write(formats.llxprt.project, {
        tools: { enableHooks: true },
        hooksConfig: { disabled },
        hooks: { BeforeTool: [{ hooks: commands }] },
      });
      await discover(async ({ hooks }) => {
        const listed = hooks.list('BeforeTool').map(({ hook }) => hook);
        expect(listed.flatMap(({ action }) => (action.kind === 'http' ? [action.allowedEnvVars] : []))).toEqual([[]]);
        expect(listed.filter(({ skip }) => skip?.skipReason === 'disabled').map(({ action }) => action)).toEqual([
          { kind: 'command', command: 'c899' },
        ]);
      });
    });
    const urls = count(20_000, (index) => `https://e${index}.example.com/*`);
    const requests = count(900, (index) => ({ type: 'http', url: `https://f${index}.example.com` }));
    await withGuard('claude-code', { allowedHttpHookUrls: urls, hooks: { PreToolUse: [{ hooks: requests }] } }, [
      { code: 'settings_too_large', path: 'allowedHttpHookUrls', line: 1 },
    ]);
  },
);

attack(
  {
    id: 'repo-exceeds-bytes',
    attacker: 'a repository',
    attempt: 'contains a settings file of more than 1 MiB',
    result: 'the file is not read, with an error. Files of the user may have 8 MiB',
  },
  async () => {
    const text = `{}${' '.repeat(1024 * 1024 - 1)}`;
    for (const format of formatNames)
      await withGuard(format, text, [{ code: 'unreadable_file', message: expect.stringContaining('(1 MiB)') }]);
    await withLevels(async (places, discover) => {
      places.write('project/.claude/settings.local.json', text);
      places.write(formats['claude-code'].user, JSON.stringify(formats['claude-code'].settings([{ command: denies }])) + text.slice(2));
      await discover(async (scene) => {
        expect((await callShell(scene)).verdict.kind).toBe('deny');
        expect(scene.hooks.diagnostics).toMatchObject([{ code: 'unreadable_file', source: 'local' }]);
      });
    });
  },
);

attack(
  {
    id: 'repo-hides-its-errors',
    attacker: 'a repository',
    attempt: 'contains thousands of problems, which hide the one that matters',
    result: 'the first 100 problems of a file are reported, errors first. One more message has the number of the others',
  },
  async () => {
    await withLevels(async (places, discover) => {
      const noise = count(500, () => ({ type: 'command', command: 'true', tiemout: 5 }));
      const hooks = [...noise, { type: 'command', command: 7 }];
      const file = places.write(formats['gemini-cli'].project, `{ "hooks": { "BeforeTool": [{ "hooks":\n${JSON.stringify(hooks)} }] } }`);
      places.write(formats['gemini-cli'].user, { hooks: { BeforeTool: [{ hooks: noise }] } });
      await discover(async ({ hooks: { diagnostics } }) => {
        const own = diagnostics.filter((diagnostic) => diagnostic.file === file);
        expect(own).toHaveLength(101);
        expect(own.filter(({ severity }) => severity === 'error')).toMatchObject([{ code: 'missing_command', line: 2 }]);
        expect(own.at(-1)).toMatchObject({
          code: 'more_diagnostics',
          severity: 'warning',
          message: expect.stringMatching(/^\d+ more problems are not shown/),
        });
        // The limit applies only to files of a repository, not to the user's.
        expect(diagnostics.filter(({ source }) => source === 'user').length).toBeGreaterThanOrEqual(500);
      });
    });
  },
);

test('a file that grows beyond a limit keeps its last good state', async () => {
  await withLevels(async (places, discover) => {
    const { project, settings } = formats['claude-code'];
    const file = places.write(project, settings([{ command: denies }]));
    await discover(async (scene) => {
      chmodSync(file, 0o644);
      writeFileSync(
        file,
        JSON.stringify({ hooks: { PreToolUse: [{ hooks: count(1_001, () => ({ type: 'command', command: 'true' })) }] } }),
      );
      await scene.hooks.reload();
      expect((await callShell(scene)).verdict).toMatchObject({ kind: 'deny', reason: 'guarded' });
      expect(scene.hooks.diagnostics).toMatchObject([
        { code: 'settings_too_large', message: expect.stringContaining('last good state stays in use') },
      ]);
    });
  });
});
