import { type AggregatedHookResult, DefaultHookOutput, type HookOutcome } from 'tenterhook';
import type { ConfiguredHook, Round } from '../load/settings-round.js';
import { checkOutcome, type Fault, fault, isObeyed, meaningOf } from './check-outcome.js';
import type { ResponsePayload, SentRequest } from './sent-request.js';

const cutCodes: readonly string[] = ['cancelled', 'disposed'];

/** Returns everything that is wrong with the response to a request of the soak. `isEnding`: true while the system is being disposed. */
export function checkResponse(request: SentRequest, response: ResponsePayload, isEnding: boolean): Fault[] {
  const unplain = findUnplain(response);
  const faults: Fault[] = unplain === undefined ? [] : [fault(`the response is not plain JSON: ${unplain}`)];
  const { success, output, error } = response;
  if (success !== (error === undefined)) faults.push(fault('error has to be there if and only if success is false'));
  if (success && request.mustFail) faults.push(fault('it has to fail, and did not'));
  const code = error?.code;
  if (code !== undefined && !request.codes.includes(code) && !(isEnding && cutCodes.includes(code))) {
    faults.push(fault(`the error is "${code}": ${error?.message}`));
  }

  const answer = success ? output : (error?.details as Partial<AggregatedHookResult> | undefined);
  const { outcomes, verdict } = answer ?? {};
  if (success && (outcomes === undefined || verdict === undefined)) faults.push(fault('a success without a result'));
  if (outcomes === undefined) return faults;
  if (verdict === undefined) faults.push(fault('outcomes without a verdict'));
  else faults.push(...checkVerdict(outcomes, verdict));
  faults.push(...checkOutcomes(outcomes, request, code !== undefined && cutCodes.includes(code)));
  return faults;
}

function checkOutcomes(outcomes: readonly HookOutcome[], request: SentRequest, wasCut: boolean): Fault[] {
  const { eventName } = request;
  const strange = outcomes.filter((outcome) => outcome.eventName !== eventName || !outcome.hookId.includes(`/${eventName}/`));
  if (strange.length > 0) return strange.map((outcome) => fault(`an outcome of another event: ${outcome.hookId}`, outcome));
  const round = roundOf(outcomes, request);
  if (round === undefined) {
    const rounds = request.rounds.map((candidate) => candidate.number).join(' or ');
    return [fault(`the hooks are not those of the settings ${rounds}: ${outcomes.map((outcome) => outcome.name).join(', ') || 'none'}`)];
  }

  const isChainEnded = outcomes.some(
    (outcome) =>
      outcome.status === 'blocked' || outcome.failedClosed || (outcome.status === 'succeeded' && outcome.output?.continue === false),
  );
  return outcomes.flatMap((outcome) => {
    const hook = round.hooks[eventName].find((candidate) => candidate.name === outcome.name) as ConfiguredHook;
    return checkOutcome(outcome, hook, { request, wasCut, isChainEnded });
  });
}

/**
 * Returns the settings to which the outcomes belong: one outcome for each configured hook, all of one round, because an event keeps the
 * settings with which it began.
 */
function roundOf(outcomes: readonly HookOutcome[], { eventName, rounds }: SentRequest): Round | undefined {
  // A hook that was asked again has a second outcome, which is left out here.
  const found = outcomes.flatMap(({ name = '', recheck }) => (recheck ? [] : [name])).sort();
  return rounds.find((round) => {
    const configured = round.hooks[eventName].flatMap((hook) => Array.from({ length: hook.copies }, () => hook.name)).sort();
    return configured.length === found.length && configured.every((name, index) => name === found[index]);
  });
}

type Verdict = AggregatedHookResult['verdict'];

/** Checks that the verdict follows from the outcomes: no deny, ask or stop is lost or invented. */
export function checkVerdict(outcomes: readonly HookOutcome[], verdict: Verdict): Fault[] {
  const faults: Fault[] = [];
  const deniers = outcomes.filter((outcome) => outcome.status === 'blocked' || outcome.failedClosed);
  for (const outcome of deniers) {
    if (verdict.kind !== 'deny') faults.push(fault(`a deny was lost: the verdict is "${verdict.kind}"`, outcome));
    else if (!verdict.by.includes(outcome.hookId)) faults.push(fault('it denied, and the verdict does not name it', outcome));
  }
  if (verdict.kind === 'deny' && deniers.length === 0) faults.push(fault('the verdict is "deny", and no hook denied'));
  if (verdict.kind === 'deny' && !verdict.reason) faults.push(fault('a deny without a reason'));

  const obeyed = outcomes.filter(isObeyed);
  if (obeyed.some((outcome) => meaningOf(outcome) === 'ask') && !['ask', 'deny'].includes(verdict.kind)) {
    faults.push(fault(`an ask was lost: the verdict is "${verdict.kind}"`));
  }
  if (verdict.kind === 'allow' && !obeyed.some((outcome) => meaningOf(outcome) === 'allow')) {
    faults.push(fault('the verdict is "allow" without an allow of a hook'));
  }
  // If a failure became a deny, the decision in its answer is ignored, but its stop counts, because failing closed must not weaken an
  // answer.
  const stops = outcomes.some((outcome) => (isObeyed(outcome) || outcome.failedClosed) && outcome.output?.continue === false);
  if (stops !== verdict.stop) faults.push(fault(stops ? 'a stop was lost' : 'the verdict stops without a stop of a hook'));
  return faults;
}

const deepest = 300;

/** Returns the path of a part that JSON cannot represent. Undefined if the value is plain JSON. */
export function findUnplain(value: unknown, path = '', depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${path} is ${value}`;
    case 'object':
      return value === null ? undefined : findInObject(value, path, depth);
    default:
      return `${path} is of the type ${typeof value}`;
  }
}

function findInObject(value: object, path: string, depth: number): string | undefined {
  if (depth > deepest) return `${path} is nested deeper than ${deepest} levels, or in itself`;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An instance of an output class is plain if all its data are own fields.
  const isPlain = Array.isArray(value) || prototype === Object.prototype || prototype === null || value instanceof DefaultHookOutput;
  if (!isPlain) return `${path} is a ${(prototype as { constructor?: { name?: string } }).constructor?.name ?? 'strange object'}`;
  for (const [key, item] of Object.entries(value)) {
    const found = findUnplain(item, `${path}.${key}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
