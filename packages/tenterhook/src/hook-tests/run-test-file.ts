import { isHookEventName } from '@tenterhook/protocol';
import type { OpenHooks } from '../hooks.js';
import { compareResult, type Difference } from './compare-result.js';
import { type CaseWarning, findWarnings } from './hook-problems.js';
import { missingHooks, noteIfNoHookRan } from './no-hook-ran.js';
import type { BrokenTestFile, FileProblem, HookTestFile, LocatedCase } from './read-test-file.js';

/** What one case found. It has passed if there is no difference. */
export interface CaseResult {
  readonly name: string;
  readonly line: number;
  readonly event: string;
  readonly durationMs: number;
  readonly differences: readonly Difference[];
  /** The warnings of its hooks, also if they were expected. */
  readonly warnings: readonly CaseWarning[];
  /** What may explain the result, such as why no hook ran. */
  readonly notes: readonly string[];
}

/** What a file of cases found. `problems` are messages about the file or its settings; if there is one, no case ran. */
export interface TestFileResult {
  readonly file: string;
  readonly problems: readonly string[];
  /** The problems, each with its line apart from its message. */
  readonly problemPlaces: readonly FileProblem[];
  readonly cases: readonly CaseResult[];
}

/** The hooks under test, and how the name and the input of an event are read. */
export interface HooksUnderTest {
  readonly hooks: OpenHooks;
  readEvent(event: string, input: unknown): { readonly eventName: string; readonly complete: unknown };
  /** Returns advice about the name of an event that does not exist, beginning with a blank, or `''`. */
  adviceOn(event: string): string;
}

export interface RunOptions {
  /** Cancels the event in progress; the other cases do not run. */
  readonly signal: AbortSignal;
  /** Tests whether a case runs. */
  isSelected(name: string): boolean;
  /** Called after each case. */
  onCase(file: string, result: CaseResult): void;
}

/** Runs the cases of a file one after the other, because hooks may write the same files. */
export async function runTestFile(
  { file, cases }: HookTestFile,
  tested: HooksUnderTest,
  { signal, isSelected, onCase }: RunOptions,
): Promise<TestFileResult> {
  const results: CaseResult[] = [];
  for (const one of cases.filter(({ name }) => isSelected(name))) {
    if (signal.aborted) break;
    const result = await runCase(one, tested, signal);
    results.push(result);
    onCase(file, result);
  }
  return { file, problems: [], problemPlaces: [], cases: results };
}

/** Returns the result of a file whose cases cannot be run. */
export function unusableFile({ file, problems }: Pick<BrokenTestFile, 'file' | 'problems'>): TestFileResult {
  const lines = problems.map(({ line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`);
  return { file, problems: lines, problemPlaces: problems, cases: [] };
}

async function runCase(one: LocatedCase, { hooks, readEvent, adviceOn }: HooksUnderTest, signal: AbortSignal): Promise<CaseResult> {
  const { name, line, event, input, expect } = one;
  const begin = performance.now();
  const { eventName, complete } = readEvent(event, input);
  const ended = (differences: readonly Difference[], warnings: readonly CaseWarning[] = [], notes: readonly string[] = []) => {
    return { name, line, event, durationMs: performance.now() - begin, differences, warnings, notes };
  };
  if (!isHookEventName(eventName)) {
    const { error } = await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName, input: {} }, { signal });
    const difference = { field: 'response', expected: 'a result', received: error?.code, hint: `${error?.message}${adviceOn(event)}` };
    return { ...ended([difference]), line: one.eventLine };
  }
  if (!hooks.has(eventName)) return ended([missingHooks(hooks, eventName, event)]);
  const payload = { eventName, input: complete as Record<string, unknown> };
  const response = await hooks.bus.request('HOOK_EXECUTION_REQUEST', payload, { signal });
  const { outcomes } = response.output ?? {};
  const warnings = findWarnings(outcomes ?? [], hooks.diagnostics);
  const notes = outcomes === undefined ? [] : noteIfNoHookRan(hooks, eventName, payload.input, outcomes, expect);
  return ended(compareResult(response, expect, { warnings, input: payload.input }), warnings, notes);
}
