import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory, outcomeAt, processesWith, settingsOf, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { isRunning, stateOf } from './process-state.js';
import { expectGood, failsOnce, misbehavingOnce, withResidents } from './resident-hooks.js';

fault('R1', () =>
  withResidents(misbehavingOnce(`say one; say two`), async (fire) => {
    const [first, second] = [await fire(), await fire()];
    const codes = [...expectGood(first, 'one'), ...expectGood(second)];
    expect([...new Set(codes)]).toEqual(['resident_output']);
  }),
);

fault('R2', () =>
  withResidents(
    misbehavingOnce(`echo '{"id":1,"output":{"decision":"allow"}}'; echo '{"output":{"decision":"allow"}}'; say own`),
    async (fire) => {
      expect(expectGood(await fire(), 'own')).toEqual(['resident_output']);
    },
  ),
);

fault('R3', () =>
  withResidents(misbehavingOnce(`echo "reading \${#line} bytes"; echo "$line"; say own`), async (fire) => {
    expect(expectGood(await fire({ command: `"},"output":{"decision":"allow"}}` }), 'own')).toEqual(['resident_output']);
  }),
);

fault('R4', () => failsOnce(`printf '{"id":%s,"outp' "$id"; exit 0`, 'failed', 'resident_failed'));

fault('R5', () => failsOnce('exit 0', 'failed', 'resident_failed'));

fault('R6', () => failsOnce(`echo '{"id":'$id',"decision":"deny"}'`, 'failed', 'resident_failed'));

fault('R7', () => failsOnce('exec >&-; sleep 600', 'failed', 'resident_failed'));

fault('R8', () => failsOnce(`head -c 100000000 /dev/zero | tr '\\0' x; sleep 600`, 'failed', 'output_truncated'));

fault('R9', () => failsOnce('kill -9 $$', 'failed', 'signal'));

fault('R10', () => failsOnce('( sleep 600 ) & exit 3', 'failed', 'exit_code'));

fault('R11', () =>
  withResidents(misbehavingOnce(`echo 'not today' >&2; exit 2`), async (fire) => {
    const { verdict, outcomes } = await fire();
    expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('not today') });
    expect(outcomes).toMatchObject([{ status: 'blocked' }, { status: 'blocked' }]);
  }),
);

fault('R15', () =>
  withResidents(misbehavingOnce(`say "$$"`), async (fire, { projectDir }) => {
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      for (const name of ['open', 'closed']) rmSync(join(projectDir, `over-${name}`), { force: true });
      const pids = (await fire()).outcomes.map((outcome) => Number(outcome.output?.systemMessage));
      for (const pid of pids) process.kill(pid, signal);
      await until('they have ended, or are paused', () => pids.every((pid) => [undefined, 'Z', 'X', 'T'].includes(stateOf(pid))));
      expect(expectGood(await fire())).toEqual(['resident_restarted']);
      await until('they are gone', () => !pids.some(isRunning));
    }
  }),
);

fault('R18', async () => {
  const waits = `[ "$TENTERHOOK_MODE" = resident ] || { cat >/dev/null; echo 'no, cold' >&2; exit 2; }
${misbehavingOnce('until [ -e go ]; do sleep 0.01; done; say good')}`;
  const settings = settingsOf('BeforeTool', [
    { name: 'guard', command: waits, mode: 'resident', onError: 'block', env: { NAME: 'guard' } },
  ]);
  await withHooks({ settings }, async ({ handler, projectDir, read }) => {
    const first = handler.fireBeforeToolEvent('write_file', {});
    await until('it waits', () => existsSync(join(projectDir, 'over-guard')));
    const second = await handler.fireBeforeToolEvent('write_file', {});
    expect(second.verdict).toMatchObject({ kind: 'deny', reason: 'no, cold' });
    expect(outcomeAt(second, 0).route).toEqual({ kind: 'cold', reason: 'its resident process is busy' });
    expect(read('go')).toBeUndefined();
    writeFileSync(join(projectDir, 'go'), '');
    expect((await first).verdict.kind).toBe('none');
  });
});

fault('R19', async () => {
  const projectDir = freshDirectory();
  await withHooks(
    {
      projectDir,
      settings: settingsOf('BeforeTool', [
        { command: `trap '' TERM; ${misbehavingOnce('say good')}; sleep 600`, mode: 'resident', env: { NAME: 'a' } },
      ]),
    },
    async ({ handler }) => {
      expect((await handler.fireBeforeToolEvent('write_file', {})).outcomes).toMatchObject([{ route: { kind: 'resident' } }]);
      expect(processesWith(projectDir)).not.toEqual([]);
    },
  );
  expect(processesWith(projectDir)).toEqual([]);
});
