import { isPlainObject } from '@tenterhook/runtime/json';
import { suggestName } from '@tenterhook/runtime/text';
import { formatValue, isText } from '../../shared/text.js';
import { type CodexEvent, factsOf } from '../input/event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** The fields that an answer may have on every event. */
export const universalFields = ['continue', 'stopReason', 'suppressOutput', 'systemMessage'];

type Check = readonly [test: (value: unknown) => boolean, expected: string];

const text: Check = [(value) => typeof value === 'string', 'a string'];
const flag: Check = [(value) => typeof value === 'boolean', 'true or false'];
const object: Check = [isPlainObject, 'an object'];

/** What the value of each field must be. A field with `null` counts as missing. */
const types: Readonly<Record<string, Check>> = {
  continue: flag,
  stopReason: text,
  suppressOutput: flag,
  systemMessage: text,
  decision: text,
  reason: text,
  hookSpecificOutput: object,
  hookEventName: text,
  permissionDecision: text,
  permissionDecisionReason: text,
  updatedInput: object,
  additionalContext: text,
};

/** Events on which Codex does not accept `continue: false`, `stopReason` and `suppressOutput`. */
const withoutUniversal: ReadonlySet<CodexEvent> = new Set(['PreToolUse', 'PermissionRequest', 'Interrupt']);

/**
 * Returns why Codex rejects a printed object, as clauses without a full stop. Codex names none of these reasons, and the operation
 * proceeds. Returns an empty list for a valid answer.
 */
export function findViolations(printed: Fields, event: CodexEvent): string[] {
  // Codex does not read the output of these hooks.
  if (event === 'SessionEnd') return [];
  const { top, specific } = factsOf(event);
  const known = [...universalFields, ...top, ...(specific === undefined ? [] : ['hookSpecificOutput'])];
  const given = printed['hookSpecificOutput'];
  const inner = specific !== undefined && isPlainObject(given) ? given : undefined;
  const all = [
    ...unknownKeys(printed, known, '', event),
    ...wrongTypes(printed, known, ''),
    ...(inner === undefined
      ? []
      : [
          ...unknownKeys(inner, ['hookEventName', ...(specific ?? [])], 'hookSpecificOutput.', event),
          ...wrongTypes(inner, ['hookEventName', ...(specific ?? [])], 'hookSpecificOutput.'),
          ...(inner['hookEventName'] === undefined ? ['hookSpecificOutput.hookEventName is missing'] : []),
        ]),
    ...universalProblems(printed, event),
    ...decisionProblems(printed, event),
  ];
  const rest = inner === undefined ? [] : specificProblems(inner, event);
  return [...new Set([...all, ...rest])];
}

function unknownKeys(fields: Fields, known: readonly string[], where: string, event: CodexEvent): string[] {
  const unknown = Object.keys(fields).filter((key) => !known.includes(key));
  if (unknown.length === 0) return [];
  const named = unknown
    .slice(0, 5)
    .map((key) => `${where}${formatValue(key)}`)
    .join(', ');
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  const hint = suggestName(unknown[0]?.slice(0, 64) ?? '', known, '');
  return [`the key ${named}${more} is unknown on ${event}${hint === '' ? '' : ` (${hint.replace(/\.$/, '')})`}`];
}

function wrongTypes(fields: Fields, known: readonly string[], where: string): string[] {
  return known.flatMap((key) => {
    const [value, check] = [fields[key], key === 'decision' && where !== '' ? object : types[key]];
    if (value === undefined || value === null || check === undefined || check[0](value)) return [];
    return [`${where}${key} must be ${check[1]}, and is ${formatValue(value)}`];
  });
}

function universalProblems(printed: Fields, event: CodexEvent): string[] {
  const isStrict = withoutUniversal.has(event);
  return [
    ...(isStrict && printed['continue'] === false ? [`"continue": false is not supported on ${event}`] : []),
    ...(isStrict && isText(printed['stopReason']) ? [`stopReason is not supported on ${event}`] : []),
    ...((isStrict || event === 'PostToolUse') && printed['suppressOutput'] === true ? [`suppressOutput is not supported on ${event}`] : []),
  ];
}

/** Checks the fields `decision` and `reason` at the top level. */
function decisionProblems({ decision, reason, continue: goesOn }: Fields, event: CodexEvent): string[] {
  if (!factsOf(event).top.includes('decision')) return [];
  const hasReason = isText(reason) && reason.trim() !== '';
  switch (decision) {
    case undefined:
    case null:
      if (event === 'PreToolUse' && hasReason) return ['a reason without a decision is not supported'];
      return event === 'PostToolUse' && hasReason && goesOn !== false ? ['a reason without "decision": "block" is not supported'] : [];
    case 'block':
      return hasReason ? [] : ['a block needs a reason'];
    case 'approve':
      return event === 'PreToolUse' ? ['"decision": "approve" is not supported'] : ['"decision" must be "block", and is "approve"'];
    default:
      return [`"decision" must be "block", and is ${formatValue(decision)}`];
  }
}

function specificProblems(inner: Fields, event: CodexEvent): string[] {
  switch (event) {
    case 'PreToolUse':
      return permissionProblems(inner);
    case 'PermissionRequest':
      return isPlainObject(inner['decision']) ? requestProblems(inner['decision']) : [];
    case 'PostToolUse':
      return isGiven(inner['updatedMCPToolOutput']) ? ['updatedMCPToolOutput is not supported'] : [];
    default:
      return [];
  }
}

function permissionProblems({ permissionDecision: decided, permissionDecisionReason: reason, updatedInput }: Fields): string[] {
  const isRewriting = isGiven(updatedInput);
  const rewriting = isRewriting && decided !== 'allow' ? ['updatedInput needs "permissionDecision": "allow"'] : [];
  switch (decided) {
    case undefined:
    case null:
      return [...rewriting, ...(isText(reason) ? ['a permissionDecisionReason without a permissionDecision is not supported'] : [])];
    case 'allow':
      return isRewriting ? [] : ['"permissionDecision": "allow" needs updatedInput'];
    case 'deny':
      return [...rewriting, ...(isText(reason) && reason.trim() !== '' ? [] : ['a deny needs a permissionDecisionReason'])];
    case 'ask':
      return [...rewriting, '"permissionDecision": "ask" is not supported'];
    default:
      return [...rewriting, `permissionDecision must be "deny" or "allow", and is ${formatValue(decided)}`];
  }
}

/** The fields of an answer to a permission request with which Codex denies, because it cannot carry them out. */
export const deniedFields = ['updatedInput', 'updatedPermissions', 'interrupt'];

function requestProblems(decision: Fields): string[] {
  const { behavior, message } = decision;
  const known = ['behavior', 'message', ...deniedFields];
  return [
    ...unknownKeys(decision, known, 'hookSpecificOutput.decision.', 'PermissionRequest'),
    ...(behavior === 'allow' || behavior === 'deny'
      ? []
      : [`decision.behavior must be "allow" or "deny", and is ${formatValue(behavior)}`]),
    ...(message === undefined || message === null || typeof message === 'string' ? [] : ['decision.message must be a string']),
  ];
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
