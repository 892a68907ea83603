import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { transportConformance } from '../../src/index.js';

const maxMessageBytes = 8 * 1024 * 1024;

/** In one process: what is between the ends is a real socket all the same. Real processes are in the tests of the transport. */
async function open() {
  const directory = mkdtempSync(join(tmpdir(), 'th-conformance-'));
  const options = { path: join(directory, 'bus'), maxMessageBytes };
  const hub = await listenOnSocket(options);
  const ends = [hub, await connectToSocket(options), await connectToSocket(options)];
  return {
    ends,
    close: async () => {
      await Promise.all(ends.map((end) => end.close()));
      rmSync(directory, { recursive: true });
    },
  };
}

for (const { title, run } of transportConformance(open, { crossProcess: true, maxMessageBytes })) test(title, run);
