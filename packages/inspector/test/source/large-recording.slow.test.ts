import { spawn } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventLines, header, inDirectory } from '../inspector-rig.js';

const fixture = join(import.meta.dirname, '../fixtures/serve-recording.mjs');
const mostMegabytes = 400;

/** Serves a file in another process, and calls a function with its address and with one that asks for its memory. */
async function serving<Result>(file: string, use: (url: string, memory: () => Promise<number>) => Promise<Result>): Promise<Result> {
  const child = spawn(process.execPath, [fixture, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  try {
    return await use(await next(), async () => {
      child.stdin.write('\n');
      return Number(await next());
    });
  } finally {
    child.stdin.end();
    await new Promise((resolve) => child.once('close', resolve));
  }
}

/** Returns the number of bytes of an answer. The bytes are dropped, because this process has no use for them. */
async function bytesOf(privateUrl: string, path: string, end: string): Promise<number> {
  const { origin, hash } = new URL(privateUrl);
  const response = await fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${hash.replace('#token=', '')}` } });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let bytes = 0;
  let tail = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.length;
    tail = `${tail}${Buffer.from(read.value).toString('latin1')}`.slice(-1_000);
    if (end !== '' && tail.includes(end)) break;
  }
  await reader.cancel();
  return bytes;
}

test('11. a recording of a million lines is opened, listed and read within 400 MB', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'many.bus.jsonl');
    const descriptor = openSync(file, 'w');
    writeSync(descriptor, `${JSON.stringify(header)}\n`);
    const [one = '', two = ''] = [eventLines(0), eventLines(1)].map((lines) => lines.map((line) => `${line}\n`).join(''));
    const ofEvent = (index: number) => (index % 2 === 0 ? one : two).replaceAll(/id-[01]/g, `id-${index}`);
    for (let block = 0; block < 200; block += 1) {
      writeSync(descriptor, Array.from({ length: 1_000 }, (_, index) => ofEvent(block * 1_000 + index)).join(''));
    }
    closeSync(descriptor);
    await serving(file, async (url, memory) => {
      expect(url).toMatch(/^http:/);
      expect(await bytesOf(url, '/api/stream', '"kind":"stats","total":200000,"forgotten":100000')).toBeGreaterThan(20_000_000);
      expect(await bytesOf(url, '/api/events/150000', '')).toBeGreaterThan(500);
      expect(await bytesOf(url, '/api/statistics', '')).toBeGreaterThan(100);
      expect(await memory()).toBeLessThan(mostMegabytes);
    });
  });
}, 300_000);

test('11. a line of half a gigabyte is left out, and a file of more than a gigabyte is refused', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'long.bus.jsonl');
    const write = (bytes: number, lines: string[]) => {
      const descriptor = openSync(file, 'w');
      const start = Buffer.byteLength(`${JSON.stringify(header)}\n`);
      writeSync(descriptor, `${JSON.stringify(header)}\n`);
      // A hole: the file has this length, and takes no space on the disk.
      ftruncateSync(descriptor, start + bytes);
      writeSync(descriptor, `\n${lines.join('\n')}\n`, start + bytes);
      closeSync(descriptor);
    };
    write(512 * 1024 * 1024, eventLines(0));
    await serving(file, async (url, memory) => {
      expect(await bytesOf(url, '/api/stream', '"kind":"stats","total":1,')).toBeGreaterThan(100);
      expect(await bytesOf(url, '/api/about', 'has more than 8388608 bytes and is ignored')).toBeGreaterThan(100);
      expect(await memory()).toBeLessThan(mostMegabytes);
    });
    write(1024 * 1024 * 1024 + 1, []);
    expect(await serving(file, async (printed) => printed)).toMatch(/^too_large: .*more than 1073741824 bytes/);
  });
}, 300_000);
