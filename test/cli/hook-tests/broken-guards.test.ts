import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callOf, TestedProject } from './tested-project.js';

let project: TestedProject;
beforeEach(() => {
  project = new TestedProject();
});
afterEach(() => project.remove());

interface CaseOfJson {
  readonly differences: readonly { readonly field: string; readonly received: unknown }[];
  readonly warnings?: readonly { readonly hook: string; readonly code: string; readonly message: string }[];
}

/** The fields that differ in one case, and the codes of its warnings. */
async function resultOf(tool: string, expect: object): Promise<{ fields: string[]; codes: string[] }> {
  const { stdout } = await project.run([callOf(tool, expect)], '--json');
  const [{ differences, warnings = [] }] = JSON.parse(stdout).files[0].cases as [CaseOfJson];
  return { fields: differences.map(({ field }) => field), codes: warnings.map(({ code }) => code) };
}

test('a guard whose script is missing ends with 2, as a deny does; the case fails, and the message names the script', async () => {
  project.writeHooks({ gone: 'python3 hooks/gone.py' });
  const { status, stdout } = await project.run([callOf('gone', { verdict: 'deny', by: 'gone' })]);
  expect(status).toBe(1);
  expect(stdout).toContain('warnings: expected none, received missing_script');
  expect(stdout).toContain('⚠ gone: The script "hooks/gone.py" does not exist');
  expect(await resultOf('gone', { verdict: 'deny', reason: "can't open file" })).toEqual({
    fields: ['warnings'],
    codes: ['missing_script'],
  });
});

test('a guard with a syntax error ends with 2, also after it has read its input', async () => {
  project.writeHooks({ early: 'bash early.sh', late: 'bash late.sh', plain: 'sh late.sh', open: 'bash open.sh' });
  project.write('early.sh', 'if then\n');
  project.write('late.sh', 'input=$(cat)\nif then\n');
  project.write('open.sh', 'input=$(cat)\necho "no\n');
  for (const tool of ['early', 'late', 'plain', 'open'])
    expect([tool, (await resultOf(tool, { verdict: 'deny', by: tool })).fields]).toEqual([tool, [`hooks.${tool}`]]);
  const { stdout } = await project.run([callOf('late', { verdict: 'deny' })]);
  expect(stdout).toContain('hooks.late: expected a deny of the guard, received a syntax error in its script');
  expect(stdout).toContain('syntax error near unexpected token');
});

test('a guard that denies without a look at its input needs a reason in the case', async () => {
  project.writeHooks({ all: 'echo "no tools today" >&2; exit 2', json: `echo '{"decision":"deny","reason":"no"}'` });
  expect((await resultOf('all', { verdict: 'deny', by: 'all' })).fields).toEqual(['hooks.all']);
  expect((await resultOf('all', { verdict: 'deny', reason: 'no tools' })).fields).toEqual([]);
  expect((await resultOf('all', { verdict: 'deny', reason: 'no hooks' })).fields).toEqual(['reason']);
  expect((await resultOf('json', { verdict: 'deny' })).fields).toEqual([]);
  const { stdout } = await project.run([callOf('all', { verdict: 'deny' })]);
  expect(stdout).toContain('hooks.all: expected a deny of the guard, received exit code 2 without reading the input');
  expect(stdout).toContain('expect its "reason"');
});

test('a warning of a hook fails the case, unless the case expects it', async () => {
  project.writeHooks({ torn: `echo '{"decision": deny}'`, quiet: 'exit 0' });
  const { status, stdout } = await project.run([callOf('torn', { verdict: 'none' })]);
  expect(status).toBe(1);
  expect(stdout).toContain('    warnings: expected none, received invalid_json\n');
  expect(stdout).toContain('    ⚠ torn: A line of stdout begins like a JSON object but is not valid JSON');
  expect(await resultOf('torn', { verdict: 'none', hooks: { torn: 'succeeded' } })).toEqual({
    fields: ['warnings'],
    codes: ['invalid_json'],
  });
  expect(await resultOf('torn', { warnings: ['invalid_json'] })).toEqual({ fields: [], codes: ['invalid_json'] });
  expect((await resultOf('torn', { warnings: 'invalid_json' })).fields).toEqual([]);
  expect((await resultOf('torn', { warnings: [] })).fields).toEqual(['warnings']);
  expect((await resultOf('quiet', { warnings: ['invalid_json'] })).fields).toEqual(['warnings']);
});

test('a warning is shown under a case that passes; that of an expected failure needs no mention', async () => {
  project.writeHooks({ crash: 'echo oh no >&2; exit 1', torn: `echo '{"decision": deny}'` });
  const { status, stdout } = await project.run([
    callOf('torn', { warnings: ['invalid_json'] }),
    callOf('crash', { hooks: { crash: 'failed' } }),
  ]);
  expect(stdout).toMatch(/✓ torn .*\n {4}⚠ torn: A line of stdout begins/);
  expect(stdout).toMatch(/✓ crash .*\n {4}⚠ crash: BeforeTool hook "crash" failed with exit code 1/);
  expect(status).toBe(0);
});

test('an unknown code of a warning is reported with the nearest one', async () => {
  project.writeHooks({ quiet: 'exit 0' });
  const { stdout } = await project.run([callOf('quiet', { warnings: ['invalid_jsn'] })]);
  expect(stdout).toContain('cases[0].expect.warnings[0] is "invalid_jsn". Did you mean "invalid_json"?');
});

test('a stack trace is shown once, in lines of its own, without control characters', async () => {
  project.writeHooks({ trace: 'printf "Traceback (most recent call last):\\n  File \\033[31mx\\nValueError: 1\\n" >&2; exit 1' });
  const { stdout } = await project.run([callOf('trace', { verdict: 'none' })]);
  expect(stdout.match(/ValueError: 1/g)).toHaveLength(1);
  expect(stdout).toMatch(/Traceback \(most recent call last\):\n {6}.*File.*\n {6}ValueError: 1\n/);
  expect(stdout).not.toContain('\u001b');
});

test('JUnit has the warnings and notes of a case as its system-err', async () => {
  project.writeHooks({ torn: `echo '{"decision": deny}'`, quiet: 'exit 0' });
  const report = join(project.directory, 'out.xml');
  const unknown = { ...callOf('none', { verdict: 'none' }), name: 'unknown' };
  await project.run([callOf('torn', { warnings: 'invalid_json' }), callOf('torn', { verdict: 'none' }), unknown], '--junit', report);
  const xml = readFileSync(report, 'utf8');
  expect(xml.match(/<system-err>torn: A line of stdout begins like a JSON object/g)).toHaveLength(2);
  expect(xml).toContain('</failure><system-err>torn: ');
  expect(xml).toContain('<system-err>note: no hook ran: torn: ');
});
