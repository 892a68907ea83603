import { expect } from 'vitest';
import type { BusMatchers } from './matchers/bus-matchers.js';
import { toHaveBeenBlockedBy, toHaveRewritten, toHaveRun, toHaveSkipped } from './matchers/hook-matchers.js';
import { toMatchBusRecording } from './matchers/match-recording.js';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the parameter must be declared as vitest declares it.
  interface Matchers<T = any> extends BusMatchers {}
}

expect.extend({ toHaveBeenBlockedBy, toHaveRewritten, toHaveRun, toHaveSkipped, toMatchBusRecording });
