import { jest } from '@jest/globals';
import { NatsServer } from '../support/nats-server.js';
import { testWithPrograms } from '../support/program.js';
import { followedPages, Project } from './followed-page.js';
import { LocalRegistry } from './local-registry.js';

// A page has up to forty programs and commands, and its project is installed first.
jest.setTimeout(300_000);

/**
 * Each project is installed, and 80 pages take some minutes. So a run follows the first pages of a new user, and those whose packages bring a
 * framework with them; `TENTERHOOK_PAGES=all` follows every page, as a release does.
 */
const first = /^(?:README\.md|docs\/how-to\/first-hook\.md|docs\/library\.md|docs\/adapters\/.*|packages\/bus\/README\.md)$/;
const allPages = followedPages();
const pages = process.env['TENTERHOOK_PAGES'] === 'all' ? allPages : allPages.filter(({ page }) => first.test(page));
const programs = ['bash', 'jq', 'nats-server', 'tar'];

let registry: LocalRegistry;
let nats: NatsServer;
const projects = new Map<string, Promise<Project>>();

beforeAll(async () => {
  registry = await LocalRegistry.start();
  nats = await NatsServer.start();
});
afterAll(async () => {
  // Side by side, because each has thousands of files.
  await Promise.all([...projects.values()].map(async (project) => (await project.catch(() => undefined))?.remove()));
  await nats?.stop();
  await registry?.stop();
}, 900_000);

/** Pages with the same commands share a project: what a page writes is in a folder of its own. */
function projectWith(installs: readonly string[]): Promise<Project> {
  const key = installs.join(' ');
  const project = projects.get(key) ?? Project.create(registry, installs, { NATS_URL: nats.url });
  projects.set(key, project);
  return project;
}

test('every page with a program or a command for users can be followed, the README and the page of a first hook among them', () => {
  const names = allPages.map(({ page }) => page);
  expect(names).toEqual(expect.arrayContaining(['README.md', 'docs/how-to/first-hook.md', 'docs/library.md', 'packages/bus/README.md']));
});

for (const { page, installs, blocks } of pages) {
  testWithPrograms(programs, `${page} works in an empty project after npm install ${installs.join(' ')}`, async () => {
    const project = await projectWith(installs);
    const wrong: string[] = [];
    for (const block of blocks) {
      const problem = await project.follow(block);
      if (problem !== undefined) wrong.push(`${block.place} ${problem}`);
    }
    expect(wrong).toEqual([]);
  });
}
