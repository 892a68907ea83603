import { settingsOf, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { endlessMs, pastDeadline, timeoutMs } from './late-hook.js';
import { stateOf } from './process-state.js';

fault(
  'D2',
  () =>
    pastDeadline(`trap '' TERM; exec sleep 600`, {
      killGraceMs: 1000,
      afterwards: ({ lifeline }) => expect(lifeline.isReleased).toBe(false),
    }),
  { concurrent: true },
);

/** A child that SIGTERM does not end. */
const stubbornChild = `(trap '' TERM; exec sleep 600) &`;

fault('D3', () => pastDeadline(`${stubbornChild} exec sleep 600`), { concurrent: true });

fault(
  'D4',
  () =>
    pastDeadline(`echo half of it; ${stubbornChild} exec sleep 600`, {
      killGraceMs: 1000,
      afterwards: ({ lifeline, outcome }) => {
        expect(lifeline.isReleased).toBe(false);
        expect(outcome.stdout).toBe('half of it\n');
      },
    }),
  { concurrent: true },
);

fault(
  'D5',
  () =>
    pastDeadline('echo $$ > pid; kill -STOP $$; sleep 600', {
      killGraceMs: endlessMs,
      meanwhile: ({ read }) => until('the hook has stopped', () => stateOf(Number(read('pid'))) === 'T'),
    }),
  { concurrent: true },
);

fault('D6', () => pastDeadline('(setsid sleep 600 &); exec sleep 600', { killGraceMs: endlessMs }), { concurrent: true });

fault('D7', () => pastDeadline(`(trap '' TERM; exec setsid sleep 600) & setsid sh -c 'kill -STOP $$; sleep 600' & exec sleep 600`), {
  concurrent: true,
});

fault(
  'D12',
  async () => {
    const holder = { command: 'exec sleep 600', timeout: timeoutMs + 500 };
    const waiter = { command: 'echo no >&2; exit 2', timeout: timeoutMs };
    const settings = settingsOf('BeforeTool', [holder, waiter]);
    await withHooks({ settings, limits: { concurrency: 1 } }, async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(result).toMatchObject({ verdict: { kind: 'deny', reason: 'no' }, outcomes: [{ status: 'timed-out' }, { status: 'blocked' }] });
    });
  },
  { concurrent: true },
);
