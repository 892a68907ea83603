import { createHooks } from '../src/create.js';
import { withFiles } from './settings/settings-rig.js';

const guard = { hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'exit 2' }] }] } };

/** The diagnostics about the project directory. */
const problems = (diagnostics: readonly { readonly code: string }[]) => diagnostics.filter(({ code }) => code === 'no_project');

test('a project directory that does not exist is an error, because its guards do not run', () =>
  withFiles({ 'project/.llxprt/settings.json': guard }, async ({ at }) => {
    const projectDir = at('projcet');
    await using hooks = await createHooks({ trust: 'all', projectDir });
    expect(problems(hooks.diagnostics)).toEqual([
      {
        code: 'no_project',
        severity: 'error',
        message: `The project directory ${projectDir} does not exist; hooks of the project do not run.`,
        remedy: 'Pass the directory of the project as projectDir.',
        source: 'project',
      },
    ]);
    await expect(createHooks({ trust: 'all', projectDir, strict: true })).rejects.toMatchObject({ name: 'SettingsError' });
  }));

test('a file as the project directory is the same error', () =>
  withFiles({ 'project/.llxprt/settings.json': guard }, async ({ at }) => {
    await using hooks = await createHooks({ trust: 'all', projectDir: at('project/.llxprt/settings.json') });
    expect(problems(hooks.diagnostics)).toMatchObject([{ message: expect.stringContaining('settings.json is not a directory;') }]);
  }));

test('a project directory that appears is found by the next reading', () =>
  withFiles({ other: '' }, async ({ at, write }) => {
    await using hooks = await createHooks({ trust: 'all', projectDir: at('project') });
    expect(problems(hooks.diagnostics)).toHaveLength(1);
    write('project/.llxprt/settings.json', { ...guard, tools: { enableHooks: true } });
    await hooks.reload();
    expect(problems(hooks.diagnostics)).toEqual([]);
    expect(hooks.has('BeforeTool')).toBe(true);
  }));
