import { existsSync, readdirSync } from 'node:fs';
import { openRig, type Rig } from '../process-rig.js';
import { type NodeRun, openRealNode, type RealNode } from '../real-node.js';

/** An agent with jobs, in a Node of its own, and the place where the jobs run. Both are there while the tests of a file run. */
export function useAgent() {
  let node: RealNode;
  let rig: Rig;
  let earlier: ReadonlySet<string> = new Set();
  beforeAll(() => {
    node = openRealNode();
    rig = openRig();
  });
  afterAll(async () => {
    node.close();
    await rig.close();
  });
  return {
    /** Runs the source with what `prelude` declares. */
    run(source: string): Promise<NodeRun> {
      earlier = new Set(privateDirectories());
      return node.run(`${prelude(rig.place)}${source}`);
    },
    /** Private directories that a process with this pid created since the last run began. A killed process may have left one with the same pid. */
    directoriesOf: (pid: string): string[] =>
      privateDirectories().filter((name) => name.startsWith(`tenterhook-${pid}-`) && !earlier.has(name)),
    pid: (name: string): Promise<number> => rig.pid(name),
    path: (name: string): string => rig.path(name),
  };
}

const prelude = (place: string): string => `
  import { existsSync, readFileSync, readdirSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  import { createSpawner } from 'spawner';
  const cwd = ${JSON.stringify(place)};
  const job = (text, options) => ({ command: { kind: 'shell', text }, cwd, env: { PATH: process.env.PATH }, stdin: '', timeoutMs: 20000, ...options });
  const timedOutWhenReady = { onFirstLine: ({ replaceTimeout }) => replaceTimeout(1) };
  const until = async (condition) => { while (!condition()) await pause(5); };
  const exists = (name) => existsSync(cwd + '/' + name);
  // The shell creates a file before it writes the number, and may be killed between the two.
  const hasLine = (name) => exists(name) && readFileSync(cwd + '/' + name, 'utf8').includes('\\n');
  const named = () => ['/dev/shm', '/tmp'].flatMap((base) => existsSync(base) ? readdirSync(base).filter((name) => name.startsWith('tenterhook-' + process.pid + '-')) : []);
  const earlier = named();
  const ours = () => named().filter((name) => !earlier.includes(name));
`;

/** A job with a child in its group, one that ignores SIGTERM, and one that has left the group; all three write their numbers. */
export const family = `trap '' TERM; sh -c 'echo $$ > child; exec sleep 600' & setsid sh -c 'echo $$ > stray; exec sleep 600' & echo $$ > leader; wait`;

function privateDirectories(): string[] {
  return ['/dev/shm', '/tmp']
    .filter((path) => existsSync(path))
    .flatMap((base) => readdirSync(base).filter((name) => name.startsWith('tenterhook-')));
}
