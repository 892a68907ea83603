import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { describeOption } from '@tenterhook/runtime/text';
import type { MatcherContext } from './matcher-context.js';

const longestName = 100;

/** An assertion that a file was named for. */
interface Place {
  /** The test, or its name if the runner has no identity of a test. */
  readonly owner: object | string;
  readonly nth: number;
}

/** The tests of a run that is in progress, by the object that a runner creates for each run of a test file. */
const runs = new WeakMap<object, NamedFiles>();
/** Runners without such an object run a file once in a process. */
const otherRuns = new Map<string, NamedFiles>();

/**
 * Returns the path of a recording: `file`, relative to the test, or `__recordings__/<test file>/<test>.bus.jsonl` beside the test. Further
 * assertions, and further tests of the same name, get a number. Throws a TypeError if a path is needed and missing.
 */
export function fileOfRecording(file: string | undefined, context: MatcherContext): string {
  const { testPath } = context;
  if (file !== undefined) {
    if (typeof file !== 'string' || file === '') {
      throw new TypeError(`toMatchBusRecording: the file must be a path, and is ${describeOption(file)}.`);
    }
    return isAbsolute(file) || testPath === undefined ? file : join(dirname(testPath), file);
  }
  const name = context.currentConcurrentTestName?.() ?? context.currentTestName;
  if (testPath === undefined || name === undefined) {
    throw new TypeError('toMatchBusRecording: the test runner passes no name of a test. Pass a path as the first argument.');
  }
  const folder = join(dirname(testPath), '__recordings__', basename(testPath));
  const number = filesOf(context, testPath).numberOf(name, context);
  return join(folder, `${fileName(name)}${number === 1 ? '' : `.${number}`}.bus.jsonl`);
}

function filesOf({ snapshotState }: MatcherContext, testPath: string): NamedFiles {
  const known = snapshotState === undefined ? otherRuns.get(testPath) : runs.get(snapshotState);
  if (known !== undefined) return known;
  const files = new NamedFiles();
  if (snapshotState === undefined) otherRuns.set(testPath, files);
  else runs.set(snapshotState, files);
  return files;
}

class NamedFiles {
  readonly #places = new Map<string, Place[]>();
  readonly #attempts = new Map<object | string, { calls: number; lastAssertion: number }>();

  /** The number of an assertion among all of tests with this name. An assertion that is retried keeps its number. */
  numberOf(name: string, context: MatcherContext): number {
    const { assertionCalls = Number.POSITIVE_INFINITY } = context;
    const owner = context.currentTestIdentity?.() ?? context.task ?? name;
    const attempt = this.#attempts.get(owner) ?? { calls: 0, lastAssertion: 0 };
    // The runner counts from the beginning in each attempt.
    const isNewAttempt = typeof owner === 'object' && assertionCalls <= attempt.lastAssertion;
    const nth = isNewAttempt ? 1 : attempt.calls + 1;
    this.#attempts.set(owner, { calls: nth, lastAssertion: assertionCalls });
    const places = this.#places.get(name) ?? [];
    this.#places.set(name, places);
    const index = places.findIndex((place) => place.owner === owner && place.nth === nth);
    return index === -1 ? places.push({ owner, nth }) : index + 1;
  }
}

/** A name that all file systems allow. If characters were lost, a hash keeps it different from that of other names. */
function fileName(test: string): string {
  // vitest joins the names of groups with " > ", and jest with a space.
  const name = test.replaceAll(' > ', ' ');
  const safe = name
    .replace(/[^\p{L}\p{N}_.]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, longestName);
  if (safe === name.replaceAll(' ', '-')) return safe;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return safe === '' ? hash : `${safe}-${hash}`;
}
