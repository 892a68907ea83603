import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { defaultDialects, eca } from '@tenterhook/dialects';
import { type Dialect, eventEntry, type HookDefinition, type HookEvent, type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { parseTree } from 'jsonc-parser';
import { createHooks } from 'tenterhook';
import { root } from '../support/sources.js';
import { blocks, commandsOf, inLanguages, pages } from './blocks.js';
import { inFolder } from './run-block.js';

const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts;

test('the README is among the pages, and every event has one, of its own or shared', () => {
  const pageOf = (name: HookEventName) => (eventEntry(name).firedBy === 'host' ? 'other-agents' : name);
  expect(pages).toEqual(expect.arrayContaining(['README.md', ...hookEventNames.map((name) => `docs/events/${pageOf(name)}.md`)]));
});

test.each(inLanguages('json', 'jsonc'))('$place is JSON, and settings in it are valid', async ({ text, file }) => {
  const errors: unknown[] = [];
  expect(parseTree(text, errors as never[], { allowTrailingComma: true })).toBeDefined();
  expect(errors).toEqual([]);
  // Settings in a file block are used by later blocks, together with other files, so they are not loaded alone.
  if (!text.includes('"hooks"') || file !== undefined) return;
  await inFolder({ 'settings.json': text }, async (folder) => {
    const hooks = await createHooks({ settings: [join(folder, 'settings.json')], strict: true });
    await hooks.dispose();
  });
});

test.each(inLanguages('toml'))('$place is TOML, and settings in it are valid', async ({ text }) => {
  await inFolder({ 'settings.toml': text }, async (folder) => {
    const hooks = await createHooks({ settings: [join(folder, 'settings.toml')], dialect: 'codex', strict: true });
    await hooks.dispose();
  });
});

test.each(blocks.filter(({ stdout }) => stdout !== undefined))('$place is an answer that $stdout hooks may give', async (block) => {
  const { text, stdout = '', dialect: name = 'llxprt' } = block;
  const dialect = defaultDialects().find((candidate) => candidate.name === name) as Dialect;
  const eventName = dialect.events?.[stdout];
  expect({ name, eventName }).toEqual({ name, eventName: expect.any(String) });
  const hooks = await createHooks({ settings: oneHook(name, stdout), dialect: name });
  const [hook] = hooks.hooks[eventName as HookEventName];
  await hooks.dispose();
  const sizes = { stdoutBytes: text.length, stderrBytes: 0, stdoutTruncated: false, stderrTruncated: false, invalidUtf8: false };
  const exit = {
    kind: 'exited' as const,
    exitCode: 0,
    durationMs: 1,
    leftProcesses: 0,
    stdout: text,
    stderr: '',
    ...sizes,
  };
  const decoded = dialect.decode(exit, { eventName, input: {} } as HookEvent, hook as HookDefinition);
  expect(decoded).toMatchObject({ output: expect.anything(), warnings: [] });
});

/** Settings with one hook of an event in a format. ECA's hooks have keys; in all other formats hooks are in groups. */
function oneHook(dialect: string, event: string): object {
  if (dialect === 'eca') return { hooks: { h: { type: event, actions: [{ type: 'shell', shell: 'true' }] } } };
  return { hooks: { [event]: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
}

test('every npm script that a page calls exists', () => {
  // What the pages install is installed by test/publishing/new-user.slow.test.ts.
  const ofNpm = ['install', 'login', 'publish', 'version'];
  const called = inLanguages('sh').flatMap((block) =>
    commandsOf(block).flatMap((command) => /^npm (?:run )?([\w:-]+)/.exec(command)?.[1] ?? []),
  );
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called.filter((name) => !ofNpm.includes(name))));
});

test('no code block is of a kind that is not run', () => {
  const known = ['js', 'ts', 'json', 'jsonc', 'toml', 'sh', 'text'];
  const unknown = blocks.filter(({ language, file }) => !known.includes(language) && file === undefined);
  expect(unknown.map((block) => `${block.place} ${block.language}`)).toEqual([]);
});

test.each(blocks.filter(({ file }) => file !== undefined))('$place: $file is used by what follows on its page', (block) => {
  const following = blocks.slice(blocks.indexOf(block) + 1).filter(({ page }) => page === block.page);
  expect(following.some(({ language }) => language === 'sh')).toBe(true);
  // A later block names the file by its name, because it may be in the same folder. An extension is named by its folder.
  const names = [basename(block.file as string), `--extension ${(block.file as string).split('/')[0]} `];
  const others = blocks.filter((other) => other !== block && other.page === block.page);
  expect(others.filter(({ text }) => names.some((name) => text.includes(name)))).not.toEqual([]);
});

test("every field of ECA's settings and every type has a row on its page", () => {
  const { definitions = {} } = (eca().settingsJsonSchema?.() ?? {}) as { definitions?: Record<string, { properties: object }> };
  const fields = Object.values(definitions).flatMap(({ properties }) => Object.keys(properties));
  const rows = [...readFileSync(join(root, 'docs/eca.md'), 'utf8').matchAll(/^\| `(\w+)`/gm)].map((match) => match[1]);
  const oldSpellings = ['prePrompt', 'postPrompt'];
  const types = Object.keys(eca().events ?? {}).filter((type) => !oldSpellings.includes(type));
  expect(fields.length).toBeGreaterThan(0);
  expect(rows).toEqual(expect.arrayContaining([...fields, ...types]));
});

test('every member of a dialect is on the page about writing one', () => {
  const page = readFileSync(join(root, 'docs/writing-a-dialect.md'), 'utf8');
  // `server` is a field of ECA's dialect only, which migrate reads.
  const members = [...new Set(defaultDialects().flatMap(Object.keys)), 'readsEnvironment'].filter((member) => member !== 'server');
  expect(members.filter((member) => !page.includes(`\`${member}`))).toEqual([]);
});

test('the index of docs/ lists every page there, and that of the how-tos every how-to', () => {
  const linkedFrom = (page: string) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map((match) =>
      join(dirname(page), match[1] as string),
    );
  const missing = pages.filter(
    (page) => page.startsWith('docs/') && page !== 'docs/README.md' && !linkedFrom('docs/README.md').includes(page),
  );
  expect(missing).toEqual([]);
  const howTos = pages.filter((page) => page.startsWith('docs/how-to/') && page !== 'docs/how-to/README.md');
  expect(howTos.filter((page) => !linkedFrom('docs/how-to/README.md').includes(page))).toEqual([]);
});

test.each(pages)('%s links to what exists', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)/g)].map((match) => match[1] as string);
  expect(links.filter((link) => !existsAt(page, link))).toEqual([]);
});

function existsAt(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, page) : resolve(root, dirname(page), path);
  if (!existsSync(target)) return false;
  if (anchor === undefined || !target.endsWith('.md')) return true;
  return anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
}

/** If a heading occurs twice, the second anchor gets a number. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map((match) => anchorOf(match[1] as string));
  return headings.map((anchor, index) => {
    const earlier = headings.slice(0, index).filter((other) => other === anchor).length;
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
}

/** Returns the anchor of a heading, as repository hosts make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
