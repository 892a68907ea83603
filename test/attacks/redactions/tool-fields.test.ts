import { HookEngine } from '@tenterhook/handlers';
import { formats } from '../../support/formats.js';
import { attack } from '../attack.js';
import { ofResult, replaces, sawOf, settingsOf, withRedactions, withTwoLevels } from './passing.js';

const rewrites = (filter: string) =>
  `jq -c '{ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: (.tool_response | ${filter}) } }'`;

attack(
  {
    id: 'redaction-beside-tool-fields',
    attacker: 'a tool whose result has a secret',
    attempt: 'has the secret in a second field, too, when a hook of Claude Code removes it from the field that this hook knows',
    result: 'if a hook changes a text in a field of the tool, this text replaces the whole result, for the model and for the user',
  },
  async () => {
    for (const filter of [
      '. + { stdout: (.stdout | sub("sk-one"; "[X]")) }',
      'del(.stdout)',
      '{ stdout: "please use [X]", stderr: "" }',
      '. + { stdout: "[X]", llmContent: (.llmContent + " ") }',
    ]) {
      await withTwoLevels({ format: 'claude-code', event: 'PostToolUse', user: [rewrites(filter)] }, ({ passed, outcomes }) => {
        expect([filter, passed]).toEqual([filter, expect.not.stringContaining('sk-one')]);
        expect(outcomes).toMatchObject([{ status: 'succeeded', warnings: [] }]);
      });
    }
  },
);

attack(
  {
    id: 'tool-fields-after-redaction',
    attacker: 'a hook of a repository',
    attempt: 'reads from the fields of the tool (stdout, file) what a handler of the program has removed from the result',
    result: 'Tenterhook computes these fields from the result that the handler wrote',
  },
  async () => {
    const engine = new HookEngine();
    engine.register({ id: 'result', event_type: 'post_tool_use' });
    engine.registerHandler('result', {
      handle: ({ payload: { result } }) => ({ action: 'Continue', modified: { output: result.output.replaceAll('sk-one', '[X]') } }),
    });
    const write: Parameters<typeof withRedactions>[0] = (at) => {
      const reads = replaces('other', ofResult, 'use', 'take');
      at.write(formats['claude-code'].project, settingsOf(ofResult, reads));
      return { handlers: [engine] };
    };
    await withRedactions(write, 'PostToolUse', (result) => {
      expect(sawOf(result, 'other').map((line) => JSON.parse(line))).toMatchObject([
        { llmContent: 'please use [X] and pw-two', stdout: 'please use [X] and pw-two' },
      ]);
      expect(sawOf(result, 'other').join()).not.toContain('sk-one');
      expect(result.passed).not.toContain('sk-one');
    });
  },
);

attack(
  {
    id: 'secret-back-in-tool-fields',
    attacker: 'a hook of a repository',
    attempt:
      'writes a secret back into a field of the tool (stdout), beside a hook of the user that removes the secret, or in another format',
    result: 'a change of such a field is a rewrite of the result, so the hook of the user is run again on it',
  },
  async () => {
    const project = [rewrites('. + { stdout: "new sk-one" }')];
    for (const user of [
      { format: 'claude-code' as const, user: [rewrites('. + { stdout: (.stdout | gsub("sk-one"; "[X]")) }')] },
      { format: 'gemini-cli' as const, user: [`jq -c 'select(tostring | test("sk-one")) | { decision: "deny", reason: "removed" }'`] },
    ]) {
      const levels = { ...user, event: 'PostToolUse', project, projectFormat: 'claude-code' } as const;
      await withTwoLevels(levels, ({ passed, outcomes }) => {
        expect([user.format, passed]).toEqual([user.format, expect.not.stringContaining('sk-one')]);
        expect(outcomes.filter(({ level }) => level === 'project')).toMatchObject([{ status: 'succeeded' }]);
      });
    }
  },
);
