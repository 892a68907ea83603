import { describeValue } from '@tenterhook/runtime/text';
import { SnakeCaseMatcher } from '../compat/snake-case-definitions.js';
import { InvalidHookError } from './invalid-hook-error.js';

/**
 * The fields of a matcher (seed 002 "Matchers"). An event must match every field that is present. A matcher without fields matches
 * every event of the hook's type.
 */
export interface MatcherFields {
  /** The exact name of a tool. Case matters. */
  readonly tool?: string | null | undefined;
  /** A glob for the paths in a tool's arguments (decision 43). */
  readonly path_pattern?: string | null | undefined;
  /** A regular expression that is searched for in the command of a shell tool, in linear time (decision 45). */
  readonly command_pattern?: string | null | undefined;
  /** The exact id of a session. */
  readonly session_id?: string | null | undefined;
}

/** Selects the events of a hook. Each `with…` method returns a new matcher, so that one matcher can be the base of several. */
export class HookMatcher extends SnakeCaseMatcher<HookMatcher> implements MatcherFields {
  // Declared without a value, so that a field that was not passed is missing, also in the JSON.
  declare readonly tool?: string;
  declare readonly path_pattern?: string;
  declare readonly command_pattern?: string;
  declare readonly session_id?: string;

  constructor(fields: MatcherFields = {}) {
    super();
    // Unknown fields are kept, so that the registration can name them in its error. Assigning the fields was rejected: a field
    // called `__proto__` would set the prototype, and the matcher would match everything.
    for (const [name, value] of Object.entries(fields)) {
      Object.defineProperty(this, name, { value, enumerable: true, writable: true, configurable: true });
    }
  }

  /** Returns a matcher without fields, which matches every event of the hook's type. */
  static new(): HookMatcher {
    return new HookMatcher();
  }

  /** Returns a matcher for one tool, by its exact name. Throws an InvalidHookError for an empty text. */
  static tool(name: string): HookMatcher {
    return new HookMatcher({ tool: requireText('tool', name) });
  }

  /** Returns a matcher for paths in the arguments, by a glob. Throws an InvalidHookError for an empty text. */
  static path(pattern: string): HookMatcher {
    return new HookMatcher({ path_pattern: requireText('path_pattern', pattern) });
  }

  /** Returns a matcher for shell commands, by a regular expression. Throws an InvalidHookError for an empty text. */
  static command(pattern: string): HookMatcher {
    return new HookMatcher({ command_pattern: requireText('command_pattern', pattern) });
  }

  /** Returns a matcher for one session, by its id. Throws an InvalidHookError for an empty text. */
  static session(id: string): HookMatcher {
    return new HookMatcher({ session_id: requireText('session_id', id) });
  }

  /** Returns the same matcher for this tool only. Throws an InvalidHookError for an empty text. */
  override withTool(name: string): HookMatcher {
    return new HookMatcher({ ...this, tool: requireText('tool', name) });
  }

  /** Returns the same matcher for paths that match this glob. Throws an InvalidHookError for an empty text. */
  override withPath(pattern: string): HookMatcher {
    return new HookMatcher({ ...this, path_pattern: requireText('path_pattern', pattern) });
  }

  /**
   * Returns the same matcher for shell commands in which this regular expression is found. Throws an InvalidHookError for an empty text.
   */
  override withCommand(pattern: string): HookMatcher {
    return new HookMatcher({ ...this, command_pattern: requireText('command_pattern', pattern) });
  }

  /** Returns the same matcher for this session only. Throws an InvalidHookError for an empty text. */
  override withSession(id: string): HookMatcher {
    return new HookMatcher({ ...this, session_id: requireText('session_id', id) });
  }
}

/** A matcher with an empty value would match everything. The value may come from an unset variable, so it is an error. */
function requireText(field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidHookError(`matcher.${field}`, `${field} of a matcher must be a non-empty string, and is ${describeValue(value)}.`);
}
