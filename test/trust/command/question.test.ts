import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attack } from '../../attacks/attack.js';
import type { Places } from '../../support/places.js';
import { acceptAll, callTool, denying, formatNames, formats, guard, statesIn, withRepository, writeGuard } from '../repository.js';
import { openTerminal } from './terminal.js';

const project = 'project/.claude/settings.json';

/** The records of decisions that are stored. */
function recordsIn(places: Places): string[] {
  const store = places.at('state/tenterhook/trust');
  if (!existsSync(store)) return [];
  const names = readdirSync(store).filter((name) => /^[0-9a-f]{64}$/.test(name));
  return names.flatMap((name) => readdirSync(join(store, name))).filter((name) => name.endsWith('.json'));
}

test('case 2: y, and the hooks of all formats run', () =>
  withRepository(async (places, discover) => {
    for (const name of formatNames) writeGuard(places, name, `cat > /dev/null; echo ${name} >&2; exit 2`);
    const terminal = openTerminal([], places);
    const count = formatNames.length;
    for (const position of formatNames.keys()) {
      expect(await terminal.screen()).toContain(`Hook ${position + 1} of ${count}`);
      await terminal.answer('y');
    }
    expect(await terminal.screen()).toContain(`${count} trusted, 0 denied, 0 not decided`);
    expect(await terminal.status).toBe(0);
    await discover(async (scene) => {
      expect(statesIn(scene)).toEqual(Array(count).fill('trusted'));
      expect((await callTool(scene)).kind).toBe('deny');
    });
    // The next run has nothing to ask.
    const again = openTerminal([], places);
    expect(await again.screen()).toContain(`There is nothing to decide. ${count} of ${count} hooks`);
    expect(await again.status).toBe(0);
  }));

test('everything that decides what a hook does is shown', () =>
  withRepository(async (places) => {
    places.write('project/.hooks/guard.sh', denying('guarded'), 0o755);
    places.write('project/.hooks/lib/words.txt', 'abc\n');
    const hook = { type: 'command', command: '.hooks/guard.sh --strict', if: 'Bash(git *)', timeout: 5, onFailure: 'block' };
    const http = { type: 'http', url: 'https://hooks.example.com/check', headers: { 'x-team': 'a' }, allowedEnvVars: ['TOKEN'] };
    places.write(
      project,
      `{\n "env": { "PATH": "/opt/bin", "LEVEL": "1" },\n "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [\n ${JSON.stringify(hook)},\n ${JSON.stringify(http)}] }] } }`,
    );
    const terminal = openTerminal([], places);
    const first = await terminal.screen();
    expect(first).toContain('2 hooks of');
    for (const shown of [
      /when +before a tool runs \(PreToolUse\)/,
      /matcher +Bash$/m,
      /condition +Bash\(git \*\)/,
      /runs +│ \.hooks\/guard\.sh --strict$/m,
      /PATH=\/opt\/bin\n +\(risky\)\n +LEVEL=1/,
      /timeout +5 s/,
      /if it fails +the operation is denied/,
      /\.hooks\/ with everything below it, 2 files/,
      /\.hooks\/guard\.sh \d+ bytes, executable/,
      /\.hooks\/lib\/words\.txt 4 bytes$/m,
      /settings +\.claude\/settings\.json:4, in the format of claude-code/,
      /since +there is no decision about it yet/,
      /The variable "PATH" can change which program/,
    ])
      expect(first).toMatch(shown);
    const second = await terminal.answer('s');
    for (const shown of [/sends to +│ https:\/\/hooks\.example\.com\/check/, /headers +x-team: a/, /with +the value of TOKEN/])
      expect(second).toMatch(shown);
    expect(await terminal.answer('q')).toContain('0 trusted, 0 denied, 2 not decided');
    expect(recordsIn(places)).toEqual([]);
  }));

