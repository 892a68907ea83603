import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/sources.js';
import { complaintsOf, newContext, pathOf, stopAll, testInBrowser, waitForStatus } from './browser.js';
import { writeRecordingOf } from './recorded-events.js';

afterAll(stopAll);

/** Starts the inspector, prints its address, and ends when stdin ends. */
const program = `
import { startInspector } from '@tenterhook/inspector';
const inspector = await startInspector({ recordings: [process.argv[2]] });
process.stdout.write(inspector.privateUrl + '\\n');
process.stdin.on('end', () => inspector.close()).resume();
`;

testInBrowser('43. the packed package shows its page from a fresh folder, without the tools that built it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenterhook-installed-'));
  try {
    install('@tenterhook/inspector', join(folder, 'node_modules'), new Set());
    writeFileSync(join(folder, 'start.mjs'), program);
    const file = pathOf('installed.bus.jsonl');
    writeRecordingOf(file, [{}, {}]);
    const child = spawn(process.execPath, ['start.mjs', file], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdout.setEncoding('utf8');
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (text: string) => resolve(text.trim()));
      child.once('close', (code) => reject(new Error(`The inspector ended with ${code}.`)));
    });
    const page = await (await newContext()).newPage();
    const complaints = complaintsOf(page, new URL(address).origin);
    await page.goto(address);
    await waitForStatus(page, '2 events');
    expect(complaints).toEqual([]);
    await page.close();
    child.stdin.end();
    expect(await ended).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Puts what npm packs of our packages into a folder, and copies their libraries. Asks no registry. */
function install(name: string, modules: string, done: Set<string>): void {
  if (done.has(name)) return;
  done.add(name);
  const target = join(modules, name);
  if (name.startsWith('@tenterhook/')) unpack(join(root, 'packages', name.slice('@tenterhook/'.length)), target);
  else cpSync(join(root, 'node_modules', name), target, { recursive: true, dereference: true });
  const { dependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> };
  for (const dependency of Object.keys(dependencies)) install(dependency, modules, done);
}

function unpack(folder: string, target: string): void {
  mkdirSync(target, { recursive: true });
  const packed = spawnSync('npm', ['pack', '--offline', '--ignore-scripts', '--json', '--pack-destination', target], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(packed.status).toBe(0);
  const [{ filename } = { filename: '' }] = JSON.parse(packed.stdout) as { filename: string }[];
  expect(spawnSync('tar', ['-xzf', filename, '--strip-components=1'], { cwd: target }).status).toBe(0);
}
