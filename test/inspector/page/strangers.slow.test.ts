import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Inspector } from '@tenterhook/inspector';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { inspect, launch, newContext, pathOf, stopAll, testInBrowser } from './browser.js';
import { writeRecordingOf } from './recorded-events.js';

const secret = 'secret-tool';
let browser: Browser | undefined;
let server: Server | undefined;

afterAll(async () => {
  await browser?.close();
  server?.close();
  await stopAll();
});

/** A page of another server, in a browser that lets it reach this machine, with an inspector that may do everything. */
interface Stranger {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly inspector: Inspector;
  readonly token: string;
  /** What the inspector was made to do. */
  readonly effects: readonly string[];
  /** The statuses of its answers to this page, also of those that the browser keeps from it. */
  readonly statuses: readonly number[];
}

const sites = { 'another local port': '127.0.0.1', 'another site': 'stranger.test' } as const;

async function visit(host: string): Promise<Stranger> {
  const effects: string[] = [];
  const file = pathOf('strangers.bus.jsonl');
  writeRecordingOf(file, [{ input: { tool_name: secret, tool_input: {} } }]);
  const inspector = await inspect({
    recordings: [file],
    findAgent: async () => void effects.push('attach') as undefined,
    askFiles: async () => void effects.push('ask'),
    runFiles: async () => {
      effects.push('run');
      throw new Error('This must not be reached.');
    },
  });
  browser ??= await launch(['--host-resolver-rules=MAP stranger.test 127.0.0.1', '--disable-features=LocalNetworkAccessChecks']);
  if (server === undefined) {
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      // Its icon needs no request, so that all requests are to the inspector.
      response.end('<!doctype html><link rel="icon" href="data:,"><title>A stranger</title><p>A page of a stranger.</p>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const context = await newContext({}, browser);
  const page = await context.newPage();
  const statuses: number[] = [];
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceivedExtraInfo', ({ statusCode }) => statuses.push(statusCode));
  return { page, context, inspector, token: inspector.privateUrl.split('token=')[1] as string, effects, statuses };
}

describe.each(Object.keys(sites) as (keyof typeof sites)[])('from %s', (site) => {
  testInBrowser('4. fetch reads nothing and has no effect: with and without CORS, and even with the token', async () => {
    const { page, context, inspector, token, effects, statuses } = await visit(sites[site]);
    const read = await page.evaluate<{ text: string; count: number; readable: number }>(`(async () => {
      const texts = [];
      let count = 0;
      let readable = 0;
      for (const path of ['', 'app.js', 'icon.svg', 'api/about', 'api/stream', 'api/events/0', 'api/attach', 'api/run', 'api/explain']) {
        for (const mode of ['cors', 'no-cors', 'same-origin']) {
          for (const headers of [{}, { authorization: 'Bearer ${token}' }, { 'x-other': '1' }]) {
            for (const method of ['GET', 'POST', 'PUT']) {
              for (const type of [undefined, 'text/plain', 'application/json']) {
                const body = method === 'GET' ? undefined : JSON.stringify({ pid: 1, eventName: 'BeforeTool', input: {} });
                const all = type === undefined ? headers : { ...headers, 'content-type': type };
                count += 1;
                try {
                  const response = await fetch('${inspector.url}' + path, { mode, method, headers: all, body, credentials: 'include' });
                  if (response.type !== 'opaque') readable += 1;
                  texts.push(await response.text());
                } catch {
                  // The browser gives nothing to the page.
                }
              }
            }
          }
        }
      }
      return { text: texts.join(''), count, readable };
    })()`);
    expect(read).toEqual({ text: '', count: 9 * 3 * 3 * 3 * 3, readable: 0 });
    expect(effects).toEqual([]);
    // Each request is refused, and so is each preflight: its origin is that of a stranger, too.
    expect([...new Set(statuses)].toSorted()).toEqual([403]);
    expect(statuses.length).toBeGreaterThan(read.count / 3);
    await context.close();
  });

  testInBrowser('5. forms, beacons, images, scripts and frames read nothing and have no effect', async () => {
    const { page, context, inspector, token, effects, statuses } = await visit(sites[site]);
    const { url } = inspector;
    // Each kind of element reports its failure, and a form in a frame the end of its navigation.
    const loaded = await page.evaluate<string[]>(`(async () => {
      const loaded = [];
      const element = (name, fields) => new Promise((resolve) => {
        const one = Object.assign(document.createElement(name), fields);
        one.onload = () => { loaded.push(name + ' ' + (fields.src ?? fields.href)); resolve(); };
        one.onerror = () => resolve();
        document.body.append(one);
      });
      for (const path of ['icon.svg', 'api/about', '']) await element('img', { src: '${url}' + path });
      for (const path of ['app.js', 'api/about', 'api/events/0']) await element('script', { src: '${url}' + path });
      await element('script', { src: '${url}app.js', type: 'module' });
      await element('link', { href: '${url}app.css', rel: 'stylesheet' });
      return loaded;
    })()`);
    expect(loaded).toEqual([]);
    await page.evaluate(`(async () => {
      for (const [index, type] of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].entries()) {
        const frame = Object.assign(document.createElement('iframe'), { name: 'form' + index });
        document.body.append(frame);
        for (const path of ['api/attach', 'api/run']) {
          const form = Object.assign(document.createElement('form'), { method: 'POST', action: '${url}' + path, enctype: type, target: frame.name });
          form.append(Object.assign(document.createElement('input'), { name: '{"pid":1,"eventName":"BeforeTool","input":{"a":"', value: '"}}' }));
          document.body.append(form);
          await new Promise((resolve) => { frame.onload = resolve; form.submit(); });
        }
      }
      const frame = Object.assign(document.createElement('iframe'), { src: '${url}#token=${token}', name: 'page' });
      await new Promise((resolve) => { frame.onload = resolve; document.body.append(frame); });
    })()`);
    const before = statuses.length;
    await page.evaluate(`
      for (const type of ['text/plain', 'application/json']) {
        navigator.sendBeacon('${url}api/attach', new Blob(['{"pid":1}'], { type }));
        navigator.sendBeacon('${url}api/run', new Blob(['{"eventName":"BeforeTool","input":{}}'], { type }));
      }`);
    await until('the beacons are answered', () => statuses.length >= before + 4);
    for (const frame of page.frames().slice(1)) expect(await frame.content()).not.toMatch(new RegExp(`${secret}|app\\.js|BeforeTool`));
    expect(
      await page.evaluate('Array.from(frames).map((frame) => { try { return frame.document.title; } catch { return "closed"; } })'),
    ).toEqual(['closed', 'closed', 'closed', 'closed']);
    const answer = await fetch(`${url}api/about`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, effects]).toEqual([200, []]);
    expect([...new Set(statuses)].filter((status) => status !== 403)).toEqual([]);
    await context.close();
  });

  testInBrowser('5. a window that a page opens has no opener, and its handle reads nothing', async () => {
    const { page, context, inspector, token, effects } = await visit(sites[site]);
    for (const address of [inspector.url, `${inspector.url}#token=${'x'.repeat(43)}`, `${inspector.url}#token=${token}`]) {
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        page.evaluate(`globalThis.handle = window.open(${JSON.stringify(address)}); 0`),
      ]);
      await opened.locator('#main').waitFor();
      expect(await opened.evaluate('window.opener')).toBeNull();
      const handle = await page.evaluate<[boolean, string]>(`[handle.closed, (() => {
        try { return String(handle.document.body.textContent); } catch { return ''; }
      })()]`);
      expect(handle).toEqual([true, '']);
      // Nothing arrives over the handle.
      await page.evaluate('handle.postMessage("x", "*"); handle.location = "about:blank"; 0');
      expect(await opened.evaluate('location.origin')).toBe(new URL(inspector.url).origin);
      await opened.close();
    }
    expect(effects).toEqual([]);
    await context.close();
  });
});
