import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { transformSync } from '@swc/core';
import { root } from '../support/sources.js';
import { expectEndBy, expectEndByBoth } from './running-hook.js';

test.each([['SIGINT', 130]] as const)('%s ends the event and its hook, and the command with %i; nothing is left', expectEndBy);

test.each([['SIGTERM', 'SIGINT', 143]] as const)(
  '%s, then %s: the command ends with %i and takes a hook with it that does not want to',
  expectEndByBoth,
);

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts a program that never ends by itself, and collects the lines that it prints. */
function neverEnding(afterwards: string) {
  const source = readFileSync(join(root, 'packages/tenterhook/src/cli/interrupt.ts'), 'utf8');
  const program = `${transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }).code}
    const interruption = onInterrupt();
    interruption.signal.addEventListener('abort', () => { console.log('aborted', interruption.status); ${afterwards} });
    setInterval(() => {}, 1000);
    console.log('ready', interruption.status);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.on('close', (status, signal) => resolve({ status, signal })));
  return { child, nextLine: async () => (await lines.next()).value as string, ended };
}

const afterwards: Record<string, string> = { 'while it cleans up': '', 'after the answer, too': 'interruption.forget();' };

test.each(Object.entries(afterwards))('a second signal waits for nothing, %s', async (_, code) => {
  const { child, nextLine, ended } = neverEnding(code);
  expect(await nextLine()).toBe('ready undefined');
  child.kill('SIGINT');
  expect(await nextLine()).toBe('aborted 130');
  child.kill('SIGTERM');
  expect(await ended).toEqual({ status: 130, signal: null });
});
