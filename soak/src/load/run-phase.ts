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

/** Longer than any hook that ends by itself may take, waiting for its turn included. */
const longestAnswerMs = 60_000;

/** Opens fast and tries again fast, within the few seconds that a set of settings is in use. */
const circuitBreaker = { failures: 2, windowMs: 10_000, pauseMs: 500 };

/** Small limits, so that they are reached often: few places, little output, fast kills. */
const limits = { concurrency: 8, killGraceMs: 300, stdoutBytes: 1024 * 1024, stderrBytes: 256 * 1024 };

export interface PhaseOptions {
  readonly seed: number;
  readonly load: number;
  readonly projectDir: string;
  readonly kinds: readonly HookKind[];
  readonly violations: Violations;
  /** Called before each event, with its number. */
  readonly goesOn: (number: number) => boolean;
  /** Aborts: no more events, and those in flight are cut short. */
  readonly signal: AbortSignal;
  readonly onStart?: (phase: Phase) => void;
}

/** One system and its events, from its creation to its end. */
export interface Phase {
  readonly requestLog: RequestLog;
  readonly settings: LiveSettings;
  readonly scenarios: Counters;
}

/** Fires events at the load until `goesOn` returns false, and disposes the system while the last ones are in flight. */
export async function runPhase(options: PhaseOptions): Promise<Phase> {
  const { seed, load, projectDir, violations, goesOn, signal } = options;
  const settings = new LiveSettings(join(projectDir, 'settings.json'), seed, options.kinds);
  const given = { projectDir, sessionId: 'soak', settings: [settings.file], dialect: 'llxprt' };
  // Enough for the load, but not for many additional events at once.
  const hooks = await createHooks({ ...given, limits: { ...limits, queued: 4 * load }, circuitBreaker });
  const requestLog = new RequestLog(hooks.bus, () => settings.rounds, violations);
  const phase: Phase = { requestLog, settings, scenarios: new Counters() };
  options.onStart?.(phase);

  let number = 0;
  const worker = async () => {
    while (!signal.aborted && goesOn(number)) {
      number += 1;
      const plan = planEvent(seed, number);
      // Events that are answered at once must not block the event loop, as no agent would.
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

/** Disposes the system while all workers are busy. Each event still gets its answer. */
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

/** Whether the work ends in time; otherwise it continues. */
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
