// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.
import { chmodSync, writeFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { createSpawner, type ProcessJob } from '../../src/index.js';
import { routeOf } from '../../src/lanes/route.js';
import { resolveOptions } from '../../src/limits.js';
import { openRig, shellJob } from '../process-rig.js';

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
  ['$PPID', { command: { kind: 'shell', text: "sh -c 'echo $PPID'" } }, direct('its text contains PPID')],
  ['$_', { command: { kind: 'shell', text: 'echo $_' } }, direct('its text contains $_')],
  ['a variable that begins with _', { command: { kind: 'shell', text: 'echo $_a' } }, { kind: 'lane' }],
  ['set -e -u', { command: { kind: 'shell', text: 'set -e -u' } }, direct('its text contains set -e -u')],
  ['SIGTSTP', { command: { kind: 'shell', text: 'kill -TSTP 0' } }, direct('its text contains TSTP')],
  ['LD_PRELOAD', { env: { LD_PRELOAD: '/x.so' } }, direct('bash itself uses the variable LD_PRELOAD')],
  ['SECONDS', { command: { kind: 'shell', text: 'echo $SECONDS' } }, direct('its text contains SECONDS')],
  ['a variable that is not a name', { env: { 'A-B': '1' } }, direct('bash cannot export the variable "A-B"')],
  ['an exported function', { env: { 'BASH_FUNC_f%%': '() { :; }' } }, direct('bash cannot export the variable "BASH_FUNC_f%%"')],
  ['BASH_ENV', { env: { BASH_ENV: '/tmp/x' } }, direct('bash itself uses the variable BASH_ENV')],
  ['IFS', { env: { IFS: ':' } }, direct('bash itself uses the variable IFS')],
  ['a large environment', { env: { A: 'x'.repeat(100_000) } }, direct('its environment has more than 100000 bytes')],
  ['a large environment of other characters', { env: { A: '€'.repeat(40_000) } }, direct('its environment has more than 100000 bytes')],
  ['a deep shell level', { env: { SHLVL: '999' } }, direct('bash itself uses the variable SHLVL')],
  ['the first shell of an SSH session', { env: { SSH_CLIENT: '::1 1 1' } }, direct('bash itself uses the variable SSH_CLIENT')],
  ['a later shell of an SSH session', { env: { SSH_CLIENT: '::1 1 1', SHLVL: '1' } }, { kind: 'lane' }],
  ['watchesInput', { watchesInput: true }, direct('the run reports whether the input was read')],
])('the route of a job with %s', (_, job, route) => {
  expect(routeOf({ ...shellJob('true', { env: {} }), ...job }, bash)).toEqual(route);
});

test('a script that asks for its parent is started directly, as long as it does', () => {
  const rig = openRig();
  const job = (text: string) =>
    routeOf({ ...shellJob(text, { env: { PATH: `${rig.place}:/usr/bin:/bin`, DIR: rig.place } }), cwd: rig.place }, bash);
  const script = (name: string, text: string): void => {
    writeFileSync(rig.path(name), text);
    chmodSync(rig.path(name), 0o755);
  };
  script('a.py', '#!/usr/bin/env python3\nimport os\nprint(os.getppid())\n');
  script('b.sh', '#!/bin/sh\necho fine $$\n');
  script('plain', 'echo $$\n');
  script('large', `#!/bin/sh\n${'# ppid\n'.repeat(40_000)}`);
  const asks = direct('its script ./a.py contains ppid');
  expect(job('./a.py --strict')).toEqual(asks);
  expect(job('python3 "$DIR/a.py" | cat')).toEqual(direct(`its script ${rig.place}/a.py contains ppid`));
  expect(job('true && "${DIR}"/a.py')).toEqual(direct(`its script ${rig.place}/a.py contains ppid`));
  expect(job('a.py')).toEqual(direct('its script a.py contains ppid'));
  // Bash runs a file without #! itself, and a file that is sourced; there, more expressions differ.
  expect(job('./plain')).toEqual(direct('its script ./plain contains $$'));
  expect(job('. ./b.sh')).toEqual(direct('its script ./b.sh contains $$'));
  for (const text of ['./b.sh', './large', 'cat /bin/sh', 'cat /dev/null', 'sh ./missing'])
    expect([text, job(text)]).toEqual([text, { kind: 'lane' }]);
  script('a.py', '#!/usr/bin/env python3\nprint("changed")\n');
  expect(job('./a.py --strict')).toEqual({ kind: 'lane' });
  return rig.close();
});

test('a shell that is not bash runs no lane', () => {
  expect(routeOf(shellJob('true'), { file: '/bin/sh' })).toEqual(direct('the shell is not bash'));
  expect(routeOf(shellJob('true'), undefined)).toEqual(direct('the shell is not bash'));
});

test('the option is checked; the environment variable is its default, and an unknown value there causes a warning', () => {
  expect(() => createSpawner({}, { spawner: 'fast' as 'lanes' })).toThrow(
    new TypeError('"spawner" must be "auto", "lanes" or "direct", and is "fast"'),
  );
  expect(resolveOptions({}, {})).toEqual({ spawner: 'auto' });
  expect(resolveOptions({}, { TENTERHOOK_SPAWNER: 'lanes' })).toEqual({ spawner: 'lanes' });
  expect(resolveOptions({ spawner: 'direct' }, { TENTERHOOK_SPAWNER: 'lanes' })).toEqual({ spawner: 'direct' });
  const warning = jest.spyOn(process, 'emitWarning').mockReturnValue();
  expect(resolveOptions({}, { TENTERHOOK_SPAWNER: 'fast' })).toEqual({ spawner: 'auto' });
  expect(warning).toHaveBeenCalledWith(
    'The environment variable TENTERHOOK_SPAWNER must be "auto", "lanes" or "direct", and is "fast". "auto" is used.',
  );
  warning.mockRestore();
});
