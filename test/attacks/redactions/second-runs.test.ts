import type { ToolResult } from '@tenterhook/agent';
import type { CreateHooksOptions } from 'tenterhook';
import { says, warningCodes } from '../../support/fire-hooks.js';
import type { Places } from '../../support/places.js';
import { attack } from '../attack.js';
import { formats, withLevels } from '../levels/places.js';
import { agains, type Format, type Place, places, replaces, type Settings, sawOf, settingsOf, withRedactions } from './passing.js';

describe('what a hook takes out stays out', () => {
  attack(
    {
      id: 'extension-undoes-redaction',
      attacker: 'a hook of an extension or of a repository',
      attempt: 'return the data that it was shown, with a small change, beside a hook of the user that takes a secret out of them',
      result: 'the hook of the user is run again on what the other one wrote: both changes hold, and the secret is out',
    },
    async () => {
      for (const place of places) {
        // Every process of a hook costs time, so hooks of a project are tried in one format.
        for (const owner of place.format === 'claude-code' ? (['extension', 'project'] as const) : (['extension'] as const)) {
          const [user, other] = [replaces('user', place, 'sk-one', '[X]'), replaces('other', place, 'please', 'PLEASE')];
          const write = (at: Places) => {
            at.write(formats[place.format].user, settingsOf(place, user));
            if (owner === 'extension') {
              const { hooks } = settingsOf(place, other);
              return { extensions: [{ name: 'x', dialect: place.format, hooks: hooks as object }] } as CreateHooksOptions;
            }
            at.write(formats[place.format].project, settingsOf(place, other));
            return undefined;
          };
          await withRedactions(write, place.event, (result) => {
            const what = [place.format, place.event, owner];
            expect([...what, result.passed]).toEqual([...what, expect.not.stringContaining('sk-one')]);
            expect([...what, result.passed]).toEqual([...what, expect.stringContaining('PLEASE use [X] and pw-two')]);
            expect(agains(result.outcomes)).toEqual([['user', 'succeeded']]);
            // The other hook is not run again, so that a redaction is not shown what it has taken out.
            expect(sawOf(result, 'other')).toHaveLength(1);
          });
        }
      }
    },
  );

  attack(
    {
      id: 'redactions-undo-each-other',
      attacker: 'what a tool or a model returned',
      attempt:
        'have two secrets, each of which another hook of the user takes out, so that each hook writes back what the other one removed',
      result: 'the second hook is run again on what the first one wrote, and both secrets are out',
    },
    async () => {
      for (const place of places) {
        const hooks = [replaces('one', place, 'sk-one', '[X]'), replaces('two', place, 'pw-two', '[Y]')];
        const write = (at: Places) => {
          at.write(formats[place.format].user, settingsOf(place, ...hooks));
          return undefined;
        };
        await withRedactions(write, place.event, (result) => {
          expect([place.event, result.passed]).toEqual([place.event, expect.stringContaining('please use [X] and [Y]')]);
          expect([place.event, result.passed]).toEqual([place.event, expect.not.stringMatching(/sk-one|pw-two/)]);
          expect(agains(result.outcomes)).toEqual([['user', 'succeeded']]);
        });
      }
    },
  );

  attack(
    {
      id: 'later-format-undoes-redaction',
      attacker: 'a hook of a repository',
      attempt: 'write a secret back in a format whose hooks run after those of the user, or write what its hook cannot read',
      result: 'the hook of the user is run again on what goes on; if it fails then, the data are withheld, whatever its onError is',
    },
    async () => {
      const user: Place = { format: 'llxprt', event: 'AfterModel', field: 'llm_response', shown: 'llm_response' };
      for (const [said, result] of [
        ['key sk-one', 'key [X]'],
        ['crash sk-one', undefined],
      ] as const) {
        const crashes = `tee now | grep -q crash && exit 1; ${replaces('user', user, 'sk-one', '[X]')} < now`;
        const undoes = says({ hookSpecificOutput: { hookEventName: 'AfterModel', llm_response: { text: said } } });
        const write = (at: Places) => {
          at.write(formats.llxprt.user, settingsOf(user, crashes));
          at.write(formats['gemini-cli'].project, settingsOf({ format: 'gemini-cli', event: 'AfterModel' }, undoes));
          return undefined;
        };
        await withRedactions(write, 'AfterModel', ({ passed, outcomes }) => {
          expect(passed).not.toContain('sk-one');
          if (result !== undefined) expect(passed).toContain(result);
          expect(agains(outcomes)).toEqual([['user', result === undefined ? 'failed' : 'succeeded']]);
        });
      }
    },
  );
});

