import { fieldTable } from '../../../../src/llxprt/answers.js';
import { knownFields } from '../../../../src/shared/output/fields/known-fields.js';

test('very many fields in other letters are not a stumbling block', () => {
  const printed = Object.fromEntries(
    Array.from({ length: 300_000 }, (_, n) => [`${n.toString(2).replaceAll('0', '_').replaceAll('1', '-')}Decision`, 1]),
  );
  expect(knownFields({ ...printed, decision: 'deny' }, 'BeforeTool', fieldTable).output.decision).toBe('deny');
});
