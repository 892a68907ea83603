import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type Inspector, type InspectorOptions, startInspector } from '@tenterhook/inspector';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { programFile, testWithPrograms } from '../../support/program.js';
import { type RecordedEvent, writeRecordingOf } from './recorded-events.js';

/** A page of the inspector in a browser, with everything that the browser complained about. */
export interface OpenedInspector<Opened = Inspector> {
  readonly page: Page;
  readonly inspector: Opened;
  /** Messages on the console, errors, violations of the policy, and requests to other servers. */
  readonly complaints: readonly string[];
}

export interface OpenOptions extends BrowserContextOptions {
  /** What the address has after the token, such as `&filter=guard`. */
  readonly fragment?: string;
  /** Called before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/**
 * The longest that a test waits for the page, in milliseconds. Less than the timeout of a test, so that the error says what was awaited, and
 * long enough for a machine with many other programs.
 */
const waitMs = 90_000;
jest.setTimeout(300_000);

let started: Promise<Browser> | undefined;
const directory = mkdtempSync(join(tmpdir(), 'tenterhook-page-'));
const inspectors: Inspector[] = [];
let files = 0;

/** Declares a test that needs the browser. If it is missing, the test is skipped, and its title says how to install it. */
export function testInBrowser(title: string, run: () => Promise<void>): void {
  testWithPrograms(['chromium'], title, run);
}

/** Starts the browser of a test file at its first use. Options that differ need a browser of their own. */
export function browser(): Promise<Browser> {
  started ??= launch();
  return started;
}

export function launch(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: programFile('chromium') as string, headless: true, args: [...args], timeout: waitMs });
}

/** A context of the browser, as large as a usual window. */
export async function newContext(options: BrowserContextOptions = {}, of?: Browser): Promise<BrowserContext> {
  const context = await (of ?? (await browser())).newContext({ viewport: { width: 1280, height: 720 }, ...options });
  return patient(context);
}

/** Sets how long the calls of a context wait. */
export function patient(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(waitMs);
  return context;
}

/** Ends everything that a test file has started. */
export async function stopAll(): Promise<void> {
  await (await started)?.close();
  await Promise.all(inspectors.map((inspector) => inspector.close()));
  rmSync(directory, { recursive: true, force: true });
}

/** A path in the directory of the test file. */
export function pathOf(name: string): string {
  return join(directory, name);
}

export async function inspect(options: InspectorOptions): Promise<Inspector> {
  const inspector = await startInspector(options);
  inspectors.push(inspector);
  return inspector;
}

/** Starts an inspector of a recording with these events. */
export async function inspectEvents(events: Iterable<RecordedEvent>): Promise<Inspector> {
  files += 1;
  const file = pathOf(`${files}.bus.jsonl`);
  writeRecordingOf(file, events);
  return inspect({ recordings: [file] });
}

/** Opens the page in a context of its own, with its token. Resolves when the page has drawn its list. */
export async function open<Opened extends Pick<Inspector, 'url' | 'privateUrl'>>(
  inspector: Opened,
  { fragment = '', prepare, ...options }: OpenOptions = {},
): Promise<OpenedInspector<Opened>> {
  const context = await newContext(options);
  const page = await context.newPage();
  await prepare?.(page);
  const complaints = complaintsOf(page, inspector.url);
  await page.goto(`${inspector.privateUrl}${fragment}`);
  await page.locator('#events-grid, .view').first().waitFor();
  return { page, inspector, complaints };
}

export async function openEvents(events: Iterable<RecordedEvent>, options: OpenOptions = {}): Promise<OpenedInspector> {
  const inspector = await inspectEvents(events);
  const opened = await open(inspector, options);
  await opened.page.locator('.grid-body .line, .view, .empty').first().waitFor();
  return opened;
}

/** Collects what a page complains about. */
export function complaintsOf(page: Page, url: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) complaints.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  return complaints;
}

/** The texts of one column of the rows that are in the document. */
export function cells(page: Page, column: string): Promise<string[]> {
  return page.locator(`.grid-body .cell-${column}`).allInnerTexts();
}

/** The text that a reader sees: without what is hidden, and in the order in which it is shown. */
export async function shownText(locator: Locator): Promise<string> {
  await locator.waitFor();
  return (await locator.allInnerTexts()).join('\n');
}

/** Waits until the line below the list has this text. */
export async function waitForStatus(page: Page, text: string): Promise<void> {
  await page.locator('#list-status').getByText(text, { exact: true }).waitFor();
}