describe('the result of a tool that failed', () => {
  const takesOut = 'sed s/sk-one/[X]/g';
  const ofClaude = `{ hookSpecificOutput: { hookEventName: .hook_event_name, updatedToolOutput: .error } }`;
  const redactions: readonly [Format | 'eca', string, Settings][] = [
    [
      'claude-code',
      'home/.claude/settings.json',
      settingsOf({ format: 'claude-code', event: 'PostToolUseFailure' }, `jq -c '${ofClaude}' | ${takesOut}`),
    ],
    [
      'eca',
      'home/.config/eca/config.json',
      {
        hooks: {
          redacts: {
            type: 'postToolCall',
            runOnError: true,
            actions: [{ type: 'shell', shell: `jq -c '{ replacedOutput: .tool_response.llmContent }' | ${takesOut}` }],
          },
        },
      },
    ],
  ];
  /** Tools that fail with the secret: in what they throw, in the error that they return, and in the result beside an error. */
  const failures: (() => ToolResult)[] = [
    () => {
      throw new Error('curl: 401 for key sk-one');
    },
    () => ({ llmContent: 'no key sk-one', error: { message: 'no key sk-one' } }),
    () => ({ llmContent: 'API_KEY=sk-one', returnDisplay: 'API_KEY=sk-one', error: { message: 'exit code 1' } }),
    () => ({ llmContent: [{ text: 'API_KEY=sk-one' }], error: 'exit code 1' }),
  ];

  attack(
    {
      id: 'failed-tool-keeps-secret',
      attacker: 'a tool, or what it read',
      attempt: 'fail with the secret in its error or in the output beside it, where hooks of the format may say nothing about a failure',
      result: 'hooks are shown the error and the output, and what they write in place of a result replaces both',
    },
    async () => {
      for (const [format, file, settings] of redactions) {
        await withLevels(async (at, discover) => {
          at.write(file, settings);
          await discover(async ({ hooks }) => {
            for (const [index, execute] of failures.entries()) {
              const call = await hooks.agent().tool({ name: 'run_shell_command', input: { command: 'x' }, execute });
              const passed = JSON.stringify([call.result, call.reason]);
              expect([format, index, passed]).toEqual([format, index, expect.not.stringContaining('sk-one')]);
              expect([format, index, passed]).toEqual([format, index, expect.stringContaining('[X]')]);
            }
          });
        });
      }
    },
  );
});

test('hooks of one level that write different places, or the same value, run once', async () => {
  const place = places[0] as Place;
  const sets = (llm_request: object) => says({ hookSpecificOutput: { llm_request } });
  const hooks = [sets({ config: { temperature: 0 } }), sets({ config: { topP: 1 } }), sets({ config: { temperature: 0 } })];
  const write = (at: Places) => {
    at.write(formats.llxprt.user, settingsOf(place, hooks[0] as string, hooks[1] as string, `${hooks[2]}; true`));
    return undefined;
  };
  await withRedactions(write, 'BeforeModel', ({ outcomes }) => {
    expect(outcomes.map((outcome) => [outcome.status, ...warningCodes(outcome)])).toEqual(Array(3).fill(['succeeded']));
  });
});
