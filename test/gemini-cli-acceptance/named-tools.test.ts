import { executeToolWithHooks } from '@tenterhook/agent';
import { geminiCli } from '@tenterhook/dialects';
import { groupOf, seen, specific, withGemini } from './gemini-hooks.js';

const tools = { bash: { as: 'run_shell_command', keys: { cmd: 'command' } } };

test("a guard for run_shell_command is asked of the agent's own shell, and what it writes gets there", async () => {
  const matcher = '^run_shell_command$';
  const command = `cat > seen.json; ${specific({ tool_input: { command: 'ls -l' } })}`;
  const settings = { BeforeTool: [groupOf(command, { matcher })] };
  await withGemini(
    settings,
    async (scene) => {
      const ran: unknown[] = [];
      const execute = (input: unknown) => {
        ran.push(input);
        return { llmContent: 'done' };
      };
      const call = { name: 'bash', input: { cmd: 'ls' }, execute };
      expect(await executeToolWithHooks(scene.client, call)).toMatchObject({ status: 'executed' });
      expect(seen(scene)).toMatchObject({ tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
      expect(ran).toEqual([{ cmd: 'ls -l' }]);
    },
    { dialects: [geminiCli({ tools })] },
  );
});

test('a call with two commands is denied before such a guard could see the wrong one', async () => {
  await withGemini(
    { BeforeTool: [groupOf('true', { matcher: 'run_shell_command' })] },
    async ({ handler }) => {
      const { verdict } = await handler.fireBeforeToolEvent('bash', { cmd: 'rm -r /', command: 'ls' });
      expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('say different things of one argument') });
    },
    { dialects: [geminiCli({ tools })] },
  );
});
