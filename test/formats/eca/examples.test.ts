import { execFileSync } from 'node:child_process';
import { createHookClient, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, type Scene } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { testWithPrograms } from '../../support/program.js';
import { contextOf, hookOf, idOf } from './eca-hooks.js';
import {
  blockTool,
  externalScript,
  injectContext,
  modifyArguments,
  notifyAfterPrompt,
  rewritePrompt,
  ringBell,
  ringBellScript,
} from './page-examples.js';
import { pathOf, recordCalls, type tools } from './programs.js';

interface Example {
  /** The content of `~/.config/eca/config.json`. */
  readonly config: string;
  /** Programs that the example needs, besides bash. */
  readonly needs?: readonly (typeof tools)[number][];
  /** Creates files next to the settings. */
  readonly place?: (places: Places) => void;
}

/** Tests an example in its own home directory, with real programs. Whether the programs of a desktop exist depends on the test. */
function example(title: string, { config, needs = [], place }: Example, run: (scene: Scene, places: Places) => Promise<void>): void {
  testWithPrograms(['bash', ...needs], title, () =>
    withPlaces(async (places) => {
      places.write('home/.config/eca/config.json', config);
      place?.(places);
      await places.discover(async (scene) => {
        expect(scene.hooks.diagnostics).toEqual([]);
        await run(scene, places);
      });
    }, pathOf),
  );
}

const idOfUser = (name: string, eventName: Parameters<typeof idOf>[1]) => idOf(name, eventName, 'user');
const callTool = ({ handler }: Scene, approval?: 'allow' | 'ask' | 'deny') =>
  handler.fire('BeforeTool', { tool_name: 'write_file', tool_input: {}, ...(approval === undefined ? {} : { approval }) });

example(
  'example 1 of 8, notify after prompt: the program of the desktop is called with the text',
  { config: notifyAfterPrompt },
  async ({ handler }, places) => {
    const desktop = recordCalls(places, 'notify-send');
    const result = await handler.fireAfterAgentEvent('p', 'done');
    expect(result.outcomes).toMatchObject([{ hookId: idOfUser('notify-me', 'AfterAgent'), status: 'succeeded', warnings: [] }]);
    expect(desktop.calls()).toBe('Prompt finished!\n');
  },
);

example(
  'example 1 of 8 without a desktop: the hook failed for want of the program, and nothing else is hurt',
  {
    config: notifyAfterPrompt,
    place: ({ write }) => write('project/.eca/config.json', { hooks: { other: hookOf('postRequest', 'echo ran > other') } }),
  },
  async ({ handler }, places) => {
    const result = await handler.fireAfterAgentEvent('p', 'done');
    expect(result.outcomes).toMatchObject([
      { status: 'failed', exitCode: 127, warnings: [{ code: 'missing_command', message: expect.stringContaining('notify-send') }] },
      { name: 'other', status: 'succeeded' },
    ]);
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(places.read('project/other')).toBe('ran\n');
  },
);

const bell: Example = {
  config: ringBell,
  needs: ['jq'],
  place: ({ write }) => write('home/.config/eca/hooks/my-hook.sh', ringBellScript),
};

example(
  'examples 2 and 3 of 8, the script that rings a bell and its settings: it rings when approval is pending',
  bell,
  async (scene, places) => {
    const desktop = recordCalls(places, 'canberra-gtk-play');
    const result = await callTool(scene);
    expect(result.outcomes).toMatchObject([{ hookId: idOfUser('notify-me', 'BeforeTool'), status: 'succeeded', warnings: [] }]);
    expect(desktop.calls()).toBe('-i\ncomplete\n');
  },
);

example('examples 2 and 3 of 8: a call that needs no approval rings no bell, and the tool runs', bell, async (scene, places) => {
  const desktop = recordCalls(places, 'canberra-gtk-play');
  const result = await callTool(scene, 'allow');
  // `false && …` ends the script of the page with 1. That is a failure, so the tool runs (decision 58).
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 1, warnings: [{ code: 'exit_code' }] });
  expect(result.verdict.kind).toBe('none');
  expect(desktop.calls()).toBeUndefined();
});

