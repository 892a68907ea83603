import { type HookDecision, type HookOutput, type HookWarning, type VerdictKind, verdictOf } from '@tenterhook/protocol';
import { hookLabel, stricter } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import type { Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { type FieldTable, knownFields } from '../../shared/output/fields/known-fields.js';
import type { FieldSchema } from '../../shared/output/fields/printed-fields.js';
import { isText } from '../../shared/text.js';
import type { RelativeEvent } from '../input/event-table.js';
import type { RelativeHost } from '../options.js';
import type { RelativeProduct } from '../product.js';
import { dataOf } from '../settings/hook-data.js';
import { toHostInput } from '../tools/tool-call.js';

type Fields = Readonly<Record<string, unknown>>;

export const answerFields = ['decision', 'reason', 'continue', 'stopReason', 'suppressOutput', 'systemMessage', 'hookSpecificOutput'];

const decisions = z.enum(['allow', 'approve', 'deny', 'block', 'ask']);
const object = z.record(z.string(), z.unknown());

/** The fields that decide, on every event: a deny in them must not be lost, whatever the agent makes of it. */
const decidingFields: Readonly<Record<string, FieldSchema>> = {
  permissionDecision: z.enum([...decisions.options, 'defer']),
  permissionDecisionReason: z.string(),
  decision: z.union([decisions, z.looseObject({ behavior: z.enum(['allow', 'deny', 'block', 'ask']) })]),
  reason: z.string(),
};

/** Returns the fields of `hookSpecificOutput` that an agent knows on an event. */
export function specificFields(
  { fields }: Pick<RelativeEvent, 'fields'>,
  { otherInputField }: RelativeProduct,
): Record<string, FieldSchema> {
  return {
    ...decidingFields,
    ...(fields.includes('updatedInput')
      ? { updatedInput: object, ...(otherInputField === undefined ? {} : { [otherInputField]: object }) }
      : {}),
    ...(fields.includes('additionalContext') ? { additionalContext: z.string() } : {}),
  };
}

const tables = new Map<string, FieldTable>();

function tableOf(name: string, facts: RelativeEvent, product: RelativeProduct): FieldTable {
  const key = `${product.name}\n${name}`;
  let table = tables.get(key);
  if (table === undefined) {
    const own = specificFields(facts, product);
    const all = Object.values(product.events).flatMap((event) => Object.keys(specificFields(event, product)));
    table = { specificOf: () => own, specificOfAll: new Set(all), passesUnknown: false };
    tables.set(key, table);
  }
  return table;
}

/** Converts a printed object into canonical output. */
export function readAnswer(printed: Fields, { event, hook }: Answering, rejects: boolean, host: RelativeHost): ReadOutput {
  const { product } = host;
  const { event: name } = dataOf(hook);
  const facts = product.events[name] as RelativeEvent;
  const { object: unnamed, warnings: ofName } = withoutEventName(printed, name);
  const { object, misplaced } = takeMisplaced(unnamed);
  const { output, warnings: ofFields } = knownFields(object, event.eventName, tableOf(name, facts, product));
  const warnings: HookWarning[] = [...ofName, ...ofFields];
  const { hookSpecificOutput: specific = {}, systemMessage, decision: _top, reason: _why, ...flags } = output;
  const decided = decide(output, facts, { name, label: hookLabel(hook), product, warnings, misplaced });
  const given = specific['updatedInput'] ?? (product.otherInputField === undefined ? undefined : specific[product.otherInputField]);
  const kept = omitUndefined({
    additionalContext: isText(specific['additionalContext']) ? specific['additionalContext'] : undefined,
    userMessage: isText(systemMessage) ? systemMessage : undefined,
    updatedInput: isPlainObject(given) ? toHostInput(given, event.input, host) : undefined,
  });
  // After a block of the end, the agent goes on. A hook that says both with exit code 2 wants the agent to go on.
  const { continue: goesOn, ...others } = flags;
  const isStop = goesOn === false && !(rejects && event.eventName === 'AfterAgent');
  return {
    output: {
      ...others,
      ...(isStop ? { continue: false } : {}),
      ...decided,
      ...(Object.keys(kept).length === 0 ? {} : { hookSpecificOutput: kept }),
    },
    warnings,
  };
}

/** The name of the event is the agent's own, and it is never a reason to drop an answer. */
function withoutEventName(printed: Fields, name: string): { readonly object: Fields; readonly warnings: readonly HookWarning[] } {
  const { hookSpecificOutput: specific } = printed;
  if (!isPlainObject(specific) || !Object.hasOwn(specific, 'hookEventName')) return { object: printed, warnings: [] };
  const { hookEventName: named, ...others } = specific;
  const object = { ...printed, hookSpecificOutput: others };
  if (named === name || !isText(named)) return { object, warnings: [] };
  const message = `hookSpecificOutput.hookEventName must be "${name}", and is ${JSON.stringify(named.slice(0, 60))}. The answer is used nevertheless.`;
  return { object, warnings: [{ code: 'wrong_event', message }] };
}

/** A deny or an ask in a field in which the documents of the agents have no decision. */
interface Misplaced {
  readonly path: string;
  readonly said: unknown;
  readonly why: unknown;
}

/**
 * Takes a deny and an ask out of top-level fields that belong into `hookSpecificOutput`. An allow stays, and is reported as any other
 * field.
 */
function takeMisplaced(printed: Fields): { readonly object: Fields; readonly misplaced: readonly Misplaced[] } {
  const { permissionDecision, permissionDecisionReason, decision } = printed;
  const { behavior, message } = isPlainObject(decision) ? decision : {};
  const misplaced = [
    { path: 'permissionDecision', said: permissionDecision, why: permissionDecisionReason },
    { path: 'decision.behavior', said: behavior, why: message },
  ].filter(({ said }) => ['deny', 'ask'].includes(kindOf(said)));
  const taken = misplaced.flatMap(({ path }) => (path === 'permissionDecision' ? [path, 'permissionDecisionReason'] : ['decision']));
  if (taken.length === 0) return { object: printed, misplaced };
  return { object: Object.fromEntries(Object.entries(printed).filter(([field]) => !taken.includes(field))), misplaced };
}

/** The agents leave a deferred decision to their user. */
function kindOf(said: unknown): VerdictKind {
  return said === 'defer' ? 'ask' : verdictOf(said as HookDecision | undefined);
}

function strictestOf(candidates: readonly { readonly kind: VerdictKind }[]): VerdictKind {
  return candidates.reduce<VerdictKind>((strictest, { kind }) => stricter(strictest, kind), 'none');
}

interface Deciding {
  readonly name: string;
  readonly label: string;
  readonly product: RelativeProduct;
  readonly warnings: HookWarning[];
  readonly misplaced: readonly Misplaced[];
}

/** Reads the decision from all of its fields. The strictest one wins. */
function decide(
  output: HookOutput,
  facts: RelativeEvent,
  { name, label, product, warnings, misplaced }: Deciding,
): Pick<HookOutput, 'decision' | 'reason'> {
  const specific = output.hookSpecificOutput ?? {};
  const inner = specific['decision'];
  const request = isPlainObject(inner) ? inner : { behavior: inner };
  const known = [
    { said: output.decision, why: output.reason },
    { said: specific['permissionDecision'], why: specific['permissionDecisionReason'] },
    { said: request['behavior'], why: request['message'] ?? specific['reason'] },
  ].map(({ said, why }) => ({ kind: kindOf(said), why }));
  const others = misplaced.map(({ path, said, why }) => ({ kind: kindOf(said), why, path }));
  const candidates = [...known, ...others];
  const kind = strictestOf(candidates);
  if (kind === 'none') return {};
  const elsewhere = strictestOf(known) === kind ? undefined : others.find((other) => other.kind === kind);
  if (elsewhere !== undefined) {
    const message = `The documents of ${product.agent} do not have ${elsewhere.path} at the top level; Tenterhook treats it as "${kind}". Write the field into hookSpecificOutput.`;
    warnings.push({ code: kind === 'deny' ? 'deny_counted' : 'ask_counted', message });
  }
  if (specific['permissionDecision'] === 'defer')
    warnings.push({ code: 'deferred', message: '"defer" leaves the decision to the host; it is treated as "ask".' });
  const reason = [...candidates.filter((candidate) => candidate.kind === kind), ...candidates].map(({ why }) => why).find(isText);
  const isAsked = facts.eventName === 'BeforeTool' || facts.eventName === 'PermissionRequest';
  if (kind === 'allow') {
    // Other events have no operation that could be allowed.
    return isAsked ? { decision: 'allow', ...(reason === undefined ? {} : { reason }) } : {};
  }
  if (kind === 'ask' && (!isAsked || !product.asks))
    warnings.push({
      code: 'ask_counted',
      message: `The documents of ${product.agent} have no ask on ${name}; Tenterhook treats the answer as "ask".`,
    });
  if (kind === 'deny' && !facts.rejects)
    warnings.push({ code: 'deny_counted', message: `${product.agent} ignores a deny on ${name}; Tenterhook treats it as "deny".` });
  const said = kind === 'deny' ? `denied ${name}` : `asked about ${name}`;
  return { decision: kind, reason: reason ?? `Hook "${label}" ${said} and gave no reason.` };
}
