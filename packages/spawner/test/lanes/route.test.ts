// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.
import { jest } from '@jest/globals';
import { createSpawner, type ProcessJob } from '../../src/index.js';
import { routeOf } from '../../src/lanes/route.js';
import { resolveOptions } from '../../src/limits.js';
import { shellJob } from '../process-rig.js';

const bash = { file: '/bin/bash' };
const direct = (reason: string) => ({ kind: 'direct', reason });

test.each<[string, Partial<ProcessJob>, unknown]>([
  ['a text for the shell', {}, { kind: 'lane' }],
  ['a program', { command: { kind: 'program', file: 'cat', args: [] } }, direct('it is a program without a shell')],
  ['$$', { command: { kind: 'shell', text: 'echo $$' } }, direct('its text contains $$')],
  ['${$}', { command: { kind: 'shell', text: 'echo ${$}' } }, direct('its text contains ${$')],
  ['$!', { command: { kind: 'shell', text: 'x & echo $!' } }, direct('its text contains $!')],
  ['set -u', { command: { kind: 'shell', text: 'set -eu; echo $x' } }, direct('its text contains set -eu')],
  ['${x:?}', { command: { kind: 'shell', text: 'echo ${x:?}' } }, direct('its text contains ${x:?')],
  ['SECONDS', { command: { kind: 'shell', text: 'echo $SECONDS' } }, direct('its text contains SECONDS')],
  ['a variable that is not a name', { env: { 'A-B': '1' } }, direct('bash cannot export the variable "A-B"')],
  ['an exported function', { env: { 'BASH_FUNC_f%%': '() { :; }' } }, direct('bash cannot export the variable "BASH_FUNC_f%%"')],
  ['BASH_ENV', { env: { BASH_ENV: '/tmp/x' } }, direct('bash itself uses the variable BASH_ENV')],
  ['IFS', { env: { IFS: ':' } }, direct('bash itself uses the variable IFS')],
  ['a large environment', { env: { A: 'x'.repeat(100_000) } }, direct('its environment has more than 100000 characters')],
  ['watchesInput', { watchesInput: true }, direct('the run reports whether the input was read')],
])('the route of a job with %s', (_, job, route) => {
  expect(routeOf({ ...shellJob('true', { env: {} }), ...job }, bash)).toEqual(route);
});

test('a shell that is not bash runs no lane', () => {
  expect(routeOf(shellJob('true'), { file: '/bin/sh' })).toEqual(direct('the shell is not bash'));
  expect(routeOf(shellJob('true'), undefined)).toEqual(direct('the shell is not bash'));
});

test('the option is checked; the environment variable is its default, and an unknown value there causes a warning', () => {
  expect(() => createSpawner({}, { spawner: 'fast' as 'lanes' })).toThrow(
    new TypeError('"spawner" must be "direct" or "lanes", and is "fast"'),
  );
  expect(resolveOptions({}, {})).toEqual({ spawner: 'direct' });
  expect(resolveOptions({}, { TENTERHOOK_SPAWNER: 'lanes' })).toEqual({ spawner: 'lanes' });
  expect(resolveOptions({ spawner: 'direct' }, { TENTERHOOK_SPAWNER: 'lanes' })).toEqual({ spawner: 'direct' });
  const warning = jest.spyOn(process, 'emitWarning').mockReturnValue();
  expect(resolveOptions({}, { TENTERHOOK_SPAWNER: 'fast' })).toEqual({ spawner: 'direct' });
  expect(warning).toHaveBeenCalledWith(
    'The environment variable TENTERHOOK_SPAWNER must be "direct" or "lanes", and is "fast". Hooks are started directly.',
  );
  warning.mockRestore();
});
