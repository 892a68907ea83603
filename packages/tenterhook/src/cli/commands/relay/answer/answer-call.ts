import type { AggregatedHookResult, HeardInput, HookOutcome, RelayAnswer, RelayPolicy } from '@tenterhook/protocol';
import { type Asked, answerEvent, defaultPolicy, isAskedTwice, type KeptResults, otherAgents, type UnreadInput } from '@tenterhook/relay';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import { watchLateEnds } from '../../../firing/late-ends.js';
import { type FoundGuards, findGuards } from '../guards.js';
import { answeredWithout, logEntries, logLosses } from '../relay-log.js';
import { dialects, type RelayedDialect } from '../relayed-agent.js';
import type { RelaySystem, SystemRequest } from './open-system.js';
import { findPlace, type Place } from './place.js';
import { problemsOf } from './problems.js';

/** The variable with the number of agents that are around a process. */
export const depthVariable = 'TENTERHOOK_RELAY';

/** One event of an agent, as the command or the daemon receives it. */
export interface RelayCall {
  readonly agent: RelayedDialect;
  readonly event: string;
  /** What the agent wrote. */
  readonly text: string | UnreadInput;
  /** What the user chose on the command line. */
  readonly policy: Readonly<Partial<RelayPolicy>>;
  /** When the guards must have answered, as a time of `performance.now()`. */
  readonly until: number;
  /** Absolute paths of the only settings files to read. */
  readonly settings?: readonly string[] | undefined;
  readonly dialect?: string | undefined;
  /** The project directory that the user named. */
  readonly named?: string | undefined;
  /** The working directory. Undefined if it was deleted. */
  readonly current: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The place and the guards, if they were found before. */
  readonly guarded?: GuardedPlace;
  /** Why the daemon does not answer this event. */
  readonly withoutDaemon?: string | undefined;
}

/** A system that was lent for one event. */
export interface LentSystem {
  readonly system: RelaySystem;
  /** Aborts if the process is to end. */
  readonly signal: AbortSignal;
  giveBack(): Promise<void>;
}

/** Where systems come from: one for each event, or those of a daemon. */
export interface RelaySystems {
  lend(request: SystemRequest): Promise<LentSystem>;
  /** Results that later events of a call need. @default each event is answered on its own */
  readonly kept?: KeptResults;
  /** Runs a task after earlier ones with the same key, for at most `waitMs`. */
  inTurn<Result>(key: string | undefined, waitMs: number, task: () => Promise<Result>): Promise<Result>;
}

/** The answer for the agent. */
export interface CallAnswer extends RelayAnswer {
  /** Waits for hooks that continue after the answer, and releases the system. Never rejects. */
  rest(): Promise<void>;
}

/** Where an event is, and its guards. */
export interface GuardedPlace {
  readonly place: Place;
  readonly found: FoundGuards;
}

export async function findGuarded(call: RelayCall): Promise<GuardedPlace> {
  const place = findPlace(call);
  return { place, found: await findGuards(call.agent.name, place) };
}

/** Asks the guards about one event. Never rejects: whatever fails, the agent receives an answer. */
export async function answerCall(call: RelayCall, systems: RelaySystems): Promise<CallAnswer> {
  try {
    return await judge(call, systems);
  } catch (error) {
    const message = `The relay failed: ${describeThrown(error)}. The guards were not asked.`;
    return { ...call.agent.relay.failed(call.event, { ...defaultPolicy, ...call.policy }, message), rest: async () => {} };
  }
}

async function judge(call: RelayCall, systems: RelaySystems): Promise<CallAnswer> {
  const { agent, event, text, environment } = call;
  const { place, found } = call.guarded ?? (await findGuarded(call));
  const depth = Number(environment[depthVariable] ?? 0) || 0;
  let rest = async () => {};
  const answer = await answerEvent({
    format: agent.relay,
    event,
    text,
    policy: { ...found.settings, ...call.policy },
    depth,
    isAskedTwice: (payload) => {
      const others = otherAgents(dialects, agent.name, dialectContext(place.projectDir, environment));
      return isAskedTwice({ dialect: agent.name, event, payload }, others);
    },
    ...omitUndefined({ kept: systems.kept }),
    ask: async (inputs, payload) => {
      const request: SystemRequest = {
        agent,
        place,
        found,
        environment: { ...environment, [depthVariable]: String(depth + 1) },
        settings: call.settings,
        dialect: call.dialect,
      };
      const lent = await systems.lend(request);
      const leftMs = () => Math.max(1, Math.round(call.until - performance.now()));
      try {
        const asked = await systems.inTurn(turnOf(inputs), leftMs(), () =>
          askGuards(lent, call, { projectDir: place.projectDir, inputs, payload, leftMs }),
        );
        rest = asked.rest;
        return asked;
      } catch (error) {
        await lent.giveBack();
        throw error;
      }
    },
  });
  const about = { agent: agent.name, event, environment, home: place.home };
  logLosses(answer.losses, about);
  if (call.withoutDaemon !== undefined) logEntries([{ message: `${answeredWithout}${call.withoutDaemon}.` }], about);
  const afterwards = async () => {
    try {
      await rest();
    } catch (error) {
      // The agent has its answer already.
      logEntries([{ message: `Hooks that ran on after the answer failed: ${describeThrown(error)}` }], about);
    }
  };
  return { ...answer, rest: afterwards };
}

/** Events of one call of a tool are judged in their order. */
function turnOf([first]: readonly HeardInput[]): string | undefined {
  const { session_id: session, tool_use_id: call } = first?.input ?? {};
  return typeof call === 'string' ? JSON.stringify([session, call]) : undefined;
}

interface Question {
  readonly projectDir: string;
  readonly inputs: readonly HeardInput[];
  readonly payload: Readonly<Record<string, unknown>>;
  /** Returns what is left of the budget. */
  leftMs(): number;
}

/** More parts at once could fill the queues of the system, which then would not run all guards. */
const partsAtOnce = 16;

/** With less time left, the budget is spent. Timers are not exact. */
const spentMs = 50;

async function askGuards(
  { system, signal, giveBack }: LentSystem,
  call: RelayCall,
  { projectDir, inputs, payload, leftMs }: Question,
): Promise<Asked & { readonly rest: () => Promise<void> }> {
  const { hooks } = system;
  const [only, ...others] = inputs;
  const heard = { event: call.event, payload, ...(only === undefined || others.length > 0 ? {} : { input: only }) };
  const lateEnds = watchLateEnds(hooks.bus);
  const results: AggregatedHookResult[] = [];
  for (let at = 0; at < inputs.length; at += partsAtOnce) {
    const some = inputs.slice(at, at + partsAtOnce);
    results.push(...(await Promise.all(some.map((input) => system.fire(input, heard, { timeoutMs: leftMs(), signal })))));
  }
  const isCut = inputs.length > 1 && leftMs() <= spentMs;
  const outcomes: readonly HookOutcome[] = results.flatMap((result) => result.outcomes);
  const problem = problemsOf(hooks, results, system.problems, only, projectDir);
  const isStart = only?.eventName === 'SessionStart';
  const notice =
    isStart && call.withoutDaemon !== undefined ? `The relay works without its daemon, so it is slow: ${call.withoutDaemon}.` : undefined;
  return {
    results,
    ...(problem === '' ? {} : { problem }),
    ...(notice === undefined ? {} : { notice }),
    ...(isCut ? { isCut } : {}),
    rest: async () => {
      try {
        if (lateEnds.runningOf(outcomes).length > 0) await lateEnds.wait(outcomes, signal);
      } finally {
        lateEnds.forget();
        await giveBack();
      }
    },
  };
}
