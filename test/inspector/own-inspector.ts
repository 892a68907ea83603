import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Inspector } from '@tenterhook/inspector';
import { root } from '../support/sources.js';

/** An inspector in a process of its own, as the command starts it. In the process of a test it waits for what drives the browser. */
export interface OwnInspector extends Pick<Inspector, 'url' | 'privateUrl'> {
  end(): Promise<void>;
}

/** Starts an inspector of the agent whose bus is at this socket. */
export async function startOwnInspector(socket: string): Promise<OwnInspector> {
  const child = fork(join(root, 'test/inspector/fixtures/own-inspector.mjs'), [socket], { execArgv: [] });
  const [addresses] = (await once(child, 'message')) as [Pick<Inspector, 'url' | 'privateUrl'>];
  return {
    ...addresses,
    end: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