example('examples 2 and 3 of 8 without a desktop: the hook failed for want of the program, and the tool runs', bell, async ({ hooks }) => {
  const tool = recordingTool();
  const call = { name: 'write_file', input: { path: 'a' }, approval: 'ask' as const, ask: () => 'allow' as const, ...tool };
  const { status, before } = await executeToolWithHooks(createHookClient(hooks), call);
  expect(status).toBe('executed');
  expect(before?.outcomes).toMatchObject([
    { status: 'failed', exitCode: 127, warnings: [{ code: 'missing_command', message: expect.stringContaining('canberra-gtk-play') }] },
  ]);
  expect(tool.calls).toHaveLength(1);
});

example(
  'example 4 of 8, inject context on chat start: the date of today is context',
  { config: injectContext, needs: ['date'] },
  async ({ handler }) => {
    const today = () => `Today is ${execFileSync('date', ['+%Y-%m-%d'], { encoding: 'utf8' }).trim()}`;
    // The hook may run before or after midnight.
    const before = today();
    const result = await handler.fireSessionStartEvent('startup');
    expect([before, today()]).toContain(contextOf(result));
    expect(outcomeAt(result, 0)).toMatchObject({ hookId: idOfUser('load-context', 'SessionStart'), status: 'succeeded', warnings: [] });
  },
);

example(
  'example 5 of 8, rewrite prompt: the agent works on the prompt with its prefix',
  { config: rewritePrompt, needs: ['jq'] },
  async ({ hooks }) => {
    const prompts: string[] = [];
    const respond = (prompt: string) => {
      prompts.push(prompt);
      return 'done';
    };
    await runAgentTurnWithHooks(createHookClient(hooks), { prompt: 'fix "it"\nnow', respond });
    expect(prompts).toEqual(['[IMPORTANT] fix "it"\nnow']);
  },
);

example(
  'example 6 of 8, block tool with JSON response: rm -rf is denied, and other commands run',
  { config: blockTool, needs: ['jq'] },
  async ({ handler }) => {
    const call = (tool: string, command: string) => handler.fireBeforeToolEvent(tool, { command });
    const denied = await call('run_shell_command', 'cd / && rm -rf *');
    expect(denied.verdict).toMatchObject({ kind: 'deny', reason: 'Dangerous command blocked', by: [idOfUser('block-rm', 'BeforeTool')] });
    const fine = await call('run_shell_command', 'ls');
    expect(fine.verdict.kind).toBe('none');
    expect(outcomeAt(fine, 0)).toMatchObject({ status: 'succeeded', warnings: [] });
    expect(outcomeAt(await call('write_file', 'rm -rf /'), 0)).toMatchObject({ status: 'skipped', skipReason: 'matcher' });
  },
);

example('example 7 of 8, modify tool arguments: the tool gets the depth of the hook', { config: modifyArguments }, async ({ hooks }) => {
  const tool = recordingTool();
  const call = (name: string) => executeToolWithHooks(createHookClient(hooks), { name, input: { path: '/srv', max_depth: 9 }, ...tool });
  await call('list_directory');
  await call('read_file');
  expect(tool.calls).toEqual([
    { path: '/srv', max_depth: 3 },
    { path: '/srv', max_depth: 9 },
  ]);
});

example(
  'example 8 of 8, use external script file: the script below the home decides',
  {
    config: externalScript,
    needs: ['jq'],
    // The page does not show this script.
    place: ({ write }) => write('home/.config/eca/hooks/check-tool.sh', 'echo "not $(jq -r .tool_name)" >&2\nexit 2\n'),
  },
  async (scene) => {
    const result = await callTool(scene);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'not write_file', by: [idOfUser('my-hook', 'BeforeTool')] });
  },
);
