import { compileRegex } from '@tenterhook/patterns';
import type { Diagnostic, HookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import type { ToolArguments } from '../../shared/tools/tool-table.js';
import { explainError } from '../lint/matchers.js';
import type { EcaTool } from '../tools.js';

/** A selector is one key of a matcher that is an object. It names tools, and what their arguments must match. */
export interface ToolSelector {
  /**
   * The name of a tool (`github__push`), of one of the host's own tools (`write_file`), or of a server. The name of a server
   * selects all its tools.
   */
  readonly name: string;
  /** All of these arguments must match. */
  readonly args: readonly ArgumentMatcher[];
}

interface ArgumentMatcher {
  readonly name: string;
  readonly patterns: readonly string[];
  /** Compiled regular expressions. One of them must match the whole value. */
  readonly tests: readonly ((text: string) => boolean)[];
}

/** The selectors, or the problem that keeps the hook from running. */
export type ReadSelectors = { readonly selectors: readonly ToolSelector[] } | { readonly problem: Diagnostic };

const argsField = 'argsMatchers';

interface SelectorPlace {
  readonly path: DocumentPath;
  readonly eventName: HookEventName;
  readonly reporter: Reporter;
}

/** Reads a matcher that is an object. Its keys are names of tools or servers, not regular expressions. */
export function readSelectors(written: Readonly<Record<string, unknown>>, place: SelectorPlace): ReadSelectors {
  const { path, eventName, reporter } = place;
  const names = Object.keys(written);
  if (names.length === 0) {
    const remedy = 'Name the tools: { "eca__write_file": {} }. For every tool, remove the matcher.';
    reporter.report('unmatched_matcher', 'warning', path, 'The matcher {} names no tool; the hook never runs.', { remedy, eventName });
  }
  const selectors: ToolSelector[] = [];
  for (const name of names) {
    const read = readSelector(name, written[name], { ...place, path: [...path, name] });
    if ('problem' in read) return read;
    selectors.push(read.selector);
  }
  return { selectors };
}

function readSelector(
  name: string,
  value: unknown,
  place: SelectorPlace,
): { readonly selector: ToolSelector } | { readonly problem: Diagnostic } {
  const { path, eventName, reporter } = place;
  if (/[*.|()[\]\\^$]/.test(name)) {
    const message = `${formatValue(name)} is not a pattern in a matcher that is an object: it selects only a tool or a server of exactly this name.`;
    const remedy =
      'Write the name of a tool (eca__write_file) or of a server (github). For a regular expression, write the matcher as a string.';
    reporter.report('unmatched_matcher', 'warning', path, message, { remedy, eventName });
  }
  if (!isPlainObject(value)) return { problem: refuse(value, 'an object', `Write ${formatValue(name)}: {}.`, place) };
  reportMisspelledKeys(value, [argsField], path, 'a selector', reporter, eventName);
  const { [argsField]: written = {} } = value;
  const inArgs = { ...place, path: [...path, argsField] };
  if (!isPlainObject(written)) return { problem: refuse(written, 'an object', 'Write { "path": [".*\\\\.md"] }.', inArgs) };
  const args: ArgumentMatcher[] = [];
  for (const [argument, patterns] of Object.entries(written)) {
    const at = { ...inArgs, path: [...inArgs.path, argument] };
    if (!Array.isArray(patterns) || !patterns.every((pattern) => typeof pattern === 'string')) {
      const example = typeof patterns === 'string' ? formatValue(patterns) : '".*\\\\.md"';
      return { problem: refuse(patterns, 'an array of strings', `Write ${formatValue(argument)}: [${example}].`, at) };
    }
    const tests: ((text: string) => boolean)[] = [];
    for (const [index, pattern] of patterns.entries()) {
      const compiled = compileArgument(pattern, { ...at, path: [...at.path, index] });
      if ('problem' in compiled) return compiled;
      tests.push(compiled.test);
    }
    args.push({ name: argument, patterns, tests });
  }
  return { selector: { name, args } };
}

function compileArgument(
  pattern: string,
  { path, eventName, reporter }: SelectorPlace,
): { readonly test: (text: string) => boolean } | { readonly problem: Diagnostic } {
  reporter.countPattern(pattern.length, path);
  // `.` also matches a newline. Otherwise a newline in a path or a command would keep a guard from running.
  const onCompiled = (instructions: number) => reporter.countPattern(instructions, path);
  const compiled = compileRegex(pattern, { wholeMatch: true, dotMatchesNewline: true, onCompiled });
  if (compiled.ok) return { test: compiled.test };
  const error = explainError(pattern, compiled.error);
  const message = `The pattern ${formatValue(pattern)} is invalid; the hook does not run. ${error.message}.`;
  return { problem: reporter.report('invalid_matcher', 'error', path, message, { remedy: error.remedy, eventName }) };
}

function refuse(value: unknown, expected: string, remedy: string, { path, eventName, reporter }: SelectorPlace): Diagnostic {
  const message = `${formatValue(String(path.at(-1)))} must be ${expected}, and is ${formatValue(value)}; the hook does not run.`;
  return reporter.report('invalid_matcher', 'error', path, message, { remedy, eventName });
}

/**
 * Returns the selectors as JSON, for messages. Only the fields that this file reads are written, because another value may be
 * nested too deeply for JSON.
 */
export function selectorsText(selectors: readonly ToolSelector[]): string {
  const entries = selectors.map(({ name, args }) => {
    const argsMatchers = Object.fromEntries(args.map(({ name: argument, patterns }) => [argument, patterns]));
    return [name, args.length === 0 ? {} : { [argsField]: argsMatchers }];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/**
 * Tests whether a selector names this tool, by its full name or by its server. A tool of the host may also be named without a
 * server.
 */
export function selectsTool({ name }: ToolSelector, tool: EcaTool): boolean {
  const { candidates, server, isHosts, hostName } = tool;
  if (name === server || (isHosts && (name === tool.name || name === hostName))) return true;
  // If the host does not report the server, the name of the tool contains the server.
  return candidates.some((candidate) => candidate === name || candidate.startsWith(`${name}__`));
}

/**
 * Tests whether the call matches all arguments of the selector. `args` has each argument under the host's key and under ECA's key.
 */
export function fitsArguments(selector: ToolSelector, args: ToolArguments): boolean {
  return selector.args.every(({ name, tests }) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined || value === null) return false;
    const text = textOf(value);
    return text === undefined || tests.some((test) => test(text));
  });
}

/**
 * Returns the value as text, or undefined if the value is nested too deeply for JSON. Such a value counts as a match, so that a
 * guard runs.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return undefined;
  }
}
