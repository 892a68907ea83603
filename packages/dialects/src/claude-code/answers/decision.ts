import { type HookDecision, type HookWarning, stricter, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { wrongType } from '../../shared/output/printed-fields.js';
import { type ClaudeEvent, factsOf } from '../input/event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** What an answer decides. */
export interface AnsweredDecision {
  readonly decision?: HookDecision;
  readonly reason?: string;
  /** Who asked for a permission is to be stopped altogether. */
  readonly stops?: true;
}

const none: AnsweredDecision = {};

/** The older field and the newer one; of the two the stricter counts (decision 10). */
export function answeredDecision(printed: Fields, specific: Fields, event: ClaudeEvent, warnings: HookWarning[]): AnsweredDecision {
  const reason = textOf(printed['reason']);
  const older = { ...olderDecision(printed['decision'], event, warnings), ...(reason === undefined ? {} : { reason }) };
  const newer = stricterOf(
    permissionDecision(specific, event, warnings),
    event === 'PermissionRequest' ? requestDecision(specific['decision'], warnings) : none,
  );
  const kind = stricter(verdictOf(older.decision), verdictOf(newer.decision));
  const [deciding, other] = verdictOf(newer.decision) === kind ? [newer, older] : [older, newer];
  const said = deciding.reason ?? other.reason;
  return { ...deciding, ...(said === undefined ? {} : { reason: said }) };
}

function stricterOf(one: AnsweredDecision, other: AnsweredDecision): AnsweredDecision {
  const kind = stricter(verdictOf(one.decision), verdictOf(other.decision));
  return verdictOf(one.decision) === kind ? one : other;
}

/** `decision` at the top level: `block` wherever something can be blocked, `approve` before a tool. */
function olderDecision(value: unknown, event: ClaudeEvent, warnings: HookWarning[]): AnsweredDecision {
  switch (value) {
    case undefined:
    case null:
      return none;
    case 'block':
      if (factsOf(event).rejects === undefined || factsOf(event).ignoresBlock)
        warnings.push(counted('deny', `Claude Code takes no "block" on ${event}`));
      return { decision: 'deny' };
    case 'approve':
      // Elsewhere nothing waits to be approved, and nothing is lost.
      return event === 'PreToolUse' ? { decision: 'allow' } : none;
    case 'deny':
    case 'ask':
      // Words of other agents, and of the newer field: an objection is never lost (decisions 66 and 68).
      warnings.push(counted(value, `Claude Code reads "block" and "approve" in "decision", and not "${value}"`));
      return { decision: value };
    default:
      warnings.push(wrongType('decision', value, 'Write "block", in small letters.'));
      return none;
  }
}

function permissionDecision(specific: Fields, event: ClaudeEvent, warnings: HookWarning[]): AnsweredDecision {
  const value = specific['permissionDecision'];
  const reason = textOf(specific['permissionDecisionReason']);
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
      if (!isKnown) warnings.push(counted(value, `Claude Code reads no permissionDecision on ${event}`));
      return { decision: value, ...why };
    case 'defer':
      warnings.push({ code: 'deferred', message: 'The hook hands the decision over to the host; it counts as "ask".' });
      return { decision: 'ask', ...why };
    case 'block':
      warnings.push(counted('deny', 'Claude Code reads "deny" in "permissionDecision", and not "block"'));
      return { decision: 'deny', ...why };
    default:
      warnings.push(wrongType('hookSpecificOutput.permissionDecision', value, 'Write "deny", "ask" or "allow", in small letters.'));
      return none;
  }
}

/** The answer to a request for a permission: `{ behavior: "deny", message, interrupt }`. */
function requestDecision(value: unknown, warnings: HookWarning[]): AnsweredDecision {
  if (value === undefined || value === null) return none;
  const behavior = isPlainObject(value) ? value['behavior'] : value;
  if (behavior === 'block' || (behavior === 'deny' && !isPlainObject(value))) {
    warnings.push(counted('deny', `Claude Code reads { "behavior": "deny" } in "decision", and not ${JSON.stringify(behavior)}`));
    return { decision: 'deny' };
  }
  if (!isPlainObject(value) || (behavior !== 'allow' && behavior !== 'deny')) {
    warnings.push(wrongType('hookSpecificOutput.decision', value, 'Write { "behavior": "deny", "message": "…" }.'));
    return none;
  }
  if (behavior === 'allow') return { decision: 'allow' };
  const reason = textOf(value['message']);
  return {
    decision: 'deny',
    ...(reason === undefined ? {} : { reason }),
    ...(value['interrupt'] === true ? { stops: true as const } : {}),
  };
}

/** An objection where its own product would not read it. */
export function counted(decision: 'deny' | 'ask', why: string): HookWarning {
  const code = decision === 'deny' ? 'deny_counted' : 'ask_counted';
  return { code, message: `${why}; it counts as "${decision}" here all the same.` };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
