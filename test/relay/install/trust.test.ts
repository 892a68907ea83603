import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTerminal } from '../../trust/command/terminal.js';
import { groups, printing, RelayedAgent } from '../relayed-agent.js';

const agent = new RelayedAgent('gemini-cli');
afterAll(() => agent.remove());

const P = { session_id: 's1', cwd: agent.project, tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const start = { session_id: 's1', cwd: agent.project, source: 'startup' };
const places = { project: agent.project, home: agent.home, at: (path: string) => join(agent.home, path) };

/** The list of guards that comes with the project. */
function writeList(reason: string, more: object = {}, project = agent.project): void {
  mkdirSync(join(project, '.tenterhook'), { recursive: true });
  const guard = groups('llxprt', 'BeforeTool', printing({ decision: 'deny', reason }));
  writeFileSync(join(project, '.tenterhook/relay.json'), JSON.stringify({ guards: [guard], ...more }));
}

/** Asks and answers `relay trust`. */
async function trust(answer: string, directory = agent.project): Promise<string> {
  const terminal = openTerminal([directory], places, { command: ['relay', 'trust'] });
  const question = await terminal.screen();
  await terminal.answer(answer);
  expect(await terminal.status).toBe(0);
  return question;
}

test('guards of a project run when the user has trusted them, from the next event on, until they change', async () => {
  writeList('of the project');
  expect(agent.run('BeforeTool', P)).toMatchObject({ stdout: '{}\n', seen: [] });
  expect(agent.run('SessionStart', start).answer).toEqual({ systemMessage: expect.stringContaining('tenterhook relay trust') });
  expect(await trust('y')).toContain('of the project');
  expect(agent.run('BeforeTool', P).answer).toEqual({ decision: 'deny', reason: 'of the project' });
  writeList('of an attacker');
  expect(agent.run('BeforeTool', P)).toMatchObject({ seen: [] });
  expect(await trust('n')).toContain('of an attacker');
  expect(agent.run('BeforeTool', P)).toMatchObject({ seen: [] });
  expect(agent.run('SessionStart', start).stdout).toBe('{}\n');
});

test('a list of a project loosens nothing', () => {
  writeList('of the project', { onFailure: 'open', discover: false, agents: {} });
  const { answer } = agent.run('BeforeTool', P);
  expect(answer).toMatchObject({ systemMessage: expect.stringContaining('"onFailure" is ignored in a repository') });
});

test('only a person can trust', async () => {
  expect(await agent.act('trust')).toMatchObject({ status: 1, stderr: expect.stringContaining('not_a_terminal') });
  expect(await agent.act('stop', 'here')).toMatchObject({ status: 64, stderr: expect.stringContaining('no argument') });
});

test('a named directory is the project, also below a repository: an agent may have been started there', async () => {
  const inner = join(agent.project, 'inner');
  mkdirSync(join(agent.project, '.git'));
  writeList('of the inner project', {}, inner);
  const question = await trust('y', inner);
  expect(question).toContain('of the inner project');
  expect(question).toContain(inner);
  const { answer } = agent.run('BeforeTool', { ...P, cwd: inner }, [], [], { GEMINI_PROJECT_DIR: inner });
  expect(answer).toEqual({ decision: 'deny', reason: 'of the inner project' });
});

test('a directory that does not exist is refused, and the folder above it is not asked about', async () => {
  const terminal = openTerminal([join(agent.project, 'missing')], places, { command: ['relay', 'trust'] });
  expect(await terminal.status).toBe(64);
  expect(terminal.stderr()).toContain('missing');
});
