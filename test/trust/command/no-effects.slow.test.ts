import { spawnSync } from 'node:child_process';
import { testWithPrograms } from '../../support/program.js';
import { bin } from '../../support/run-cli.js';
import { formatNames, withRepository } from '../repository.js';
import { effectsOf, writeRepository } from './effects.js';
import { environmentOf } from './terminal.js';

const looks = [
  ['explain', 'BeforeTool'],
  ['trust', '--show', '--json'],
  ['trust', '--diff'],
  ['trust', '--pins'],
];

test.each(looks.map((args) => [args.join(' '), args] as const))(
  'case 38: %s of an untrusted repository starts no process and opens no connection',
  (_, args) =>
    withRepository(async (places) => {
      writeRepository(places);
      const { status, effects } = effectsOf(args, places);
      // validate reports the private address.
      expect([status, effects]).toEqual([args[0] === 'validate' ? 1 : 0, ['']]);
      for (const name of [...formatNames, 'guard']) expect(places.read(`project/${name}`)).toBeUndefined();
    }),
);

testWithPrograms(['strace'], 'case 38: the kernel sees no other program and no connection, either', () =>
  withRepository(async (places) => {
    writeRepository(places);
    const trace = (...args: readonly string[]) => {
      const strace = ['-f', '-qq', '-e', 'trace=execve,connect', '-o', places.at('trace'), process.execPath, bin, ...args];
      const { status } = spawnSync('strace', strace, { cwd: places.project, env: environmentOf(places) });
      expect(status).toBe(0);
      return (
        places
          .read('trace')
          ?.split('\n')
          .filter((line) => /execve\(|connect\(/.test(line)) ?? []
      );
    };
    for (const args of [['list'], ['trust', '--show']]) expect(trace(...args)).toEqual([expect.stringMatching(/execve\(".*node"/)]);
    const fired = trace(
      'fire',
      'BeforeTool',
      '--trust-project',
      '--input',
      '{"tool_name":"run_shell_command","tool_input":{"command":"ls"}}',
    );
    expect(fired.length).toBeGreaterThan(1);
  }),
);
