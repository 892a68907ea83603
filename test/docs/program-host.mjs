/**
 * Runs programs of the pages, one after another, in one process, so that the library is loaded only once. A message names the file of a
 * program and its folder; the answer is what the program printed. A program has ended when only resources are open that were open before
 * it. A program that leaves something open would never end by itself, which is an error.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const patienceMs = 60_000;
const failures = [];
process.on('unhandledRejection', (error) => failures.push(error));
process.on('uncaughtException', (error) => failures.push(error));

process.on('message', async ({ file, folder }) => {
  const printed = { stdout: '', stderr: '' };
  const writes = Object.keys(printed).map((name) => ({ stream: process[name], write: process[name].write, name }));
  for (const { stream, name } of writes) {
    stream.write = (chunk, ...rest) => {
      printed[name] += chunk;
      rest.find((argument) => typeof argument === 'function')?.();
      return true;
    };
  }
  process.chdir(folder);
  Object.assign(process.env, { HOME: folder, USERPROFILE: folder });
  const before = openResources();
  let error;
  try {
    await import(pathToFileURL(file).href);
    await untilEnded(before);
    if (failures.length > 0) throw failures.splice(0)[0];
  } catch (thrown) {
    error = String(thrown?.stack ?? thrown);
  }
  for (const { stream, write } of writes) stream.write = write;
  process.chdir('/');
  process.send({ ...printed, error });
});

/** The resources that keep the process running, by kind. */
function openResources() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

async function untilEnded(before) {
  const deadline = performance.now() + patienceMs;
  const isOpen = ([kind, count]) => count > (before.get(kind) ?? 0);
  for (;;) {
    const open = [...openResources()].filter(isOpen);
    if (open.length === 0) return;
    if (performance.now() > deadline) throw new Error(`The program does not end: ${JSON.stringify(open)} is open.`);
    await wait(2);
  }
}
