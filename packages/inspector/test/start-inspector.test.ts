import { join } from 'node:path';
import { startInspector } from '../src/start-inspector.js';
import { eventLines, inDirectory, openInspector, writeRecording } from './inspector-rig.js';

test.each<[options: object, message: string]>([
  [{}, 'pass either "recordings", a list of paths, or "agent"'],
  [{ recordings: [] }, 'pass either "recordings"'],
  [{ recordings: ['a'], agent: { socket: 'b' } }, 'pass either "recordings"'],
  [{ recordings: ['a'], port: 1.5 }, '"port" must be a whole number from 1 to 65535, and is 1.5'],
  [{ recordings: ['a'], port: 65_536 }, '"port" must be a whole number from 1 to 65535, and is 65536'],
  [{ recordings: ['a'], port: '8080' }, '"port" must be a whole number from 1 to 65535, and is "8080"'],
  [{ recording: ['a'] }, 'startInspector has no option "recording". Did you mean "recordings"?'],
  [{ recordings: 'a.bus.jsonl' }, '"recordings" must be an array of paths, and is "a.bus.jsonl"'],
  [{ recordings: ['a', ''] }, '"recordings" must be an array of paths'],
  // Null is not the default, and would show secrets.
  [{ recordings: ['a'], mask: null }, '"mask" must be true or false, and is null'],
  [{ recordings: ['a'], mask: 0 }, '"mask" must be true or false, and is 0'],
  [{ recordings: ['a'], masks: false }, 'startInspector has no option "masks". Did you mean "mask"?'],
  [{ recordings: ['a'], maxEvents: '100' }, '"maxEvents" must be a whole number from 1, and is "100"'],
  [{ recordings: ['a'], maxEvents: 0 }, '"maxEvents" must be a whole number from 1, and is 0'],
  [{ recordings: ['a'], findAgents: [] }, '"findAgents" must be a function, and is an array'],
  [{ recordings: ['a'], runFiles: () => {} }, '"runFiles" needs "askFiles"'],
  [{ recordings: ['a'], ['__proto__x']: 1 }, 'startInspector has no option "__proto__x"'],
  [{ agent: 'socket' }, '"agent" must be an object such as { socket: path }, and is "socket"'],
  [{ agent: {} }, '"agent.socket" must be the path of a socket, and is missing'],
  [{ agent: { socket: 's', timeoutMs: '1' } }, '"agent.timeoutMs" must be a number of milliseconds above 0, and is "1"'],
  [{ agent: { socket: 's', path: 'x' } }, 'startInspector has no option "agent.path"'],
  [null as never, 'The options of startInspector must be an object, and are null'],
  ['run.bus.jsonl' as never, 'The options of startInspector must be an object, and are "run.bus.jsonl"'],
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
