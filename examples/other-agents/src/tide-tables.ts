import { join } from 'node:path';
import { reply, type Story } from '@tenterhook/example-agent-loop';

const shell = (command: string) => ({ name: 'run_shell_command', args: { command } });
// Typical output of a model: it has a key in the source, and is on one line.
const client = "export const key = 'example-90b1c2d3e4f5a6b7';\n";
const stations = '{"Helgoland":{"lat":54.18,"lon":7.89},"Cuxhaven":{"lat":53.87}}';

/**
 * A project with the hooks of two agents, and a third agent, whose tools have other names and arguments. The agent does not know the hooks,
 * which are in the settings of `workspace/.claude` and `workspace/.gemini`.
 */
export const tideTables: Story = {
  title: "Other agents' hooks",
  workspace: join(import.meta.dirname, '../workspace'),
  sessionId: 'other-agents-example',
  prompts: ['Add Cuxhaven to the stations, and look where the tides come from.', 'Which version of the tables is this?', 'Push it.'],
  replies: [
    () => reply('I look at what is there.', { name: 'read_file', args: { path: 'feed.json' } }, shell('cat .env')),

    (seen) =>
      reply(
        `${seen.text.includes('[REDACTED]') ? 'The key reached me as [REDACTED]. ' : ''}${seen.isError ? 'I do without .env. ' : ''}Now the station, and a client.`,
        { name: 'write_file', args: { path: 'stations.json', content: stations } },
        { name: 'write_file', args: { path: 'client.mjs', content: client } },
      ),

    (seen) => reply(`Cuxhaven is among the stations${seen.isError ? ', and the client has to wait' : ''}.`),

    // The agent continues. It finds the text only if the file was formatted, because the model wrote it without that space.
    () =>
      reply('The longitude is missing.', {
        name: 'replace',
        args: { path: 'stations.json', old_string: '"lat": 53.87', new_string: '"lat": 53.87,"lon":8.72' },
      }),

    (seen) => reply(seen.isError ? 'I could not add it.' : 'Cuxhaven has both now.'),

    // The answer to the third prompt. A hook answers the second.
    () => reply('I push what we have.', shell('git push origin main')),

    (seen) => reply(seen.isError ? 'I may not push by myself. All is on your disk.' : 'It is pushed.'),
  ],
  leavesBehind: ['stations.json', '.claude/notifications.log'],
};
