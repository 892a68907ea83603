import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Place, type Run } from '../../examples/agent-loop/test/example-run.js';
import { root } from '../support/sources.js';

const example = 'examples/other-agents/dist/main.js';
const page = readFileSync(join(root, 'examples/other-agents/README.md'), 'utf8');

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

/** Runs the example in a folder that is kept, and with it the decisions. */
const run = (input: string, ...flags: string[]): Promise<Run> =>
  place.start([example, '--keep', join(place.folder, 'kept'), ...flags], { input }).ended;

/** What the agent printed about trust, before the first prompt. */
const questionIn = ({ stdout }: Run) => stdout.slice(stdout.indexOf('\n\n') + 2, stdout.indexOf('user   ')).trim();

test('the agent asks once about the hooks of the project, and again after a script was changed', async () => {
  const first = await run('y\n', '--ask');
  expect(first.stderr).toBe('');
  expect(questionIn(first)).toMatch(/^trust {2}9 hooks came with the project:\n( {9}.+\n){9}ask {4}May they run\? \[y\/N\] y$/);
  expect(first.stdout).toContain('✓ project-notes.sh');

  const second = await run('', '--ask');
  expect(questionIn(second)).toBe('');
  expect(second.stdout).toContain('✓ project-notes.sh');

  appendFileSync(join(place.folder, 'kept/workspace/.gemini/hooks/redact.mjs'), '// changed\n');
  const third = await run('', '--ask');
  expect(page).toContain(`${questionIn(third)}\n`);
  expect(third.stdout).toMatch(/– known-answers +skipped: untrusted/);
}, 180_000);

test('without --ask the hooks of the project do not run, and a line reports it', async () => {
  const { status, stdout } = await run('');
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringContaining('trust  9 hooks of the project do not run: they are not trusted.'),
  });
  expect(stdout).not.toContain('✓ project-notes.sh');
}, 120_000);
