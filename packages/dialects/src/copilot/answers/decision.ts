import { type HookDefinition, type HookOutput, type HookWarning, type VerdictKind, verdictOf } from '@tenterhook/protocol';
import { hookLabel, stricter } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue, isText } from '../../shared/text.js';
import { type CopilotEvent, factsOf } from '../input/event-table.js';

type Fields = Readonly<Record<string, unknown>>;

/** Where Copilot reads the fields of an answer. */
export interface Reading {
  readonly event: CopilotEvent;
  /** True if Copilot reads `hookSpecificOutput` on this event. */
  readonly readsNested: boolean;
  readonly isVsCode: boolean;
  readonly warnings: HookWarning[];
}

export interface Deciding {
  readonly hook: HookDefinition;
  /** What an ask means. */
  readonly ask: 'ask' | 'deny';
  readonly reading: Reading;
}

/** A decision in one field of an answer. */
interface Said {
  readonly kind: VerdictKind;
  readonly reason?: string;
  /** The field, for messages. */
  readonly path: string;
  readonly value: unknown;
  /** True if Copilot reads the field on this event. */
  readonly isRead: boolean;
}

/**
 * Returns the strictest decision of an answer. A deny and an ask count in every field that may have one, because the hook is a guard. An
 * allow counts only where Copilot reads it.
 */
export function decide(top: Fields, nested: Fields, deciding: Deciding): HookOutput {
  const { hook, reading } = deciding;
  const { event, warnings } = reading;
  const said = [...decisionsIn(nested, true, reading), ...decisionsIn(top, false, reading), ...stopIn(top, reading)];
  const counted = said.filter(({ kind, isRead }) => isRead || kind === 'deny' || kind === 'ask');
  // Copilot takes the first of two decisions that it reads. Here the stricter one counts.
  const kind = counted.reduce<VerdictKind>((one, other) => stricter(one, other.kind), 'none');
  const deciders = counted.filter((one) => one.kind === kind);
  const [decider] = [...deciders.filter(({ isRead }) => isRead), ...deciders];
  for (const { path, value } of said.filter((one) => one.kind === 'allow' && !one.isRead)) {
    warnings.push({ code: 'no_effect', message: `${path} ${formatValue(value)} has no effect on ${event}; it was dropped.` });
  }
  if (decider === undefined || kind === 'none') return {};
  if (!decider.isRead) warnings.push(countedAnyway(decider, reading));
  const reason = deciders.map((one) => one.reason).find(isText);
  const label = hookLabel(hook);
  const interrupts = top['interrupt'] === true || nested['interrupt'] === true;
  const interrupt = kind === 'deny' && event === 'permissionRequest' && interrupts ? { continue: false } : {};
  if (kind === 'allow') return { decision: 'allow', ...(reason === undefined ? {} : { reason }) };
  if (kind === 'deny') return { decision: 'deny', reason: reason ?? `Hook "${label}" denied ${event} and gave no reason.`, ...interrupt };
  return asked(reason ?? `Hook "${label}" asked about ${event} and gave no reason.`, deciding);
}

/** Returns an ask. Without a user who can answer, it is a deny. */
function asked(reason: string, { ask, reading: { warnings } }: Deciding): HookOutput {
  if (ask === 'ask') return { decision: 'ask', reason };
  warnings.push({ code: 'unsupported_ask', message: 'No user can answer here, so an ask is a deny (option "ask").' });
  return { decision: 'deny', reason };
}

/** The field with which hooks decide on an event. */
function fieldOf(event: CopilotEvent): 'permissionDecision' | 'decision' | 'behavior' | undefined {
  const { output } = factsOf(event);
  return (['permissionDecision', 'decision', 'behavior'] as const).find((field) => output.includes(field));
}

function decisionsIn(fields: Fields, isNested: boolean, { event, readsNested, isVsCode }: Reading): Said[] {
  const own = fieldOf(event);
  const path = isNested ? 'hookSpecificOutput.' : '';
  // VS Code reads only what is inside, and the command line reads what is inside on one event.
  const isPlace = isVsCode ? isNested : isNested ? readsNested : true;
  const { permissionDecision, decision, behavior } = fields;
  const inner = isPlainObject(decision) ? decision : {};
  const values = [
    ['permissionDecision', permissionDecision, fields['permissionDecisionReason']],
    ['decision', isPlainObject(decision) ? undefined : decision, fields['reason']],
    ['decision.behavior', inner['behavior'], inner['message']],
    ['behavior', behavior, fields['message']],
  ] as const;
  return values.flatMap(([name, value, reason]): Said[] => {
    const kind = kindOf(value);
    if (kind === 'none') return [];
    // An approval on the events of an answer has no operation to approve.
    if (kind === 'allow' && name === 'decision') return [];
    return [{ kind, path: `${path}${name}`, value, isRead: isPlace && name === own, ...(isText(reason) ? { reason } : {}) }];
  });
}

function kindOf(value: unknown): VerdictKind {
  return typeof value === 'string' ? verdictOf(value as HookOutput['decision']) : 'none';
}

/** Copilot has no stop. Before an operation, it counts as a deny. */
function stopIn(top: Fields, { event, warnings }: Reading): Said[] {
  if (top['continue'] !== false) return [];
  const { eventName } = factsOf(event);
  if (eventName !== 'BeforeTool' && eventName !== 'BeforeAgent' && eventName !== 'PermissionRequest') {
    const message = `continue false has no effect on ${event}, because Copilot has no stop; it was dropped.`;
    warnings.push({ code: 'no_effect', message });
    return [];
  }
  const reason = [top['stopReason'], top['reason']].find(isText);
  return [{ kind: 'deny', path: 'continue', value: false, isRead: false, ...(reason === undefined ? {} : { reason }) }];
}

function countedAnyway({ kind, path, value }: Said, { event }: Reading): HookWarning {
  const field = fieldOf(event);
  const remedy = field === undefined ? '' : ` Write ${field} at the top level.`;
  const code = kind === 'deny' ? 'deny_counted' : 'ask_counted';
  return { code, message: `Copilot ignores ${path} ${formatValue(value)} on ${event}. Tenterhook treats it as "${kind}".${remedy}` };
}
