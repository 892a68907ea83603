import type { ToolResult } from '@tenterhook/agent';
import type { CreateHooksOptions } from 'tenterhook';
import { says, warningCodes } from '../../support/fire-hooks.js';
import { formats } from '../../support/formats.js';
import type { Places } from '../../support/places.js';
import { attack } from '../attack.js';
import { withLevels } from '../levels/places.js';
import { agains, type Format, type Place, places, replaces, type Settings, sawOf, settingsOf, withRedactions } from './passing.js';

describe('what a hook takes out stays out', () => {
  attack(
    {
      id: 'extension-undoes-redaction',
      attacker: 'a hook of an extension or of a repository',
      attempt: 'runs beside a hook of the user that removes a secret from the data, and returns the original data with a small change',
      result: 'the hook of the user is run again on what the other hook wrote: the change stays, and the secret is removed',
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
      attacker: 'the result of a tool or of a model',
      attempt:
        'contains two secrets. Two hooks of the user each remove one of them, and so write back the secret that the other hook removed',
      result: 'the second hook is run again on what the first one wrote, and both secrets are removed',
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
      attempt:
        'writes a secret back, in a format whose hooks run after those of the user; or writes something that the hook of the user cannot read',
      result: 'the hook of the user is run again on the new data. If it then fails, the data are withheld, even with "onError": "continue"',
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
      attacker: 'a tool, or data that it read',
      attempt: 'fails, with the secret in its error or in its other output, in a format in which hooks do not see failures',
      result: 'hooks see the error and the output, and the result that they write replaces both',
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
