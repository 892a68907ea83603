import { isHostTools } from '../../../src/shared/tools/host-tool.js';

test.each([
  {},
  { a: 'Bash' },
  { a: { as: 'Bash' } },
  { a: { as: 'Bash', keys: {} } },
  { a: { as: 'Bash', keys: { cmd: 'command' } }, b: 'Read' },
])('%j are tools', (tools) => {
  expect(isHostTools(tools)).toBe(true);
});

test.each([
  [],
  'Bash',
  null,
  { a: '' },
  { a: 7 },
  { a: {} },
  { a: { as: '' } },
  { a: { as: 'Bash', keys: [] } },
  { a: { as: 'Bash', keys: null } },
  { a: { as: 'Bash', keys: { cmd: 7 } } },
  { a: { as: 'Bash', keys: { cmd: '' } } },
  { a: { as: 'Bash', key: { cmd: 'command' } } },
])('%j are invalid', (tools) => {
  expect(isHostTools(tools)).toBe(false);
});

test('a dialect may refuse names', () => {
  const isName = (name: string) => !name.includes('__');
  expect(isHostTools({ a: 'x__y' }, isName)).toBe(false);
  expect(isHostTools({ a: { as: 'x__y' } }, isName)).toBe(false);
});
