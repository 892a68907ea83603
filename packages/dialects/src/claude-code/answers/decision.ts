import { type HookDecision, type HookWarning, verdictOf } from '@tenterhook/protocol';
import { stricter } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { wrongType } from '../../shared/output/fields/printed-fields.js';
import { type ClaudeEvent, factsOf } from '../input/event-table.js';

type Fields = Readonly<Record<string, unknown>>;

export interface AnsweredDecision {
  readonly decision?: HookDecision;
  readonly reason?: string;
  /** True if the hook denied a permission request with `interrupt: true`, which stops the agent. */
  readonly stops?: true;
}

const none: AnsweredDecision = {};

/**
 * Reads the decision from the older field (`decision`) and the newer field (`permissionDecision`). The stricter decision wins
 * (decision 10).
 */
export function readDecision(printed: Fields, specific: Fields, event: ClaudeEvent, warnings: HookWarning[]): AnsweredDecision {
  const reason = getText(printed['reason']);
  const older = { ...readTopDecision(printed['decision'], event, warnings), ...(reason === undefined ? {} : { reason }) };
  const newer = chooseStricter(
    readPermissionDecision(specific, event, warnings),
    event === 'PermissionRequest' ? readRequestDecision(specific['decision'], warnings) : none,
  );
  const kind = stricter(verdictOf(older.decision), verdictOf(newer.decision));
  const [deciding, other] = verdictOf(newer.decision) === kind ? [newer, older] : [older, newer];
  const said = deciding.reason ?? other.reason;
  return { ...deciding, ...(said === undefined ? {} : { reason: said }) };
}

/** Returns the deny or ask of a printed object, from any of its fields for decisions. */
export function findObjection(printed: Fields): 'deny' | 'ask' | undefined {
  const { permissionDecision: said, decision, action } = printed;
  const behavior = isPlainObject(decision) ? decision['behavior'] : undefined;
  if (said === 'deny' || said === 'block' || behavior === 'deny' || behavior === 'block') return 'deny';
  if (action === 'decline' || action === 'cancel') return 'deny';
  return said === 'ask' || said === 'defer' ? 'ask' : undefined;
}

/** A deny or ask in a position where Claude Code does not read it. */
export interface Misplacement {
  /** The prefix of the field's name in messages. */
  readonly path: '' | 'hookSpecificOutput.';
  /** Why Claude Code does not read the field. In a message, this text follows the name of the field. */
  readonly why: string;
  /** What to write instead, as a sentence. */
  readonly remedy?: string;
}

/**
 * Adds the deny or ask in `printed` to `specific`, unless the decision in `specific` is at least as strict. Claude Code does not
 * read `printed` in this position, but Tenterhook obeys it, because a deny must not be lost (decision 68).
 */
export function withMisplacedDecision(
  specific: Fields,
  printed: Fields,
  { path, why, remedy }: Misplacement,
  warnings: HookWarning[],
): Fields {
  const misplaced = findObjection(printed);
  const own = findObjection(specific);
  if (misplaced === undefined || own === 'deny' || own === misplaced) return specific;
  const field = ['permissionDecision', 'decision', 'action'].find((name) => findObjection({ [name]: printed[name] }) === misplaced);
  warnings.push(countedAnyway(misplaced, `${path}${field} ${why}`, remedy));
  const { decision } = printed;
  const message = isPlainObject(decision) ? decision['message'] : undefined;
  return { ...specific, permissionDecision: misplaced, permissionDecisionReason: printed['permissionDecisionReason'] ?? message };
}

function chooseStricter(one: AnsweredDecision, other: AnsweredDecision): AnsweredDecision {
  const kind = stricter(verdictOf(one.decision), verdictOf(other.decision));
  return verdictOf(one.decision) === kind ? one : other;
}

/**
 * Reads the field `decision` at the top level of an answer. `block` denies on events that can be blocked. `approve` allows on
 * PreToolUse only.
 */
