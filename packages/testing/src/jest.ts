import { expect } from '@jest/globals';
import type { BusMatchers } from './matchers/bus-matchers.js';
import { toHaveBeenBlockedBy, toHaveRewritten, toHaveRun, toHaveSkipped } from './matchers/hook-matchers.js';
import { toMatchBusRecording } from './matchers/match-recording.js';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends BusMatchers<R> {}
}

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: the parameters must be declared as @types/jest declares them.
    interface Matchers<R, T = {}> extends BusMatchers<R> {}
  }
}

expect.extend({ toHaveBeenBlockedBy, toHaveRewritten, toHaveRun, toHaveSkipped, toMatchBusRecording } as never);
