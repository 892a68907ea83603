import type { RelayEffect, RelayLoss, RelayPolicy } from '@tenterhook/protocol';
import { joined, type RelayIntent } from './intent.js';

/** What the agent can do on one of its events, and how it is named in messages. */
export interface RelayReach {
  readonly agent: string;
  readonly event: string;
  readonly powers: readonly RelayEffect[];
  /** True if a deny keeps the operation from happening. After a tool and after the agent's answer, a deny is only feedback. */
  readonly blocks: boolean;
  /** True if the agent ends its turn with this event anyway, so that a stop needs no words. */
  readonly ends: boolean;
}

export interface Reached {
  readonly intent: RelayIntent;
  /** Everything that differs from what the hooks said. */
  readonly losses: readonly RelayLoss[];
}

/**
 * Changes what the hooks said into what the agent can do. What it cannot do becomes stricter: an ask and a stop become a deny, and a lost
 * rewrite denies the operation. If the agent cannot deny either, the user receives a message.
 */
export function withinReach(given: RelayIntent, unwritable: readonly RelayLoss[], reach: RelayReach, policy: RelayPolicy): Reached {
  const can = (effect: RelayEffect) => reach.powers.includes(effect);
  const losses: RelayLoss[] = [];
  const denied: RelayLoss[] = [];
  let intent = asked(withReason(given, reach.event), reach);
  if (intent.stop && !can('stop')) intent = stopped(intent, reach, losses);
  intent = rewritten(intent, unwritable, { reach, policy, losses, denied });
  if (intent.kind === 'deny' && !can('deny')) {
    losses.push({ effect: 'deny', message: `${reach.agent} cannot deny ${reach.event}. A hook denied it: ${intent.reason}` });
    intent = { ...intent, kind: 'none', reason: '' };
  }
  if (intent.kind === 'allow' && !can('allow')) intent = { ...intent, kind: 'none', reason: '' };
  if (intent.context !== '' && !can('context')) {
    losses.push({ effect: 'context', message: `${reach.agent} adds no text for the model on ${reach.event}: ${intent.context}` });
    intent = { ...intent, context: '' };
  }
  const user = joined([intent.user, ...losses.map(({ message }) => message)]);
  return { intent: { ...intent, user }, losses: [...denied, ...losses] };
}

/** A deny without a reason would be tried again, and some agents do not accept it. */
function withReason(intent: RelayIntent, event: string): RelayIntent {
  return intent.kind === 'deny' && intent.reason.trim() === '' ? { ...intent, reason: `A hook denied ${event}.` } : intent;
}

/** An ask where the agent cannot ask is a deny. The question stays the beginning of the reason. */
function asked(intent: RelayIntent, { agent, event, powers }: RelayReach): RelayIntent {
  if (intent.kind !== 'ask') return intent;
  const reason = intent.reason || `A hook asks about ${event}.`;
  if (powers.includes('ask')) return { ...intent, reason };
  return { ...intent, kind: 'deny', reason: `${reason} (${agent} cannot ask from a hook.)` };
}

/** A stop where the agent cannot stop is a deny of the operation. If the turn ends anyway, no other hook may make the agent go on. */
function stopped(given: RelayIntent, { agent, event, powers, blocks, ends }: RelayReach, losses: RelayLoss[]): RelayIntent {
  const intent: RelayIntent = ends ? { ...given, kind: 'none', reason: '' } : given;
  const stopReason = intent.stopReason || `A hook stops the agent on ${event}.`;
  if (powers.includes('deny') && blocks) {
    const reasons = intent.kind === 'deny' ? [intent.reason, stopReason] : [stopReason];
    return { ...intent, stop: false, stopReason: '', kind: 'deny', reason: joined(reasons) };
  }
  losses.push({ effect: 'stop', message: `${agent} cannot stop on ${event}. A hook stopped it: ${stopReason}` });
  return { ...intent, stop: false, stopReason: '' };
}

interface Rewriting {
  readonly reach: RelayReach;
  readonly policy: RelayPolicy;
  /** Losses that the user must read about. */
  readonly losses: RelayLoss[];
  /** Losses that the reason of a deny reports. */
  readonly denied: RelayLoss[];
}

const whatIsRewritten: Readonly<Partial<Record<RelayEffect, string>>> = {
  input: 'the arguments of a tool',
  result: 'the result of a tool',
  prompt: 'a prompt',
  model: 'what is sent to or received from the model',
  tools: 'the selection of tools',
};

/** Removes rewrites that the agent cannot carry out. `unwritable` are further losses, e.g. of an argument that cannot be taken away. */
function rewritten(given: RelayIntent, unwritable: readonly RelayLoss[], { reach, policy, losses, denied }: Rewriting): RelayIntent {
  const present: Readonly<Partial<Record<RelayEffect, boolean>>> = {
    input: given.inputs.some((input) => input !== undefined),
    result: given.result !== undefined,
    prompt: given.prompt !== undefined,
    model: given.model !== undefined,
    tools: given.tools !== undefined,
  };
  const lost: RelayLoss[] = [
    ...(Object.keys(present) as RelayEffect[])
      .filter((effect) => present[effect] === true && !reach.powers.includes(effect))
      .map((effect) => ({ effect, message: `${reach.agent} cannot rewrite ${whatIsRewritten[effect]} on ${reach.event}.` })),
    ...unwritable,
  ];
  const isLost = (effect: RelayEffect) => lost.some((loss) => loss.effect === effect);
  const { result, prompt, model, tools, ...others } = given;
  const intent: RelayIntent = {
    ...others,
    inputs: isLost('input') ? [] : given.inputs,
    ...(result === undefined || isLost('result') ? {} : { result }),
    ...(prompt === undefined || isLost('prompt') ? {} : { prompt }),
    ...(model === undefined || isLost('model') ? {} : { model }),
    ...(tools === undefined || isLost('tools') ? {} : { tools }),
  };
  if (lost.length === 0) return intent;
  if (intent.kind === 'deny' && reach.blocks) return intent;
  const denies = policy.onLoss === 'deny' && reach.blocks && reach.powers.includes('deny');
  if (!denies) {
    for (const { effect, message } of lost) losses.push({ effect, message: `${message} A rewrite of a hook has no effect.` });
    return intent;
  }
  denied.push(...lost);
  const reasons = lost.map(({ message }) => `${message} A hook rewrote it, so it is denied.`);
  return { ...intent, kind: 'deny', reason: joined(reasons), inputs: [] };
}
