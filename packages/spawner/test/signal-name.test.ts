import { signalOfShellExit } from '../src/signal-name.js';

test.each([
  [128, undefined],
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [134, 'SIGABRT'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [143, 'SIGTERM'],
  [159, 'SIGSYS'],
  [160, undefined],
  [0, undefined],
  [2, undefined],
  [255, undefined],
])('%i of a shell is %s', (exitCode, signal) => {
  expect(signalOfShellExit(exitCode)).toBe(signal);
});
