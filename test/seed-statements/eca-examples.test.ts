import { createHookClient, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { contextOf } from '../eca-acceptance/eca-hooks.js';
import { pathOf, recordCalls } from '../eca-acceptance/programs.js';
import {
  blockTool,
  externalScript,
  injectContext,
  modifyArguments,
  notifyAfterPrompt,
  rewritePrompt,
  ringBell,
  ringBellScript,
} from '../eca-acceptance/seed-examples.js';
import { recordingTool } from '../support/agent.js';
import { outcomeAt, type Scene } from '../support/fire-hooks.js';
import { type Places, withPlaces } from '../support/places.js';
import { testWithPrograms } from '../support/program.js';

const { hashOf } = (await import('../../scripts/seed-statements/extract.mjs' as string)) as { hashOf: (text: string) => string };
const { readList } = (await import('../../scripts/seed-statements/statement-list.mjs' as string)) as {
  readList: () => { statements: { id: string; hash: string }[] };
};

/** A block of the document: its citation, the file that it names, and what stands in that. */
type Block = readonly [citation: string, file: string, text: string];

const config = '~/.config/eca/config.json';

/**
 * test/eca-acceptance looks at the examples more closely, and at machines without a desktop. Here each is shown to be the block of the
 * document, but for its white space, and to do what its title says.
 */
function example(title: string, blocks: readonly Block[], run: (scene: Scene, places: Places) => Promise<void>): void {
  const citations = blocks.map(([citation]) => citation).join(' ');
  testWithPrograms(['bash', 'date', 'jq'], `${citations} ${title}`, () =>
    withPlaces(async (places) => {
      for (const [citation, file, text] of blocks) {
        expect(readList().statements.find(({ id }) => citation === `[${id}]`)?.hash).toBe(hashOf(`${file}\n${text}`));
        places.write(file.replace('~', 'home'), text);
      }
      // The script of the last example, whose text the document leaves open.
      places.write('home/.config/eca/hooks/check-tool.sh', 'echo "not $(jq -r .tool_name)" >&2\nexit 2\n');
      await places.discover(async (scene) => {
        expect(scene.hooks.diagnostics).toEqual([]);
        await run(scene, places);
      });
    }, pathOf),
  );
}

example(
  'the desktop is told when the prompt is finished, and the chat does not show it',
  [['[004/examples/notify-after-prompt/config.json]', config, notifyAfterPrompt]],
  async ({ hooks, progress }, places) => {
    const desktop = recordCalls(places, 'notify-send');
    const told: (string | undefined)[] = [];
    const respond = () => {
      told.push(desktop.calls());
      return 'done';
    };
    await runAgentTurnWithHooks(createHookClient(hooks), { prompt: 'p', respond });
    expect([...told, desktop.calls()]).toEqual([undefined, 'Prompt finished!\n']);
    expect(progress.filter(({ kind }) => kind === 'hook-started')).toMatchObject([{ name: 'notify-me', hidden: true }]);
  },
);

example(
  'a bell rings when the user has to approve a call, and not otherwise',
  [
    ['[004/examples/ring-bell-sound-when-pending-tool-call-approval/my-hook.sh]', '~/.config/eca/hooks/my-hook.sh', ringBellScript],
    ['[004/examples/ring-bell-sound-when-pending-tool-call-approval/config.json]', config, ringBell],
  ],
  async ({ handler, progress }, places) => {
    const desktop = recordCalls(places, 'canberra-gtk-play');
    const call = (approval: string) => handler.fire('BeforeTool', { tool_name: 'read_file', tool_input: {}, approval });
    expect((await call('allow')).verdict.kind).toBe('none');
    expect(desktop.calls()).toBeUndefined();
    expect((await call('ask')).verdict.kind).toBe('none');
    expect(desktop.calls()).toBe('-i\ncomplete\n');
    expect(progress.filter(({ kind }) => kind === 'hook-started')).toMatchObject([{ hidden: true }, { hidden: true }]);
  },
);

example(
  'the date is context of a chat from its start',
  [['[004/examples/inject-context-on-chat-start/config.json]', config, injectContext]],
  async ({ handler }) => {
    expect(contextOf(await handler.fireSessionStartEvent('startup'))).toEqual(expect.stringMatching(/^Today is \d{4}-\d\d-\d\d$/));
  },
);

example(
  'the prompt has a prefix, and is the same behind it',
  [['[004/examples/rewrite-prompt/config.json]', config, rewritePrompt]],
  async ({ handler }) => {
    const result = await handler.fireBeforeAgentEvent('fix "it"\nnow');
    expect(result.finalOutput?.hookSpecificOutput).toEqual({ replacedPrompt: '[IMPORTANT] fix "it"\nnow' });
  },
);

example(
  'rm -rf is blocked, and other commands are not',
  [['[004/examples/block-tool-with-json-response/config.json]', config, blockTool]],
  async ({ handler }) => {
    const call = (command: string) => handler.fireBeforeToolEvent('run_shell_command', { command });
    expect((await call('rm -rf /')).verdict).toMatchObject({ kind: 'deny', reason: 'Dangerous command blocked' });
    expect((await call('rm a')).verdict.kind).toBe('none');
    expect(outcomeAt(await handler.fireBeforeToolEvent('read_file', {}), 0)).toMatchObject({ skipReason: 'matcher' });
  },
);

example(
  'the listing goes as deep as the hook says, and other arguments stay',
  [['[004/examples/modify-tool-arguments/config.json]', config, modifyArguments]],
  async ({ hooks }) => {
    const tool = recordingTool();
    const input = { path: '/srv', max_depth: 9 };
    for (const name of ['list_directory', 'read_file']) await executeToolWithHooks(createHookClient(hooks), { name, input, ...tool });
    expect(tool.calls).toEqual([{ path: '/srv', max_depth: 3 }, input]);
  },
);

example(
  'the script below the home directory decides',
  [['[004/examples/use-external-script-file/config.json]', config, externalScript]],
  async ({ handler }) => {
    expect((await handler.fireBeforeToolEvent('write_file', {})).verdict).toMatchObject({ kind: 'deny', reason: 'not write_file' });
  },
);
