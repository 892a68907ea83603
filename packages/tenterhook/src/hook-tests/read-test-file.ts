import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { compileRegex } from '@tenterhook/patterns';
import { describeThrown, describeValue } from '@tenterhook/runtime/text';
import { explainIssues, type Problem, placeOf } from './explain-issues.js';
import { findPlaceProblems, type TestFileHead } from './place-problems.js';
import { type ExpectedText, type HookTestCase, testFileSchema } from './test-case.js';
import { parseYaml } from './yaml-document.js';

/** A case, the line at which it begins, and that of its event. */
export interface LocatedCase extends HookTestCase {
  readonly line: number;
  readonly eventLine: number;
}

/** A file of cases. All paths are absolute. */
export interface HookTestFile {
  readonly file: string;
  readonly settings: readonly string[] | undefined;
  readonly project: string | undefined;
  readonly dialect: string | undefined;
  readonly cases: readonly LocatedCase[];
}

/** Why a file cannot be used. */
export interface FileProblem {
  /** The line, from 1, if the problem is in one. */
  readonly line?: number;
  readonly message: string;
}

export interface BrokenTestFile {
  readonly file: string;
  readonly problems: readonly FileProblem[];
  /** The settings that the file names, as far as they could be read. */
  readonly settings?: readonly string[];
}

/** Returns what to write in place of the name of a format that does not exist. Undefined if it exists. */
export type AdviceOnDialect = (name: string) => string | undefined;

/** A file of cases is written by hand. Reading a much larger one would take all memory. */
const mostBytes = 16 * 2 ** 20;

/** Reads a file of cases. If any part of the file is invalid, none of its cases runs, because a missing case could be the important one. */
export function readTestFile(file: string, adviceOnDialect: AdviceOnDialect): HookTestFile | BrokenTestFile {
  let source: string;
  try {
    // Reading a pipe would wait for a writer, and no signal would end the command meanwhile.
    const stat = statSync(file);
    if (!stat.isFile()) return broken(file, 'The file must be a regular file. Pass the path of a test file.');
    if (stat.size > mostBytes)
      return broken(file, `The file has ${stat.size} bytes, and a test file may have ${mostBytes}. Split it, or pass another file.`);
    const bytes = readFileSync(file);
    // Otherwise a case would have another text than the file.
    if (!isUtf8(bytes)) return broken(file, 'The file is not valid UTF-8. Save it as UTF-8.', lineOfInvalid(bytes));
    source = bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    return broken(file, `The file cannot be read: ${describeThrown(error)}`);
  }
  const document = parseYaml(source);
  if ('problem' in document) return broken(file, `The file is not valid YAML or JSON: ${document.problem}`, document.line);
  const read = testFileSchema.safeParse(document.value);
  const at = (path: string) => resolve(dirname(file), path);
  const problems = read.success
    ? [
        ...findPlaceProblems(document.value as TestFileHead, at, adviceOnDialect),
        ...findProblems(read.data.cases as readonly HookTestCase[]),
      ]
    : explainIssues(read.error.issues, document.value);
  if (!read.success || problems.length > 0) {
    const settings = read.success ? read.data.settings?.map(at) : undefined;
    return {
      file,
      problems: problems.map(({ path, message }) => ({ line: document.lineOf(path), message })),
      ...(settings === undefined ? {} : { settings }),
    };
  }
  const { settings, project, dialect, cases } = read.data;
  const located = (index: number) => ({ line: document.lineOf(['cases', index]), eventLine: document.lineOf(['cases', index, 'event']) });
  return {
    file,
    settings: settings?.map(at),
    project: project === undefined ? undefined : at(project),
    dialect,
    cases: cases.map((one, index) => ({ input: {}, ...one, ...located(index) }) as LocatedCase),
  };
}

function broken(file: string, message: string, line?: number): BrokenTestFile {
  return { file, problems: [{ message, ...(line === undefined ? {} : { line }) }] };
}

/** The first line that is not valid UTF-8. A line break is never a part of another character. */
function lineOfInvalid(bytes: Buffer): number {
  let line = 1;
  let begin = 0;
  for (let end = bytes.indexOf(10); end >= 0 && isUtf8(bytes.subarray(begin, end)); end = bytes.indexOf(10, begin)) {
    line += 1;
    begin = end + 1;
  }
  return line;
}

/** Checks what the schema cannot: patterns, and names that occur twice. */
function findProblems(cases: readonly HookTestCase[]): Problem[] {
  const names = new Set<string>();
  return cases.flatMap(({ name, expect }, index) => {
    const problems = (['reason', 'context'] as const).flatMap((field) => checkPattern(expect[field], ['cases', index, 'expect', field]));
    if (names.has(name))
      problems.push({ path: ['cases', index, 'name'], message: `Two cases have the name ${describeValue(name)}. Rename one.` });
    names.add(name);
    return problems;
  });
}

function checkPattern(text: ExpectedText | undefined, path: readonly PropertyKey[]): Problem[] {
  if (typeof text !== 'object' || !('matches' in text)) return [];
  const compiled = compileRegex(text.matches);
  if (compiled.ok) return [];
  const { message, remedy } = compiled.error;
  return [{ path: [...path, 'matches'], message: `${placeOf(path)}.matches is not a valid regular expression: ${message}. ${remedy}` }];
}
