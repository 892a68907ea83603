import type { HookOutcome } from '@tenterhook/protocol';
import { warningCodes } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { group } from './guard-rig.js';

const llxprt = (hook: { command: string; timeout?: number }) => ({ tools: { enableHooks: true }, hooks: { BeforeTool: [group([hook])] } });
const briefly = (command: string) => llxprt({ command, timeout: 2000 });
const call = { tool_name: 'write_file', tool_input: { path: 'a' } };
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a guard that is stopped until its timeout, twice, denies; one that is only slow is ignored as its settings say', async () => {
  await withPlaces(async ({ write, discover }) => {
    write('project/.llxprt/settings.json', llxprt({ command: 'true' }));
    write('home/.llxprt/settings.json', briefly('kill -STOP $$'));
    await discover(async ({ hooks }) => {
      const { verdict, outcomes } = await hooks.fire('BeforeTool', call);
      expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('was stopped by a signal until its timeout') });
      expect(outcomes[1]).toMatchObject({
        status: 'timed-out',
        signal: 'SIGSTOP',
        failedClosed: true,
        warnings: [{ code: 'guard_killed' }, {}, {}],
      });
    });
    write('home/.llxprt/settings.json', briefly('exec sleep 60'));
    await discover(async ({ hooks }) => {
      const { verdict, outcomes } = await hooks.fire('BeforeTool', call);
      expect([verdict.kind, outcomes[1]?.status, warningCodes(outcomes[1] as HookOutcome)]).toEqual(['none', 'timed-out', ['timeout']]);
    });
  });
});
