import { join } from 'node:path';
import type { FunctionCall } from './gen-ai-shape.js';
import { reply, type Story } from './story.js';

// The key is concatenated, so that no secret scanner reports this file.
const keyOfUser = ['sk', 'live', '4f9a2c7e1b8d6035'].join('-');
const keyOfStation = ['sk', 'test', '90b1c2d3e4f5a6b7'].join('-');

const notes = 'The station reports every ten minutes.\nThe battery lasts three days.\n';

/** A story with hooks on all eleven events, and a model that triggers most of them. */
export const weatherStation: Story = {
  title: 'An agent loop with hooks',
  workspace: join(import.meta.dirname, '../workspace'),
  settings: ['.llxprt/settings.json'],
  sessionId: 'agent-loop-example',
  prompts: [
    `Write down what we know about the weather station, and set it up. My key is ${keyOfUser}, should you need it.`,
    'Which number has the station?',
    'Freeze the project: nothing is to be written any more.',
    'And now a poem about the wind, please.',
  ],
  replies: [
    (seen) =>
      reply(
        `${seen.text.includes('[REDACTED]') ? 'Your key reached me as [REDACTED]; I do not need it. ' : ''}I write down what I know, and count it.`,
        writeFile('notes.md', notes),
        shell('cat notes.md | wc -l'),
      ),

    () =>
      reply(
        'A copy belongs beside the project. And the station needs settings; mara.lind@example.org knows more about them.',
        writeFile('../notes-copy.md', notes),
        writeFile('station.env', `STATION_ID=17\nAPI_KEY=${keyOfStation}\n`),
      ),

    (seen) =>
      reply(
        `${seen.isError ? 'The copy was refused, so I stay inside. ' : ''}${seen.text.includes('redacted') ? 'The key was taken out; it has to come from the environment. ' : ''}Now I tidy up.`,
        shell('rm -rf notes.md'),
      ),

    (seen) => reply(seen.isError ? 'I may not delete that by myself, so it stays. All is set up.' : 'All is tidy and set up.'),

    () => reply('The facts went into notes.md, the settings into station.env.'),

    // The answer to the third prompt. A hook answers the second.
    () => reply('I freeze it.', writeFile('FREEZE', 'Frozen on request.\nTo be thawed by hand.\n')),

    // The model was not offered this tool in this request. It may know the tool from the conversation.
    () => reply('One more line for the notes.', writeFile('notes.md', `${notes}It is on the roof.\n`)),

    (seen) => reply(seen.isError ? 'That came too late: FREEZE is in force, and nothing else was written.' : 'FREEZE is written.'),
  ],
  // Hooks of PreCompress, Notification and SessionEnd write these files. Answers to these events are ignored, so only files can show that
  // the hooks ran.
  leavesBehind: ['.llxprt/history.md', '.llxprt/notifications.log', '.llxprt/sessions.log'],
};

function writeFile(path: string, content: string): FunctionCall {
  return { name: 'write_file', args: { path, content } };
}

function shell(command: string): FunctionCall {
  return { name: 'run_shell_command', args: { command } };
}
