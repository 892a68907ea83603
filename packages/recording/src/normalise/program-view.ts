import { isPlainObject } from '@tenterhook/runtime/json';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields of an outcome that say where the hook is and how it was started. A hook that moves in its file behaves as before, and so may an
 * engine of another version.
 */
const placeFields = ['route', 'line', 'file', 'command', 'engine', 'stdin'];

/**
 * Returns the part of a response that programs read: verdict, deciders, statuses, codes, changes and outputs. What people read is left out
 * unless `texts` is set: messages, stderr, and a stdout that was parsed. The stderr of a crash names the version of Node, so a recording
 * would differ with each release.
 */
export function programView(payload: unknown, texts: boolean): unknown {
  if (!isPlainObject(payload)) return payload;
  const { correlationId: _id, output, error, ...others } = payload;
  return {
    ...others,
    ...(output === undefined ? {} : { output: viewResult(output, texts) }),
    ...(error === undefined ? {} : { error: viewError(error, texts) }),
  };
}

function viewResult(output: unknown, texts: boolean): unknown {
  if (!isPlainObject(output)) return output;
  const { outcomes, errors } = output;
  return {
    ...output,
    ...(Array.isArray(outcomes) ? { outcomes: outcomes.map((outcome) => viewOutcome(outcome, texts)) } : {}),
    ...(Array.isArray(errors) ? { errors: errors.map((error) => withoutMessage(error, texts)) } : {}),
  };
}

/** Returns the part of an outcome that is compared. */
export function viewOutcome(outcome: unknown, texts: boolean): unknown {
  if (!isPlainObject(outcome)) return outcome;
  const { warnings, ...others } = without(outcome, placeFields);
  const isSilent = others['stdout'] === '' || others['output'] !== undefined;
  const shown = texts ? others : without(others, ['stderr', 'stderrBytes', 'stdoutBytes', ...(isSilent ? ['stdout'] : [])]);
  return Array.isArray(warnings) ? { ...shown, warnings: warnings.map((warning) => withoutMessage(warning, texts)) } : shown;
}

function viewError(error: unknown, texts: boolean): unknown {
  if (!isPlainObject(error)) return error;
  const { details, ...others } = error;
  if (!isPlainObject(details)) return withoutMessage(error, texts);
  const { outcomes, issues } = details;
  const viewed = {
    ...details,
    ...(Array.isArray(outcomes) ? { outcomes: outcomes.map((outcome) => viewOutcome(outcome, texts)) } : {}),
    ...(Array.isArray(issues) ? { issues: issues.map((issue) => withoutMessage(issue, texts)) } : {}),
  };
  return { ...(withoutMessage(others, texts) as Fields), details: viewed };
}

function withoutMessage(value: unknown, texts: boolean): unknown {
  return texts || !isPlainObject(value) ? value : without(value, ['message']);
}

function without(value: Fields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
