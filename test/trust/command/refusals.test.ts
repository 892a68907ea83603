import { PassThrough } from 'node:stream';
import { run } from '../../../packages/tenterhook/src/cli/run.js';
import { attack } from '../../attacks/attack.js';
import { acceptAll, guard, statesIn, withRepository } from '../repository.js';
import { environmentOf, openTerminal, runTrust } from './terminal.js';

const project = 'project/.claude/settings.json';

attack(
  {
    id: 'question-answered-from-pipe',
    attacker: 'the model, with a tool that runs commands',
    attempt: 'answers the question of tenterhook trust for the user, through a pipe (yes | tenterhook trust)',
    result: 'without a terminal, the command asks nothing and stores nothing',
  },
  async () => {
    for (const [name, isIn, isOut] of [
      ['stdin', false, true],
      ['stdout', true, false],
    ] as const) {
      await withRepository(async (places, discover) => {
        places.write(project, guard('exit 2'));
        const stdin = Object.assign(new PassThrough(), { isTTY: isIn });
        const stdout = Object.assign(new PassThrough(), { isTTY: isOut });
        const stderr = new PassThrough();
        // As `yes |` does.
        stdin.write('y\n'.repeat(100));
        expect(await run(['trust'], { cwd: places.project, env: environmentOf(places), stdin, stdout, stderr })).toBe(1);
        expect(stdout.read()).toBeNull();
        const said = (stderr.read() as Buffer).toString();
        expect(said).toContain(`tenterhook: not_a_terminal: tenterhook trust asks questions, and ${name} is not a terminal.`);
        for (const way of ['--trust-pins <file>', '--trust-project', 'tenterhook trust --show']) expect(said).toContain(way);
        await discover(async (scene) => expect(statesIn(scene)).toEqual(['new']));
      });
    }
  },
);

const marks = [
  'TENTERHOOK_JOB',
  'CLAUDECODE',
  'CLAUDE_PROJECT_DIR',
  'GEMINI_CLI',
  'LLXPRT_PROJECT_DIR',
  'CODEX_SANDBOX',
  'CURSOR_AGENT',
  'AI_AGENT',
];

attack(
  {
    id: 'question-answered-by-agent',
    attacker: 'the model, with a tool that runs commands on a terminal',
    attempt: 'answers the question of tenterhook trust, or changes decisions, within a hook or an agent',
    result: 'the command refuses to ask and to store. Forms that only show decisions work',
  },
  async () => {
    for (const mark of marks)
      await withRepository(async (places, discover) => {
        places.write(project, guard('exit 2'));
        const env = { [mark]: '1' };
        const terminal = openTerminal([], places, { env });
        expect(await terminal.status).toBe(1);
        expect(await terminal.screen()).toBe('');
        expect(terminal.stderr()).toMatch(
          new RegExp(
            `^tenterhook: inside_agent: The variable ${mark} is set, so this command was started by an?[^\\n]*|inside_agent: The variable ${mark}`,
          ),
        );
        expect(await openTerminal(['--allow-owner', '4711'], places, { env }).status).toBe(1);
        await discover(async (scene) => {
          expect(statesIn(scene)).toEqual(['new']);
          await acceptAll(scene);
        });
        expect(await openTerminal(['--revoke', '--all'], places, { env }).status).toBe(1);
        await discover(async (scene) => expect(statesIn(scene)).toEqual(['trusted']));
        // What writes nothing works.
        for (const form of ['--show', '--diff', '--pins']) expect((await runTrust([form], places, env)).status).toBe(0);
      });
  },
);

test('a name that several hooks have is refused with their ids', () =>
  withRepository(async (places, discover) => {
    const hooks = { BeforeTool: [{ hooks: ['1', '2'].map((word) => ({ type: 'command', name: 'guard', command: `echo ${word}` })) }] };
    places.write('project/.gemini/settings.json', { hooks });
    const { status, stderr } = await runTrust(['--show', 'guard'], places);
    const ids = 'gemini-cli/project/BeforeTool/guard, gemini-cli/project/BeforeTool/guard~2';
    expect([status, stderr]).toEqual([64, `tenterhook: 2 hooks have the name "guard". Write the id of one: ${ids}.\n`]);
    await discover(acceptAll);
    const revoked = await runTrust(['--revoke', 'guard'], places);
    expect([revoked.status, revoked.stderr]).toEqual([
      64,
      expect.stringMatching(/"guard" means several decisions\. Write the id of a hook, or the beginning of a pin: /),
    ]);
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['trusted', 'trusted']));
  }));

test.each<[readonly string[], string]>([
  [['--show', '--pins'], '--show and --pins cannot be used together. Run the command once for each.'],
  [['--all'], '--all can only be used with --revoke. Write tenterhook trust --revoke --all.'],
  [['--project', 'x'], '--project can only be used with --revoke. Write tenterhook trust --revoke --project <dir>.'],
  [['--revoke', '--json'], '--json can only be used with --show and --pins. Leave it out.'],
  [['--revoke', '--all', 'guard'], '--all is not about one hook. Leave out "guard".'],
  [['--allow-owner', 'bob'], '--allow-owner must be the number of a user, such as 1001, and is "bob". ls -n shows the numbers of owners.'],
  [
    ['--allow-owner', '4294967296'],
    '--allow-owner must be the number of a user, such as 1001, and is "4294967296". ls -n shows the numbers of owners.',
  ],
  [['--revoke'], 'Which decision? There are none about this project.'],
  [['--show', 'nothing'], 'There is no hook "nothing". tenterhook trust --show lists the hooks.'],
])('wrong usage: trust %s', (args, message) =>
  withRepository(async (places) => {
    places.write(project, guard('exit 2'));
    const { status, stderr } = await runTrust(args, places);
    expect([status, stderr]).toEqual([64, args.includes('--json') ? expect.stringContaining(message) : `tenterhook: ${message}\n`]);
  }),
);
