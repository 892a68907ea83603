import { callOf, TestedProject } from './tested-project.js';

let project: TestedProject;
beforeEach(() => {
  project = new TestedProject();
});
afterEach(() => project.remove());

const other = { name: 'other', event: 'BeforeTool', input: { tool_name: 'writ_file', tool_input: {} } };

test('a note below a case for which no hook ran has the reason of each hook', async () => {
  project.writeHooks({ write_file: 'cat >/dev/null', run: 'cat >/dev/null' });
  const { status, stdout } = await project.run([{ ...other, expect: { verdict: 'none' } }, callOf('run', { verdict: 'none' })]);
  expect(stdout).toMatch(
    /✓ other .*\n {4}note: no hook ran: write_file: the regular expression "\^write_file\$" does not match tool_name "writ_file"; run: the regular expression "\^run\$" does not match tool_name "writ_file"\n✓ run/,
  );
  expect(stdout.match(/note/g)).toHaveLength(1);
  expect(status).toBe(0);
  const { stdout: json } = await project.run([{ ...other, expect: { verdict: 'none' } }], '--json');
  expect(JSON.parse(json).files[0].cases[0].notes).toEqual([expect.stringMatching(/^no hook ran: write_file: /)]);
});

test('a case that expects a skipped hook has no note; a hook that must succeed names the reason', async () => {
  project.writeHooks({ write_file: 'cat >/dev/null' });
  const skipped = await project.run([{ ...other, expect: { hooks: { write_file: 'skipped' } } }]);
  expect(skipped.stdout).not.toContain('note');
  const { stdout, status } = await project.run([{ ...other, expect: { hooks: { write_file: 'succeeded' } } }]);
  expect(stdout).toContain('hooks.write_file: expected succeeded, received skipped\n');
  expect(stdout).toContain('note: no hook ran: write_file: the regular expression "^write_file$" does not match');
  expect(status).toBe(1);
});

test('the reasons of many hooks are counted', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `hook-${index}`);
  project.writeHooks(Object.fromEntries(names.map((name) => [name, 'exit 0'])));
  const { stdout } = await project.run([{ ...other, expect: { verdict: 'none' } }]);
  expect(stdout).toContain('hook-4: the regular');
  expect(stdout).not.toContain('hook-5: the regular');
  expect(stdout).toContain('; and 4 others');
});

test.each<[string, object, string]>([
  ['no switch', {}, 'sets tools.enableHooks to true. Write "tools": { "enableHooks": true } next to "hooks".'],
  ['a switch that is off', { tools: { enableHooks: false } }, 'enableHooks'],
])('hooks of the project that are off, because of %s, are not called missing', async (_, switches, message) => {
  const hooks = { BeforeTool: [{ hooks: [{ name: 'guard', command: 'exit 0' }] }] };
  project.write('.llxprt/settings.json', JSON.stringify({ ...switches, hooks }));
  project.write('a.hook-test.json', JSON.stringify({ cases: [callOf('guard', { verdict: 'none' })] }));
  const ran = await project.runFiles();
  expect(ran.stdout).toContain('hooks: expected a hook of BeforeTool, received 1 switched off');
  expect(ran.stdout).toContain(message);
  expect(ran.stdout).not.toContain('have no hook');
  expect(ran.status).toBe(1);
});