/** Every text of a definition, in the order of the settings. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === 'string' && value !== '' ? [value] : [];
}

test.each<[string, string, object]>([
  [
    'claude-code',
    'project/.claude/settings.json',
    {
      env: { LEVEL: 'from the settings' },
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash|Write',
            hooks: [
              { type: 'command', command: 'node', args: ['check.js', '--strict mode', ''], if: 'Bash(git *)', shell: 'bash' },
              { type: 'http', url: 'https://hooks.example.com/x?y=z', headers: { 'x-team': 'blue' }, allowedEnvVars: ['TOKEN'] },
              { type: 'prompt', prompt: 'Is this fine?\n$ARGUMENTS', model: 'small' },
              { type: 'mcp_tool', server: 'checker', tool: 'inspect', input: { depth: 'all of it' } },
            ],
          },
        ],
      },
    },
  ],
  [
    'llxprt',
    'project/.llxprt/settings.json',
    {
      tools: { enableHooks: true },
      hooks: {
        BeforeTool: [
          { matcher: '^write_', sequential: true, hooks: [{ type: 'command', command: 'echo llxprt', env: { MODE: 'quick' } }] },
        ],
      },
    },
  ],
  [
    'gemini-cli',
    'project/.gemini/settings.json',
    { hooks: { BeforeTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command: 'echo gemini' }] }] } },
  ],
  [
    'eca',
    'project/.eca/config.json',
    {
      hooks: {
        guard: {
          type: 'preToolCall',
          matcher: 'eca__.*',
          actions: [
            { type: 'shell', shell: 'echo eca' },
            { type: 'shell', file: 'guard.sh' },
          ],
        },
      },
    },
  ],
])('no text of a definition is left out in the format of %s', (dialect, file, settings) =>
  withRepository(async (places, discover) => {
    places.write('project/guard.sh', 'exit 0\n', 0o755);
    places.write(file, settings);
    const callbacks = { prompt: async () => ({}), mcp_tool: async () => ({}) };
    const requests = await discover(async ({ hooks }) => hooks.trust.requests(), { dialect, callbacks: callbacks as never });
    expect(requests.length).toBeGreaterThan(0);
    const terminal = openTerminal([], places, { columns: 1_000 });
    for (const { definition, environment } of requests) {
      const shown = await terminal.screen();
      const { event: _, ...fields } = definition;
      const kinds = new Set(['command', 'shell', 'program', 'http', 'host', 'continue']);
      const texts = textsIn([fields, environment]).filter((text) => !kinds.has(text));
      for (const text of texts.flatMap((one) => one.split('\n'))) expect(shown).toContain(text);
      await terminal.answer('s');
    }
  }),
);

test('case 9: a hook that runs code which is not listed is marked, with the reason', () =>
  withRepository(async (places) => {
    places.write(project, guard('npm run --silent guard'));
    places.write('project/package.json', { scripts: { guard: 'exit 2' } });
    const shown = await openTerminal([], places).screen();
    expect(shown).toMatch(/not listed +.*npm.*package\.json/);
    expect(shown).toContain('It runs code that is not listed.');
  }));

test('case 11: a changed hook is asked about with what changed', () =>
  withRepository(async (places, discover) => {
    places.write('project/.hooks/guard.sh', '#!/bin/sh\ncat > /dev/null\necho guarded >&2\nexit 2\n', 0o755);
    places.write(project, guard('./.hooks/guard.sh'));
    await discover(acceptAll);
    places.write('project/.hooks/guard.sh', '#!/bin/sh\ncat > /dev/null\nexit 0\n', 0o755);
    places.write(project, guard('./.hooks/guard.sh', { timeout: 9 }));
    const terminal = openTerminal([], places);
    expect(await terminal.screen()).toMatch(/Hook 1 of 1 .* changed\n[\s\S]*since +it was trusted on [\d-]+, and /);
    const diff = await terminal.answer('d');
    expect(diff).toMatch(/settings timeoutMs\n +- null\n +\+ 9000/);
    expect(diff).toMatch(/file \.hooks\/guard\.sh {2}has changed\n/);
    expect(diff).toMatch(/ - echo guarded >&2\n +- exit 2\n +\+ exit 0\n/);
    await terminal.answer('y');
    expect(await terminal.status).toBe(0);
    await discover(async (scene) => {
      expect(statesIn(scene)).toEqual(['trusted']);
      expect((await callTool(scene)).kind).toBe('none');
    });
  }));

test('case 14: n, and it is not asked about until it changes', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2'));
    expect(await openTerminal([], places).answer('n')).toContain('0 trusted, 1 denied, 0 not decided');
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['denied']));
    expect(await openTerminal([], places).screen()).toContain('There is nothing to decide. 0 of 1 hooks');
    places.write(project, guard('exit 2 # edited'));
    expect(await openTerminal([], places).screen()).toContain('Hook 1 of 1');
  }));

describe('case 19', () => {
  attack(
    {
      id: 'question-outlived-by-script',
      attacker: 'a program that may write to the repository',
      attempt: 'changes a script while the user reads the question about it, so that the user accepts another script',
      result: 'no decision is stored, and the user is asked about the changed script',
    },
    async () => {
      for (const answer of ['y', 'a']) {
        await withRepository(async (places, discover) => {
          const script = places.write('project/.hooks/guard.sh', denying('guarded'), 0o755);
          places.write(project, guard('./.hooks/guard.sh'));
          const terminal = openTerminal([], places);
          await terminal.screen();
          writeFileSync(script, '#!/bin/sh\ncurl https://evil.example\n');
          const again = await terminal.answer(answer);
          expect(again).toContain('changed after it was shown');
          expect(again).toContain('Hook 1 of 1');
          expect(again).toMatch(/\.hooks\/guard\.sh 36 bytes/);
          expect(recordsIn(places)).toEqual([]);
          expect(await terminal.answer('q')).toContain('0 trusted, 0 denied, 1 not decided');
          await discover(async (scene) => expect(statesIn(scene)).toEqual(['new']));
        });
      }
    },
  );

  attack(
    {
      id: 'question-outlived-by-settings',
      attacker: 'a program that may write to the repository',
      attempt: 'changes the settings, the mode of a script, or a hook that was skipped, while the user reads the question',
      result: 'no decision is stored, and the user is asked about the changed hook',
    },
    () =>
      withRepository(async (places) => {
        const script = places.write('project/.hooks/guard.sh', denying('guarded'), 0o755);
        places.write(project, guard('./.hooks/guard.sh'));
        const terminal = openTerminal([], places);
        await terminal.screen();
        places.write(project, guard('./.hooks/guard.sh --quick'));
        expect(await terminal.answer('y')).toMatch(/changed after it was shown[\s\S]*runs +│ \.\/\.hooks\/guard\.sh --quick/);
        chmodSync(script, 0o644);
        expect(await terminal.answer('n')).toMatch(/changed after it was shown[\s\S]*guard\.sh \d+ bytes$/m);
        places.write('project/.gemini/settings.json', formats['gemini-cli'].settings([{ command: 'echo other' }]));
        expect(await terminal.answer('s')).toContain('Hook 2 of 2');
        // What was skipped is another hook now, so it is asked about.
        writeFileSync(script, '#!/bin/sh\n');
        expect(await terminal.answer('y')).toContain('guard.sh 10 bytes');
        expect(recordsIn(places)).toHaveLength(1);
      }),
  );
});

test('a means everything that was shown: the rest is shown before the question', () =>
  withRepository(async (places, discover) => {
    places.write(project, {
      hooks: { PreToolUse: [{ hooks: ['one', 'two', 'three', 'four'].map((name) => ({ type: 'command', command: `echo ${name}` })) }] },
    });
    const terminal = openTerminal([], places);
    await terminal.screen();
    await terminal.answer('n');
    await terminal.answer('s');
    const rest = await terminal.answer('a');
    expect(rest).toMatch(/Hook 4 of 4[\s\S]*│ echo four[\s\S]*May these 3 hooks run from now on\?/);
    expect(rest).not.toContain('echo two');
    expect(recordsIn(places)).toHaveLength(1);
    expect(await terminal.answer('y')).toContain('3 trusted, 1 denied, 0 not decided');
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['denied', 'trusted', 'trusted', 'trusted']));
  }));

test('what was typed before a question does not answer it', () =>
  withRepository(async (places) => {
    places.write(project, {
      hooks: { PreToolUse: [{ hooks: ['one', 'two'].map((name) => ({ type: 'command', command: `echo ${name}` })) }] },
    });
    const terminal = openTerminal([], places);
    await terminal.screen();
    expect(await terminal.answer('y\ny\ny')).toContain('Hook 2 of 2');
    expect(recordsIn(places)).toHaveLength(1);
    expect(await terminal.end()).toContain('1 trusted, 0 denied, 1 not decided');
  }));

test('it has colours on a terminal, unless NO_COLOR is set', () =>
  withRepository(async (places) => {
    places.write(project, guard('exit 2'));
    expect(await openTerminal([], places, { env: { NO_COLOR: '' } }).screen()).toContain('\u001b[1mHook 1 of 1\u001b[22m');
    expect(await openTerminal([], places).screen()).not.toContain('\u001b');
  }));

test('only the hook that is named is asked about', () =>
  withRepository(async (places) => {
    places.write('project/.gemini/settings.json', {
      hooks: {
        BeforeTool: [
          {
            hooks: [
              { type: 'command', name: 'guard', command: 'echo one' },
              { type: 'command', name: 'log', command: 'echo two' },
            ],
          },
        ],
      },
    });
    const terminal = openTerminal(['log'], places);
    expect(await terminal.screen()).toMatch(/Hook 1 of 1[\s\S]*echo two/);
    expect(await terminal.answer('y')).toContain('1 trusted');
    expect(await openTerminal(['log'], places).screen()).toContain(
      'There is nothing to decide. gemini-cli/project/BeforeTool/log is trusted.',
    );
    const misspelt = openTerminal(['guards'], places);
    expect(await misspelt.status).toBe(64);
    expect(misspelt.stderr()).toBe('tenterhook: There is no hook "guards". Did you mean "guard"?\n');
  }));

test('case 42: a copy names the project in which the same hook is trusted', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('exit 2'));
    await discover(acceptAll);
    places.write('copy/.claude/settings.json', guard('exit 2'));
    expect(await openTerminal(['--cwd', places.at('copy')], places).screen()).toMatch(
      new RegExp(`elsewhere +the same hook is trusted in ${places.project}`),
    );
  }));
