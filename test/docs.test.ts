import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { transformSync } from '@swc/core';
import { parseTree } from 'jsonc-parser';
import { createHooks } from 'tenterhook';
import { root } from './support/sources.js';

interface Block {
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** The text block right behind it, which is what it prints. */
  readonly prints?: string;
}

const pages = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md') && !/(^|\/)(node_modules|dist|\.turbo|workspace)\//.test(file))
  .sort();
const blocks = pages.flatMap(blocksOf);
const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts;

test('the README is among the pages', () => expect(pages).toContain('README.md'));

test.each(blocks.filter((block) => ['js', 'ts'].includes(block.language)))('$place runs', ({ language, text, prints }) => {
  // Inside the repository, so that packages are found as they would be in a user's project.
  const folder = mkdtempSync(join(root, 'node_modules', '.docs-'));
  try {
    const code =
      language === 'js'
        ? text
        : transformSync(text, { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }).code;
    writeFileSync(join(folder, 'example.mjs'), code);
    const run = spawnSync(process.execPath, [join(folder, 'example.mjs')], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    if (prints !== undefined) expect(run.stdout.trimEnd()).toBe(prints.trimEnd());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(blocks.filter((block) => ['json', 'jsonc'].includes(block.language)))(
  '$place is JSON, and settings in it are valid',
  async ({ text }) => {
    const errors: unknown[] = [];
    expect(parseTree(text, errors as never[], { allowTrailingComma: true })).toBeDefined();
    expect(errors).toEqual([]);
    if (!text.includes('"hooks"')) return;
    const folder = mkdtempSync(join(root, 'node_modules', '.docs-'));
    const file = join(folder, 'settings.json');
    writeFileSync(file, text);
    const hooks = await createHooks({ settings: [file], strict: true }).finally(() => rmSync(folder, { recursive: true }));
    await hooks.dispose();
  },
);

test.each(blocks.filter((block) => block.language === 'sh').flatMap(commandsOf))('$place: $command', ({ command }) => {
  const script = /^npm (?:run )?([\w:-]+)/.exec(command)?.[1];
  // What `npm start` and the others do has tests of its own; running them from inside a test would run this one again.
  if (script !== undefined) return expect(Object.keys(scripts)).toContain(script);
  expect(command).toMatch(/^(npx tenterhook|node examples\/)/);
  const run = spawnSync('bash', ['-c', command.replace(/^npx /, 'node_modules/.bin/')], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(run.status).toBe(0);
  expect(run.stdout).not.toBe('');
});

test('no code block is of a kind that nobody runs', () => {
  const known = ['js', 'ts', 'json', 'jsonc', 'sh', 'text'];
  expect(blocks.filter((block) => !known.includes(block.language)).map((block) => `${block.place} ${block.language}`)).toEqual([]);
});

test.each(pages)('%s links to files that exist', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1] as string);
  expect(links.filter((link) => !existsSync(resolve(root, dirname(page), link)))).toEqual([]);
});

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return fences.map((fence, index) => {
    const line = text.slice(0, fence.index).split('\n').length;
    const next = fences[index + 1];
    const between = next === undefined ? '' : text.slice(fence.index + fence[0].length, next.index);
    const prints = next?.[1] === 'text' && between.trim() === '' ? { prints: next[2] as string } : {};
    return { place: `${relative('.', page)}:${line}`, language: fence[1] || 'none', text: fence[2] as string, ...prints };
  });
}

function commandsOf(block: Block): { place: string; command: string }[] {
  return block.text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((command) => ({ place: block.place, command }));
}
