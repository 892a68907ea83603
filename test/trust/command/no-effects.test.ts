import { formatNames, withRepository } from '../repository.js';
import { effectsOf, writeRepository } from './effects.js';

const looks = [['list'], ['explain'], ['validate'], ['trust', '--show']];

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
