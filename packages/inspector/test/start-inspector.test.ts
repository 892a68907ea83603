import { join } from 'node:path';
import { startInspector } from '../src/start-inspector.js';
import { eventLines, inDirectory, openInspector, writeRecording } from './inspector-rig.js';

test.each<[options: object, message: string]>([
  [{}, 'pass either "recordings", a list of paths, or "agent"'],
  [{ recordings: [] }, 'pass either "recordings"'],
  [{ recordings: ['a'], agent: { socket: 'b' } }, 'pass either "recordings"'],
  [{ recordings: ['a'], port: 1.5 }, 'port must be a whole number from 1 to 65535, and is 1.5'],
  [{ recordings: ['a'], port: 65_536 }, 'port must be a whole number from 1 to 65535, and is 65536'],
])('wrong options are a TypeError: %j', async (options, message) => {
  await expect(startInspector(options)).rejects.toThrow(message);
  await expect(startInspector(options)).rejects.toBeInstanceOf(TypeError);
});

test('a port that is taken is an error with a remedy, and nothing is left open', async () => {
  await inDirectory(async (directory) => {
    const file = writeRecording(join(directory, 'run.bus.jsonl'), eventLines(0));
    const first = await openInspector({ recordings: [file] });
    await expect(startInspector({ recordings: [file], port: first.port })).rejects.toMatchObject({
      code: 'port_in_use',
      message: `Port ${first.port} of 127.0.0.1 cannot be used (EADDRINUSE). Pass another port, or none: the system then chooses one.`,
    });
    await first.close();
    const second = await openInspector({ recordings: [file], port: first.port });
    expect(second.url).toBe(first.url);
    // Each start has a token of its own.
    expect(second.token).not.toBe(first.token);
    await second.close();
  });
});

test('the token is used when a page has shown it, and not by a request without it', async () => {
  await inDirectory(async (directory) => {
    const file = writeRecording(join(directory, 'run.bus.jsonl'), eventLines(0));
    const inspector = await openInspector({ recordings: [file] });
    let isUsed = false;
    void inspector.used.then(() => {
      isUsed = true;
    });
    await fetch(inspector.url);
    await fetch(new URL('/api/about', inspector.url));
    expect(isUsed).toBe(false);
    await inspector.json('/api/about');
    await inspector.used;
    await inspector.close();
  });
});
