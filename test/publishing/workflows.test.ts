import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../support/sources.js';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({ name, workflow: parse(readFileSync(join(folder, name), 'utf8')) as Workflow }));
const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts;

test.each(workflows)('$name: what its steps call exists, and every job has an end', ({ workflow }) => {
  const commands = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])));
  const files = commands.flatMap((command) =>
    [...command.matchAll(/(?:^|node )((?:\.ci|scripts|packages)\/[\w./-]+)/gm)].map(([, file]) => file),
  );
  expect(files.filter((file) => !existsSync(join(root, file as string)))).toEqual([]);
  const called = commands.flatMap((command) => [...command.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script as string));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called));
  expect(Object.values(workflow.jobs).filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
});

test('CI runs .ci/run, and only the jobs that publish and report may write', () => {
  const ci = workflows.find(({ name }) => name === 'ci.yml')?.workflow as Workflow;
  expect(Object.values(ci.jobs).some(({ steps }) => steps.some(({ run }) => run === '.ci/run'))).toBe(true);
  const granted = workflows.flatMap(({ name, workflow }) => {
    const permissions = [workflow, ...Object.values(workflow.jobs)].flatMap((part) => Object.entries(part.permissions ?? {}));
    expect(workflow.permissions).toBeDefined();
    return permissions.filter(([, access]) => access === 'write').map(([permission]) => `${name} ${permission}`);
  });
  expect(granted.sort()).toEqual(['newest-peers.yml issues', 'release.yml id-token']);
});

test('actions are those of the host of the repository, because any other one could read what a job may write', () => {
  const used = workflows.flatMap(({ workflow }) =>
    Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? [])),
  );
  expect(used.filter((action) => !/^actions\/[\w-]+@v\d+$/.test(action))).toEqual([]);
});

test('forms of issues are complete', () => {
  const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');
  expect(forms.length).toBeGreaterThan(1);
  for (const name of forms) {
    const form = parse(readFileSync(join(root, '.github/ISSUE_TEMPLATE', name), 'utf8')) as Record<string, unknown>;
    expect({ name, ...form }).toMatchObject({ name: expect.any(String), description: expect.any(String), body: expect.any(Array) });
  }
});
