import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Places } from '../../support/places.js';
import { testWithPrograms } from '../../support/program.js';
import { bin } from '../../support/run-cli.js';
import { formatNames, formats, withRepository } from '../repository.js';
import { environmentOf } from './terminal.js';

/** An untrusted repository with hooks of four formats on the first event of a session and on tools, one of which sends requests. */
function writeRepository(places: Places): void {
  for (const name of formatNames) places.write(formats[name].project, formats[name].settings(`touch ${name}; exit 2`));
  const hooks = [
    { type: 'http', url: 'http://127.0.0.1:9/' },
    { type: 'command', command: './guard.sh' },
  ];
  places.write('project/.claude/settings.local.json', {
    hooks: { SessionStart: [{ hooks }], PreToolUse: [{ hooks }], PostToolUse: [{ hooks }] },
  });
  places.write('project/guard.sh', '#!/bin/sh\ntouch guard\n', 0o755);
}

/** The processes that a command starts and the connections that it opens, as Node sees them. */
function effectsOf(args: readonly string[], places: Places, env: Readonly<Record<string, string>> = {}) {
  const effects = places.write('effects', '');
  const recorder = join(import.meta.dirname, 'record-effects.cjs');
  const { status, stderr } = spawnSync(process.execPath, ['--require', recorder, bin, ...args], {
    cwd: places.project,
    env: { ...environmentOf(places), EFFECTS: effects, ...env },
    encoding: 'utf8',
  });
  return { status, stderr, effects: [...new Set(places.read('effects')?.trimEnd().split('\n'))].sort() };
}

const looks = [
  ['list'],
  ['explain'],
  ['explain', 'BeforeTool'],
  ['validate'],
  ['trust', '--show'],
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

test('case 38: what the trace sees: a trusted event starts processes and opens connections', () =>
  withRepository(async (places) => {
    writeRepository(places);
    const input = '{"tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_response":{}}';
    const fire = ['fire', 'AfterTool', '--trust-project', '--allow-private-address', '127.0.0.1', '--input', input];
    expect(effectsOf(fire, places).effects).toEqual(['connection', 'process']);
  }));

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
