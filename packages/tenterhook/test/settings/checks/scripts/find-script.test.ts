import { findScript } from '../../../../src/settings/checks/scripts/find-script.js';

const variables = { HOME: '/home/ann', LLXPRT_PROJECT_DIR: '/srv/app', SPACED: '/srv/my app', PATH: '/bin' };
const scriptIn = (text: string) => {
  const found = findScript({ kind: 'shell', text }, variables);
  return found === undefined ? undefined : [found.reader, found.path].filter((part) => part !== undefined).join(' ');
};

test.each([
  ['./guard.sh', './guard.sh'],
  ['  ./guard.sh  --strict "$1" `date` "$(date)"', './guard.sh'],
  ['"$LLXPRT_PROJECT_DIR"/hooks/guard.sh', '/srv/app/hooks/guard.sh'],
  ['"$LLXPRT_PROJECT_DIR/hooks/guard.sh"', '/srv/app/hooks/guard.sh'],
  [`\${LLXPRT_PROJECT_DIR}/hooks/guard.sh`, '/srv/app/hooks/guard.sh'],
  ['"$SPACED"/guard.sh', '/srv/my app/guard.sh'],
  ["'/srv/my app/guard.sh'", '/srv/my app/guard.sh'],
  ['/srv/my\\ app/guard.sh', '/srv/my app/guard.sh'],
  ['~/hooks/guard.sh', '/home/ann/hooks/guard.sh'],
  ['"~/hooks/guard.sh"', '~/hooks/guard.sh'],
  ['LEVEL=strict A="b c" ./guard.sh', './guard.sh'],
  ['exec ./guard.sh', './guard.sh'],
  ['./guard.sh 2>/dev/null | tee log', './guard.sh'],
  ['2>&1 ./guard.sh', './guard.sh'],
  ['./guard.sh <<EOF\n./other.sh\nEOF', './guard.sh'],
  ['./guard.sh && echo done', './guard.sh'],
  ['./guard.sh; true', './guard.sh'],
  ['./guard.sh # as always', './guard.sh'],
  ['bash ./guard.sh', 'bash ./guard.sh'],
  ['bash -e -u guard.sh', 'bash guard.sh'],
  ['bash -euo pipefail guard.sh', 'bash guard.sh'],
  ['/bin/sh guard.sh', '/bin/sh guard.sh'],
  ['python3 -u "$LLXPRT_PROJECT_DIR"/guard.py --flag', 'python3 /srv/app/guard.py'],
  ['node --no-warnings guard.mjs', 'node guard.mjs'],
  ['/usr/bin/env python3 guard.py', 'python3 guard.py'],
])('%s starts %s', (text, expected) => expect(scriptIn(text)).toBe(expected));

test.each([
  '',
  'true',
  'jq -r .tool_name',
  'command -v prettier && prettier --check .',
  'cd sub && ./guard.sh',
  'cd "$LLXPRT_PROJECT_DIR" && ./guard.sh',
  '[ -x ./guard.sh ] && ./guard.sh',
  'test -f ./x || exit 0; ./x',
  'if [ -f ./x ]; then ./x; fi',
  './guard.sh || true',
  './guard.sh||exit 0',
  '$GUARDS/guard.sh',
  '"$GUARDS"/guard.sh',
  `"\${GUARDS:-/srv}"/guard.sh`,
  '"$(git rev-parse --show-toplevel)"/guard.sh',
  '`pwd`/guard.sh',
  '$SPACED/guard.sh',
  './*.sh',
  './{a,b}.sh',
  '~bob/guard.sh',
  "bash -c './guard.sh'",
  "bash -ec './guard.sh'",
  'bash -s < ./guard.sh',
  'bash <<EOF\n./guard.sh\nEOF',
  'bash --rcfile x ./guard.sh',
  'python3 -c "import x"',
  'python3 -m hooks.guard',
  'python3 - <<EOF\nprint(1)\nEOF',
  'python3 -X dev guard.py',
  'node -e "process.exit(2)"',
  'node -r ./register.js guard.js',
  "perl -ne 'print' ./x",
  "perl -e 'exit 2'",
  'PATH=/srv/bin ./guard.sh',
  'env -i ./guard.sh',
  'env A=b ./guard.sh',
  'npx prettier --check src/a.ts',
  'echo "a/b" > ./log',
  'cat ./log',
  'f() { ./x; }; f',
  '(./guard.sh)',
  '! ./guard.sh',
  'bash <(curl https://example.org/x.sh)',
  '"$1"/guard.sh',
  '# ./guard.sh',
  './guard.sh $(date)',
])('of %j it is not known which script it starts', (text) => expect(scriptIn(text)).toBeUndefined());

test('a program without a shell is read as it is', () => {
  expect(findScript({ kind: 'program', file: '/srv/$HOME/guard.sh', args: [] }, variables)?.path).toBe('/srv/$HOME/guard.sh');
  expect(findScript({ kind: 'program', file: 'python3', args: ['/srv/a b.py'] }, variables)).toMatchObject({
    reader: 'python3',
    path: '/srv/a b.py',
  });
  expect(findScript({ kind: 'program', file: 'jq', args: ['.'] }, variables)).toBeUndefined();
});

test('a text of any length and nesting is read in a moment', () => {
  for (const part of ['"$(', '\\', "'", '$', '${', '<', '2>', '(', '`', '"a'])
    expect(() => findScript({ kind: 'shell', text: part.repeat(100_000) }, variables)).not.toThrow();
});
