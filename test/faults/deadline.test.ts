import { fault } from './fault.js';
import { endlessMs, pastDeadline } from './late-hook.js';

fault('D1', () => pastDeadline('exec sleep 600', { killGraceMs: endlessMs }));

fault('D2', () =>
  pastDeadline(`trap '' TERM; exec sleep 600`, {
    killGraceMs: 1000,
    afterwards: ({ lifeline }) => expect(lifeline.isReleased).toBe(false),
  }),
);