function readTopDecision(value: unknown, event: ClaudeEvent, warnings: HookWarning[]): AnsweredDecision {
  switch (value) {
    case undefined:
    case null:
      return none;
    case 'block':
      if (factsOf(event).rejects === undefined || factsOf(event).ignoresBlock)
        warnings.push(countedAnyway('deny', `Claude Code ignores "decision": "block" on ${event}`));
      return { decision: 'deny' };
    case 'approve':
      // Other events have no operation that could be approved.
      return event === 'PreToolUse' ? { decision: 'allow' } : none;
    case 'deny':
    case 'ask':
      // Claude Code does not know this word here: it belongs to another agent, or to `permissionDecision`. Tenterhook obeys it,
      // because a deny must not be lost (decisions 66 and 68).
      warnings.push(
        countedAnyway(value, `"decision" must be "block" or "approve" for Claude Code, and is "${value}"`, remedyForDecision(value, event)),
      );
      return { decision: value };
    default:
      warnings.push(wrongType('decision', value, 'Write "block", in lower case.'));
      return none;
  }
}

function readPermissionDecision(specific: Fields, event: ClaudeEvent, warnings: HookWarning[]): AnsweredDecision {
  const value = specific['permissionDecision'];
  const reason = getText(specific['permissionDecisionReason']);
  const why = reason === undefined ? {} : { reason };
  const isKnown = factsOf(event).fields.includes('permissionDecision');
  switch (value) {
    case undefined:
    case null:
      return none;
    case 'allow':
      if (isKnown) return { decision: 'allow', ...why };
      warnings.push({ code: 'no_effect', message: `permissionDecision "allow" has no effect on ${event}; it was dropped.` });
      return none;
    case 'deny':
    case 'ask':
      if (!isKnown) {
        const remedy = factsOf(event).rejects === undefined ? undefined : remedyForDecision(value, event);
        warnings.push(countedAnyway(value, `Claude Code ignores hookSpecificOutput.permissionDecision on ${event}`, remedy));
      }
      return { decision: value, ...why };
    case 'defer':
      warnings.push({ code: 'deferred', message: '"defer" leaves the decision to the host; it is treated as "ask".' });
      return { decision: 'ask', ...why };
    case 'block':
      warnings.push(countedAnyway('deny', '"permissionDecision" must be "deny" for Claude Code, and is "block"', 'Write "deny".'));
      return { decision: 'deny', ...why };
    default:
      warnings.push(wrongType('hookSpecificOutput.permissionDecision', value, 'Write "deny", "ask" or "allow", in lower case.'));
      return none;
  }
}

/** Reads the answer to a permission request: `{ behavior: "deny", message, interrupt }`. */
function readRequestDecision(value: unknown, warnings: HookWarning[]): AnsweredDecision {
  if (value === undefined || value === null) return none;
  const behavior = isPlainObject(value) ? value['behavior'] : value;
  if (behavior === 'block' || (behavior === 'deny' && !isPlainObject(value))) {
    const remedy = 'Write { "behavior": "deny", "message": "…" }.';
    warnings.push(
      countedAnyway(
        'deny',
        `For Claude Code, hookSpecificOutput.decision must be an object; the hook printed ${JSON.stringify(behavior)}`,
        remedy,
      ),
    );
    return { decision: 'deny' };
  }
  if (!isPlainObject(value) || (behavior !== 'allow' && behavior !== 'deny')) {
    warnings.push(wrongType('hookSpecificOutput.decision', value, 'Write { "behavior": "deny", "message": "…" }.'));
    return none;
  }
  if (behavior === 'allow') return { decision: 'allow' };
  const reason = getText(value['message']);
  return {
    decision: 'deny',
    ...(reason === undefined ? {} : { reason }),
    ...(value['interrupt'] === true ? { stops: true as const } : {}),
  };
}

/**
 * Returns the warning for a deny or ask that Tenterhook obeys but Claude Code ignores. `why` is the reason, without a full stop.
 * `remedy` is a sentence.
 */
export function countedAnyway(decision: 'deny' | 'ask', why: string, remedy?: string): HookWarning {
  const code = decision === 'deny' ? 'deny_counted' : 'ask_counted';
  const message = `${why}; Tenterhook treats it as "${decision}".`;
  return { code, message: remedy === undefined ? message : `${message} ${remedy}` };
}

/** Returns a sentence that says how to write a deny or ask so that Claude Code reads it. Only PreToolUse can ask. */
function remedyForDecision(decision: 'deny' | 'ask', event: ClaudeEvent): string | undefined {
  if (event === 'PreToolUse')
    return `Write { "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "${decision}" } }.`;
  return decision === 'deny' ? 'Write { "decision": "block" }.' : undefined;
}

function getText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
