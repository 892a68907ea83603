import { type Compiled, compilePathGlob, compileRegex, ignoresCase, pathVariants } from '@tenterhook/patterns';
import type { UntypedHandlerEvent } from '../definition/hook-event.js';
import { type HookEventType, isAboutTool } from '../definition/hook-event-type.js';
import type { MatcherFields } from '../definition/hook-matcher.js';
import { InvalidHookError } from '../definition/invalid-hook-error.js';
import type { MatcherSettings } from './matcher-settings.js';

/** The fields of an event that a matcher tests. */
export interface MatchSubject {
  /** The name of the tool. Undefined if the event is not about a tool. */
  readonly tool: string | undefined;
  readonly args: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
  /**
   * The working directory, or `''` if it is unknown. Without a working directory, relative patterns are compared with the path as
   * given.
   */
  readonly workingDirectory: string;
}

/** Browsers have no global `process`. */
const isCaseIgnoredHere = ignoresCase(globalThis.process?.platform ?? '');

const noArgs = Object.freeze({});

export function toMatchSubject({ event_type, payload }: UntypedHandlerEvent): MatchSubject {
  return {
    tool: isAboutTool(event_type) && typeof payload.tool === 'string' ? payload.tool : undefined,
    args: typeof payload.args === 'object' && payload.args !== null ? payload.args : noArgs,
    sessionId: typeof payload.session_id === 'string' ? payload.session_id : '',
    workingDirectory: typeof payload.working_directory === 'string' ? payload.working_directory : '',
  };
}

/** Why a matcher does not match. `isByArgs` is true if the call could match with other arguments. */
export interface Mismatch {
  readonly reason: string;
  readonly isByArgs: boolean;
}

export interface CompiledMatcher {
  /** Returns undefined if the matcher matches. */
  mismatch(subject: MatchSubject): Mismatch | undefined;
  /** Describes a match, for `explain`. */
  readonly matched: string;
  /** Why the matcher can never match an event of this type. */
  readonly impossible?: string;
}

type Test = (subject: MatchSubject) => Mismatch | undefined;

/**
 * Compiles a matcher for the linear-time engine. An event must match all fields that are present (seed 002 "Combined Matchers"). Path and
 * command patterns match only events about a tool. Throws an InvalidHookError for an invalid pattern.
 */
export function compileMatcher(
  hookId: string,
  eventType: HookEventType,
  matcher: MatcherFields | undefined,
  settings: MatcherSettings,
): CompiledMatcher {
  const { tool, path_pattern, command_pattern, session_id } = withoutNulls(matcher ?? {});
  const tests: Test[] = [];
  if (tool !== undefined)
    tests.push(({ tool: name }) => (name === tool ? undefined : createMismatch(`the tool is ${quoted(name)}, not "${tool}"`)));
  if (session_id !== undefined) {
    tests.push(({ sessionId }) =>
      sessionId === session_id ? undefined : createMismatch(`the session is "${sessionId}", not "${session_id}"`),
    );
  }
  if (command_pattern !== undefined) tests.push(commandTest(hookId, command_pattern, settings));
  if (path_pattern !== undefined) tests.push(pathTest(hookId, path_pattern, settings));

  const asksForTool = tool !== undefined || path_pattern !== undefined || command_pattern !== undefined;
  const impossible =
    asksForTool && !isAboutTool(eventType) ? `its matcher needs a tool, and ${eventType} has none: it never runs` : undefined;
  return {
    matched: tests.length === 0 ? 'it has no matcher' : 'its matcher matches',
    ...(impossible === undefined ? {} : { impossible }),
    mismatch(subject) {
      if (impossible !== undefined) return createMismatch(impossible);
      for (const test of tests) {
        const mismatch = test(subject);
        if (mismatch !== undefined) return mismatch;
      }
      return undefined;
    },
  };
}

function commandTest(hookId: string, pattern: string, { shellTools }: MatcherSettings): Test {
  const { test } = requirePattern(hookId, 'matcher.command_pattern', compileRegex(pattern, { dotMatchesNewline: true }));
  return (subject) => {
    const { tool } = subject;
    if (tool === undefined || !shellTools.has(tool)) {
      return createMismatch(`${quoted(tool)} is not a shell tool (shellTools: ${[...shellTools].join(', ')})`);
    }
    const { command } = subject.args;
    // A command may also be a list of words.
    const text = Array.isArray(command) ? command.join(' ') : command;
    if (typeof text === 'string' && test(text)) return undefined;
    return { reason: `the command does not match ${JSON.stringify(pattern)}`, isByArgs: true };
  };
}

function pathTest(hookId: string, pattern: string, { pathsIn, pathFields, ignoreCase = isCaseIgnoredHere }: MatcherSettings): Test {
  const { test } = requirePattern(hookId, 'matcher.path_pattern', compilePathGlob(pattern, { ignoreCase }));
  return ({ tool, args, workingDirectory }) => {
    if (tool === undefined) return createMismatch('the event is not about a tool');
    const paths = pathsIn(args);
    // `undefined` means that the call has too many paths to read all. An unread path may match, so the pattern counts as matching.
    if (paths === undefined || paths.some((path) => pathVariants(path, workingDirectory, { ignoreCase }).some(test))) return undefined;
    const reason =
      paths.length === 0
        ? `the arguments have no path (pathFields: ${pathFields.join(', ')})`
        : `no path matches ${JSON.stringify(pattern)}`;
    return { reason, isByArgs: true };
  };
}

function withoutNulls(matcher: MatcherFields): { readonly [Field in keyof MatcherFields]?: string } {
  return Object.fromEntries(Object.entries(matcher).filter(([, value]) => typeof value === 'string'));
}

/** Throws for an invalid pattern when the hook is registered (decision 45). Later, the guard would match nothing or too much. */
function requirePattern(hookId: string, path: string, result: Compiled): Extract<Compiled, { ok: true }> {
  if (result.ok) return result;
  throw new InvalidHookError(path, `Hook "${hookId}" cannot be registered: its ${path} ${result.error.message}. ${result.error.remedy}`);
}

function createMismatch(reason: string): Mismatch {
  return { reason, isByArgs: false };
}

function quoted(tool: string | undefined): string {
  return tool === undefined ? 'none' : `"${tool}"`;
}
