import { relative } from 'node:path';
import { describeValue, inShell } from '@tenterhook/runtime/text';
import type { MatcherContext } from './matcher-context.js';

/** `all` writes each recording, `new` writes missing ones, `none` writes nothing. The names are those of jest and vitest. */
export type UpdateMode = 'all' | 'new' | 'none';

const variable = 'TENTERHOOK_RECORDINGS';

/** Returns the mode of the runner, or that of the environment. Throws a TypeError if the variable has an unknown value. */
export function updateModeOf({ snapshotState }: MatcherContext): UpdateMode {
  const { _updateSnapshot: mode } = (snapshotState ?? {}) as { readonly _updateSnapshot?: unknown };
  if (isMode(mode)) return mode;
  const value = process.env[variable];
  if (value === undefined || value === '') return isCi() ? 'none' : 'new';
  if (isMode(value)) return value;
  throw new TypeError(`The environment variable ${variable} must be all, new or none, and is ${describeValue(value)}.`);
}

/** A line for a shell that writes the recordings of a test. */
export function writeCommand(context: MatcherContext, directory: string = process.cwd()): string {
  const { testPath } = context;
  const path = testPath === undefined ? '' : ` ${inShell(relative(directory, testPath))}`;
  const name = context.currentConcurrentTestName?.() ?? context.currentTestName;
  // Both runners read the name as a regular expression, of a name whose groups are joined with a space.
  const pattern = name?.replaceAll(' > ', ' ').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const test = pattern === undefined ? '' : ` -t ${inShell(pattern)}`;
  if (process.env['VITEST'] !== undefined) return `npx vitest run${path}${test} -u`;
  if (process.env['JEST_WORKER_ID'] !== undefined) return `npx jest${path}${test} -u`;
  return `${variable}=all, and run the test again`;
}

function isMode(value: unknown): value is UpdateMode {
  return value === 'all' || value === 'new' || value === 'none';
}

function isCi(): boolean {
  const { CI } = process.env;
  return CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0';
}
