import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { startInspector } from '../packages/inspector/dist/index.js';

// Writes the pictures of the inspector and of a report, both with a recording of the example agent. `npm run picture` runs it after the build.

const root = join(import.meta.dirname, '..');
const commandLine = join(root, 'packages/tenterhook/bin/tenterhook.js');
const exampleAgent = join(root, 'examples/agent-loop/dist/main.js');

const picture = (name) => join(root, 'docs/images', name);

/** Records the example agent, opens the denied call in the inspector and the report of all hooks, and writes what a browser shows. */
export async function writeBrowserPictures() {
  const folder = mkdtempSync(join(tmpdir(), 'tenterhook-picture-'));
  const file = join(folder, 'weather-station.bus.jsonl');
  const opened = [];
  try {
    await run(process.execPath, [commandLine, 'record', '--to', file, '--', process.execPath, exampleAgent]);
    // The name of the recording is in the picture, and must not depend on the machine.
    process.chdir(folder);
    const inspector = await startInspector({ recordings: [basename(file)] });
    opened.push(inspector);
    const browser = await chromium.launch({ executablePath: programFile('chromium'), headless: true });
    opened.unshift(browser);
    const page = await browser.newPage({ viewport: { width: 1200, height: 640 }, colorScheme: 'light', timezoneId: 'UTC' });
    await page.goto(inspector.privateUrl);
    await page.locator('.grid-body .line').first().waitFor();
    await page.locator('#events-grid').press('Home');
    await page.keyboard.press(']');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /^Hooks/ }).click();
    await page.locator('.hook').first().waitFor();
    await page.screenshot({ path: picture('inspector.png') });

    const report = join(folder, 'report.html');
    await run(process.execPath, [commandLine, 'report', basename(file), '--html', report], folder);
    const small = await browser.newPage({ viewport: { width: 1200, height: 640 }, colorScheme: 'light' });
    await small.goto(pathToFileURL(report).href);
    await small.screenshot({ path: picture('report.png') });
  } finally {
    process.chdir(root);
    for (const one of opened) await one.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program without its output. Rejects if it fails. */
async function run(program, args, cwd = root) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${printed}`);
}

function programFile(name) {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(directory, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // It is in another directory of PATH.
    }
  }
  throw new Error(`There is no ${name} on PATH. Debian: apt-get install ${name}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeBrowserPictures();
