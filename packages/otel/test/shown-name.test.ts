import { shownId, shownName, shownText } from '../src/shown-name.js';

test.each([
  ['guard', 'guard'],
  ['Check secrets / keys', 'Check secrets / keys'],
  ['/home/me/hooks/guard.sh', 'guard.sh'],
  ['./check.py --token abc', 'check.py'],
  ['C:\\hooks\\guard.cmd', 'guard.cmd'],
  ['~/.hooks/', '.hooks'],
  ['node /home/alice/acme/x.js --customer acme', 'x.js'],
  ['rm -rf notes', 'rm'],
  // A secret may have slashes, and is then no path.
  ['guard --key wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'guard'],
  ['guard --key=wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'guard'],
  ['KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY ./guard.sh', 'guard.sh'],
  ['KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'KEY'],
  ['env KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY ./guard.sh', 'env'],
  ['https://me:hunter2@hooks.example.com/services/T0/B0/hunter2?token=hunter2#hunter2', 'hooks.example.com'],
  ['https://[/services/hunter2', 'https'],
  ['curl https://hooks.example.com/services/T0/B0/hunter2', 'curl'],
  ['guard wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'guard'],
  ['/opt/guard wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'guard'],
  ['python3.12 /home/alice/acme/x.py', 'x.py'],
  ['WORDS="correct horse/battery" ./guard.sh', 'guard.sh'],
  ['WORDS=hunter2 guard', 'guard'],
  ['"/home/alice smith/guard.sh" --customer acme', 'guard.sh'],
  ['file:///home/alice/acme', 'file'],
])('of the name %j, %j is shown', (name, shown) => {
  expect(shownName(name)).toBe(shown);
});

test.each([
  ['llxprt/user/BeforeTool/%2Fopt%2Fguard.sh --all', 'llxprt/user/BeforeTool/guard.sh'],
  ['llxprt/user/BeforeTool/%2Fhome%2Falice%2Facme%2Fcheck.sh --customer acme~2', 'llxprt/user/BeforeTool/check.sh~2'],
  ['llxprt/user/BeforeTool/https:%2F%2Fhooks.example.com%2Fservices%2Fhunter2', 'llxprt/user/BeforeTool/hooks.example.com'],
  ['llxprt/user/BeforeTool/0.1', 'llxprt/user/BeforeTool/0.1'],
  ['llxprt/user/BeforeTool/guard', 'llxprt/user/BeforeTool/guard'],
])('the id %s is shown as %s', (id, shown) => {
  expect(shownId(id)).toBe(shown);
});

test('a text of another program is masked before it is cut', () => {
  const secret = `npm_${'0123456789'.repeat(3)}`;
  expect(shownText(`tool ${secret}`)).toBe('tool ***');
  for (let before = 200; before < 300; before += 1) expect(shownText(`${' '.repeat(before)}${secret}`)).not.toContain('012');
  expect(shownText('x'.repeat(10_000))).toHaveLength(256);
});
