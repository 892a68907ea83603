import type { AggregatedHookResult, HookOutcome } from 'tenterhook';
import type { ConfiguredHook, Round } from '../load/settings-round.js';
import { checkOutcome } from './check-outcome.js';
import { checkVerdict } from './check-verdict.js';
import { type Fault, fault } from './fault.js';
import { findUnplain } from './find-unplain.js';
import type { ResponsePayload } from './messages.js';
import type { SentRequest } from './sent-request.js';

const cutCodes: readonly string[] = ['cancelled', 'disposed'];

/** Everything that can be wrong with the response to a request of ours; `isEnding`: the system is being disposed. */
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

/** The settings that the outcomes come from: one outcome for each configured hook, all of one round (an event keeps its set). */
function roundOf(outcomes: readonly HookOutcome[], { eventName, rounds }: SentRequest): Round | undefined {
  const found = outcomes.map((outcome) => outcome.name ?? '').sort();
  return rounds.find((round) => {
    const configured = round.hooks[eventName].flatMap((hook) => Array.from({ length: hook.copies }, () => hook.name)).sort();
    return configured.length === found.length && configured.every((name, index) => name === found[index]);
  });
}
