import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHooks, type Hooks } from 'tenterhook';
import { RequestLog } from '../checks/request-log.js';
import type { Violations } from '../checks/violations.js';
import { Counters } from '../report/counters.js';
import { planEvent } from './event-plan.js';
import type { HookKind } from './hook-kinds/hook-kind.js';
import { LiveSettings } from './live-settings.js';
import { sendEvent } from './scenarios/send-event.js';
import type { Sender } from './scenarios/sender.js';
import { checkResult } from './scenarios/sender.js';
import { SlowSubscribers } from './slow-subscribers.js';

/** Longer than any hook that ends by itself may take, including the wait for its turn, in milliseconds. */
const longestAnswerMs = 60_000;

/** The circuit opens fast and is tried again fast, within the few seconds in which a set of settings is in use. */
const circuitBreaker = { failures: 2, windowMs: 10_000, pauseMs: 500 };

/** The limits are small, so that they are reached often: few hooks at a time, little output, fast kills. */
const limits = { concurrency: 8, killGraceMs: 300, stdoutBytes: 1024 * 1024, stderrBytes: 256 * 1024 };

export interface PhaseOptions {
  readonly seed: number;
  readonly load: number;
  readonly projectDir: string;
  readonly kinds: readonly HookKind[];
  readonly violations: Violations;
  /** Called before each event, with the number of the event. Returns false to end the phase. */
  readonly goesOn: (number: number) => boolean;
  /** Aborts to send no more events and to end those that are being handled. */
  readonly signal: AbortSignal;
  readonly onStart?: (phase: Phase) => void;
}

/** One system and its events, from its creation to its disposal. */
export interface Phase {
  readonly requestLog: RequestLog;
  readonly settings: LiveSettings;
  readonly scenarios: Counters;
  readonly subscribers: SlowSubscribers;
}

/** Fires events at the given load until `goesOn` returns false. Then disposes the system while the last events are being handled. */
export async function runPhase(options: PhaseOptions): Promise<Phase> {
  const { seed, load, projectDir, violations, goesOn, signal } = options;
  const settings = new LiveSettings(join(projectDir, 'settings.json'), seed, options.kinds);
  const given = { projectDir, sessionId: 'soak', settings: [settings.file], dialect: 'llxprt' };
  // The queue is large enough for the load, but not for many additional events at once.
  const hooks = await createHooks({ ...given, limits: { ...limits, queued: 4 * load }, circuitBreaker });
  const requestLog = new RequestLog(hooks.bus, () => settings.rounds, violations);
  const subscribers = new SlowSubscribers(hooks);
  const phase: Phase = { requestLog, settings, scenarios: new Counters(), subscribers };
  options.onStart?.(phase);

  let number = 0;
  const worker = async () => {
    while (!signal.aborted && goesOn(number)) {
      number += 1;
      const plan = planEvent(seed, number);
      // A turn of the event loop after each event: events that are answered at once must not block the loop, which they do not do in an
      // agent either.
      await nextTurn();
      if (signal.aborted) return;
      await carryOut({ hooks, requestLog }, phase, plan, violations);
    }
  };
  const workers = Promise.all(Array.from({ length: load }, worker));
  await Promise.race([workers, aborted(signal)]);
  await endWithEventsInFlight(hooks, phase, number, options);
  await workers;
  requestLog.close();
  if (!(await within(subscribers.end(violations), longestAnswerMs))) violations.add({ what: 'a slow subscriber did not end' });
  return phase;
}

async function carryOut(sender: Sender, { settings, scenarios }: Phase, plan: ReturnType<typeof planEvent>, violations: Violations) {
  const event = `${plan.number} (${plan.eventName}, ${plan.scenario})`;
  scenarios.add(plan.scenario);
  if (plan.reload !== 'none') {
    settings.change(sender.hooks, plan.reload).catch((error) => violations.add({ event, what: `a reload failed: ${String(error)}` }));
  }
  try {
    if (!(await within(sendEvent(sender, plan), longestAnswerMs))) {
      violations.add({ event, what: `it was not answered within ${longestAnswerMs / 1000} s` });
    }
  } catch (error) {
    violations.add({ event, what: `sending it failed: ${String(error)}` });
  }
}

/** Disposes the system while all workers are busy. Each event must still be answered. */
async function endWithEventsInFlight(hooks: Hooks, phase: Phase, number: number, { seed, load, violations }: PhaseOptions): Promise<void> {
  const { requestLog } = phase;
  requestLog.isEnding = true;
  const last = Array.from({ length: load }, (_, index) => {
    const plan = { ...planEvent(seed, number + 1 + index), scenario: 'fire', reload: 'none' } as const;
    return carryOut({ hooks, requestLog }, phase, plan, violations);
  });
  await Promise.all([hooks.dispose(), ...last]);

  const intent = { number: number + load + 1, eventName: 'BeforeTool', how: 'after the end', codes: ['disposed'], mustFail: true } as const;
  const { result } = requestLog.send(intent, () => hooks.getEventHandler().fireBeforeToolEvent('write_file', {}));
  await checkResult(requestLog, intent, result);
  if ((await result).success) requestLog.report(intent, 'an event was carried out after the end');
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Returns whether the work ended in time. If not, the work continues. */
export async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
