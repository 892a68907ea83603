import type { HookDefinition, Invocation } from '@tenterhook/protocol';
import { ParentEnvironment } from '../../src/runner/parent-environment.js';
import { withStartEnvironment } from '../../src/runner/start-environment.js';
import { hookOf } from '../engine-rig.js';

type CommandInvocation = Extract<Invocation, { kind: 'command' }>;

const invocation = (env: Record<string, string>, text = 'true'): CommandInvocation => ({
  kind: 'command',
  command: { kind: 'shell', text },
  cwd: '/',
  env,
  stdin: '{}',
});
const started = (env: Record<string, string>, hook: HookDefinition, text?: string) => withStartEnvironment(invocation(env, text), hook).env;
const ofUser = (id: string) => hookOf(id, { level: 'user' });

test('each change of the environment reaches the hook, and an equal environment is the same frozen object', () => {
  const hook = ofUser('a');
  const first = started({ A: '1', PATH: '/bin' }, hook);
  expect(started({ A: '1', PATH: '/bin' }, hook)).toBe(first);
  expect(Object.isFrozen(first)).toBe(true);
  expect(started({ A: '2', PATH: '/bin' }, hook)).toMatchObject({ A: '2' });
  expect(started({ PATH: '/bin' }, hook)).not.toHaveProperty('A');
  expect(started({ PATH: '/bin', B: '3' }, hook)).toMatchObject({ B: '3' });
  expect(started({ A: '1', PATH: '/bin' }, hook)).toEqual(first);
});

test('hooks do not share an object, and what a dialect changes later in its own object has no effect', () => {
  const env: Record<string, string> = { A: '1' };
  const [one, other] = [started(env, ofUser('a')), started(env, ofUser('b'))];
  expect(one).not.toBe(other);
  const project = hookOf('c', { level: 'project' });
  const given = started(env, project);
  env['A'] = '2';
  expect([one['A'], other['A'], given['A']]).toEqual(['1', '1', '1']);
  expect(started(env, project)['A']).toBe('2');
});

test('a variable without a text and an inherited one are not taken for those of the last environment', () => {
  const hook = ofUser('a');
  started({ B: 'secret' }, hook);
  expect(started({ A: undefined as never }, hook)).not.toHaveProperty('B');
  started({ A: '1' }, hook);
  expect(started(Object.create({ A: '1' }), hook)).not.toHaveProperty('A');
});

test('the command and the level count, not only the environment', () => {
  const definition = ofUser('a');
  expect(started({ PATH: '.:/bin' }, definition)).toEqual({ PATH: '/bin', PYTHONSAFEPATH: '1' });
  expect(started({ PATH: '.:/bin' }, definition, './guard.py')).toEqual({ PATH: '/bin' });
  (definition as { level: string }).level = 'project';
  expect(started({ PATH: '.:/bin' }, definition)).toEqual({ PATH: '.:/bin' });
});

test('an environment that is missing stays missing, so that the spawner refuses the job', () => {
  expect(withStartEnvironment({ ...invocation({}), env: undefined as never }, ofUser('a')).env).toBeUndefined();
});

test('the environment of the agent is read at each event', () => {
  const parent = new ParentEnvironment();
  const source: Record<string, string | undefined> = { A: '1', B: undefined };
  const first = parent.read(source) as Record<string, string>;
  expect(first).toEqual({ A: '1' });
  first['A'] = 'changed by a dialect';
  first['C'] = 'added by a dialect';
  expect(parent.read(source)).toEqual({ A: '1' });
  source['B'] = '2';
  expect(parent.read(source)).toEqual({ A: '1', B: '2' });
  source['A'] = undefined;
  expect(parent.read(source)).toEqual({ B: '2' });
  expect(parent.read(JSON.parse('{"__proto__":"x"}'))).toEqual(JSON.parse('{"__proto__":"x"}'));
});
