import { processesWith, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { pastDeadline, timeoutMs } from './late-hook.js';
import { isRunning, stateOf } from './process-state.js';

/**
 * A process that hangs in the kernel: it waits until its vfork() child ends or executes another program. If it handles SIGTERM, its handler
 * does not run while it waits; a process without a handler would be terminated nevertheless.
 */
const hungInKernel = `import ctypes, os, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
if ctypes.CDLL(None).vfork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open('pid.new', 'w') as file: file.write(str(os.getppid()))
    os.rename('pid.new', 'pid')
    time.sleep(600)
`;

fault('D8', () => {
  const hungState = ({ read }: Scene) => stateOf(Number(read('pid')));
  return pastDeadline('exec python3 hang.py', {
    // Python takes long to start.
    timeoutMs: 5000,
    killGraceMs: 1000,
    files: { 'hang.py': hungInKernel },
    meanwhile: async (scene) => {
      await until('the hook hangs in the kernel', () => scene.read('pid') !== undefined);
      expect(hungState(scene)).toBe('D');
    },
    afterwards: (scene) => expect(hungState(scene)).toBe('D'),
  });
});

fault('D9', () =>
  pastDeadline('mkfifo never; for i in $(seq 300); do : < never & done; echo > forked; wait', {
    // 300 forks take seconds on a busy machine.
    timeoutMs: 10_000,
    meanwhile: async ({ read, projectDir }) => {
      await until('the hook has forked', () => read('forked') !== undefined);
      // The project is used only here, so its path in the environment marks the processes of the hook.
      expect(processesWith(projectDir).length).toBeGreaterThan(300);
    },
  }),
);

/** A chain of processes, each of which lives for about 20 ms. If no test ends the chain, it ends by itself and reports that. */
const chain = `echo > started
sleep 0.02
if [ $1 = 0 ]; then echo > ran-out; else $2 sh chain.sh $(($1 - 1)) $2 & fi
`;

function breaksChain(startLink: string): Promise<void> {
  return pastDeadline(`sh chain.sh 600 ${startLink} & exec sleep 600`, {
    files: { 'chain.sh': chain },
    afterwards: ({ read }) => expect(read('started')).toBeDefined(),
    atLast: ({ read }) => expect(read('ran-out')).toBeUndefined(),
  });
}

fault('D10', () => breaksChain(''));

fault('D13', () => breaksChain('setsid'));

fault('D11', async () => {
  const hook = { command: 'echo no >&2; echo $$ > pid; exit 2', timeout: timeoutMs };
  await withHooks({ settings: settingsOf('BeforeTool', [hook]) }, async ({ hooks, handler, read }) => {
    const started = new Promise<void>((resolve) => {
      hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && resolve());
    });
    const fired = handler.fireBeforeToolEvent('write_file', {});
    await started;
    // From here on the agent's event loop is blocked: it notices neither the end of the hook nor the deadline.
    const deadline = performance.now() + timeoutMs;
    while (performance.now() <= deadline || !read('pid')?.endsWith('\n') || isRunning(Number(read('pid'))));
    const result = await fired;
    expect(result).toMatchObject({ verdict: { kind: 'deny', reason: 'no' }, outcomes: [{ status: 'blocked', exitCode: 2 }], errors: [] });
  });
});
