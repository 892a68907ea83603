import { shownId, shownName } from '../src/shown-name.js';

test.each([
  ['guard', 'guard'],
  ['Check secrets / keys', 'Check secrets / keys'],
  ['/home/me/hooks/guard.sh', 'guard.sh'],
  ['./check.py --token abc', 'check.py'],
  ['C:\\hooks\\guard.cmd', 'guard.cmd'],
  ['~/.hooks/', '.hooks'],
  ['node /home/alice/acme/x.js --customer acme', 'x.js'],
  ['rm -rf notes', 'rm'],
])('of the name %j, %j is shown', (name, shown) => {
  expect(shownName(name)).toBe(shown);
});

test.each([
  ['llxprt/user/BeforeTool/%2Fopt%2Fguard.sh --all', 'llxprt/user/BeforeTool/guard.sh'],
  ['llxprt/user/BeforeTool/%2Fhome%2Falice%2Facme%2Fcheck.sh --customer acme~2', 'llxprt/user/BeforeTool/check.sh~2'],
  ['llxprt/user/BeforeTool/0.1', 'llxprt/user/BeforeTool/0.1'],
  ['llxprt/user/BeforeTool/guard', 'llxprt/user/BeforeTool/guard'],
])('the id %s is shown as %s', (id, shown) => {
  expect(shownId(id)).toBe(shown);
});
