import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { programFile } from '../../support/program.js';
import { inspect, pathOf, patient, stopAll, testInBrowser } from './browser.js';
import { writeRecordingOf } from './recorded-events.js';

afterAll(stopAll);

/** The files of a profile in which a browser keeps addresses, and sends some of them to other machines. */
const kept = /^(?:History|Favicons|Visited Links|Top Sites|Shortcuts|Network Action Predictor)|ukm_db|Bookmarks/;

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

testInBrowser('9. the token is not in the history of the browser, in an address or in a referrer, and its code is used up', async () => {
  writeRecordingOf(pathOf('run.bus.jsonl'), [{}]);
  const inspector = await inspect({ recordings: [pathOf('run.bus.jsonl')] });
  const token = inspector.privateUrl.split('#token=')[1] as string;
  const address = inspector.createOpeningUrl();
  const profile = pathOf('profile');
  const executablePath = programFile('chromium') as string;
  const context = patient(await chromium.launchPersistentContext(profile, { executablePath, headless: true }));
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('#event-0').waitFor();
  expect(page.url()).toBe(inspector.url);
  // A reload keeps the token of the tab.
  await page.reload();
  await page.locator('#event-0').waitFor();
  const referrers: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    referrers.push(request.headers.referer);
    response.end('<!doctype html>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  await page.evaluate(`location.href = 'http://127.0.0.1:${(other.address() as AddressInfo).port}/'`);
  await page.waitForURL(/:\d+\/$/);
  await page.waitForLoadState();
  // The address again, as the history offers it.
  const fresh = await context.newPage();
  await fresh.goto(address);
  await fresh.getByText('This tab has no token').waitFor();
  await context.close();
  await new Promise((resolve) => other.close(resolve));
  expect(referrers.filter((referrer) => referrer?.startsWith(inspector.url))).toEqual([]);
  const files = filesBelow(profile).filter((file) => kept.test(file.slice(file.lastIndexOf('/') + 1)));
  expect(files.some((file) => file.endsWith('/History'))).toBe(true);
  const holders = files.filter((file) => readFileSync(file, 'latin1').includes(token));
  expect(holders).toEqual([]);
});
