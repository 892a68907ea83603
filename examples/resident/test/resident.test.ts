import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCalls, workspace } from '../src/run-calls.js';

const root = join(import.meta.dirname, '../../..');

test('the hooks give the same answers in both modes', async () => {
  const [{ answers: resident }, { answers: cold }] = [await runCalls('resident', 1), await runCalls('cold', 0)];
  expect(cold.map(({ routes: _, ...answer }) => answer)).toEqual(resident.map(({ routes: _, ...answer }) => answer));
  expect(resident.map(({ verdict, path }) => [verdict, path])).toEqual([
    ['none', undefined],
    ['deny: Nothing is deleted recursively. Name the files.', undefined],
    ['none', 'notes.md'],
    ['deny: The call contains a secret: AKIA…', undefined],
  ]);
  const routes = (answers: typeof cold) => answers.flatMap((answer) => Object.values(answer.routes));
  expect(routes(resident)).toEqual(['resident', 'resident', 'resident', 'resident', 'resident', 'resident']);
  expect([routes(cold).length, routes(cold).includes('resident')]).toEqual([6, false]);
});

test('the adapters in the workspace are the published ones', () => {
  for (const name of ['resident.sh', 'resident.py']) {
    const published = readFileSync(join(root, 'packages/tenterhook/adapters', name), 'utf8');
    expect(readFileSync(join(workspace, '.llxprt/hooks', name), 'utf8')).toBe(published);
  }
});
