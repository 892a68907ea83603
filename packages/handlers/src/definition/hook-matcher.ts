import { describeValue } from '@tenterhook/runtime/text';
import { SnakeCaseMatcher } from '../compat/snake-case-definitions.js';
import { InvalidHookError } from './invalid-hook-error.js';

/** The fields of a matcher; all that are given must match (seed 002 "Matchers"). None matches every event of the hook's type. */
export interface MatcherFields {
  /** Name of the tool: exact, case-sensitive. */
  readonly tool?: string | null | undefined;
  /** Glob, tested on the paths in the arguments (decision 43). */
  readonly path_pattern?: string | null | undefined;
  /** Regular expression, searched for in the command of a shell tool, in linear time (decision 45). */
  readonly command_pattern?: string | null | undefined;
  /** Exact. */
  readonly session_id?: string | null | undefined;
}

/** Which events a hook is for. Each `with…` returns a new matcher, so that one can be the base of several. */
export class HookMatcher extends SnakeCaseMatcher<HookMatcher> implements MatcherFields {
  // Declared and not defined: a field without a value is absent, also from the JSON.
  declare readonly tool?: string;
  declare readonly path_pattern?: string;
  declare readonly command_pattern?: string;
  declare readonly session_id?: string;

  constructor(fields: MatcherFields = {}) {
    super();
    // Unknown fields are kept, so that registration can refuse them by name. Defined and not assigned: a `__proto__` of parsed JSON would
    // become the prototype, and leave a matcher without fields, which matches everything.
    for (const [name, value] of Object.entries(fields)) {
      Object.defineProperty(this, name, { value, enumerable: true, writable: true, configurable: true });
    }
  }

  /** A matcher without fields, which matches every event of the type of its hook. */
  static new(): HookMatcher {
    return new HookMatcher();
  }

  /** A matcher of one tool, by its exact name. An empty text throws an InvalidHookError. */
  static tool(name: string): HookMatcher {
    return new HookMatcher({ tool: requireText('tool', name) });
  }

  /** A matcher of paths in the arguments, by a glob. An empty text throws an InvalidHookError. */
  static path(pattern: string): HookMatcher {
    return new HookMatcher({ path_pattern: requireText('path_pattern', pattern) });
  }

  /** A matcher of shell commands, by a regular expression. An empty text throws an InvalidHookError. */
  static command(pattern: string): HookMatcher {
    return new HookMatcher({ command_pattern: requireText('command_pattern', pattern) });
  }

  /** A matcher of one session, by its id. An empty text throws an InvalidHookError. */
  static session(id: string): HookMatcher {
    return new HookMatcher({ session_id: requireText('session_id', id) });
  }

  /** The same matcher, for this tool. An empty text throws an InvalidHookError. */
  override withTool(name: string): HookMatcher {
    return new HookMatcher({ ...this, tool: requireText('tool', name) });
  }

  /** The same matcher, for paths that fit this glob. An empty text throws an InvalidHookError. */
  override withPath(pattern: string): HookMatcher {
    return new HookMatcher({ ...this, path_pattern: requireText('path_pattern', pattern) });
  }

  /** The same matcher, for shell commands in which this regular expression is found. An empty text throws an InvalidHookError. */
  override withCommand(pattern: string): HookMatcher {
    return new HookMatcher({ ...this, command_pattern: requireText('command_pattern', pattern) });
  }

  /** The same matcher, for this session. An empty text throws an InvalidHookError. */
  override withSession(id: string): HookMatcher {
    return new HookMatcher({ ...this, session_id: requireText('session_id', id) });
  }
}

/** An empty value, such as a variable that is not set, would make a matcher that matches everything. */
function requireText(field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidHookError(`matcher.${field}`, `${field} of a matcher must be a non-empty string, not ${describeValue(value)}.`);
}
