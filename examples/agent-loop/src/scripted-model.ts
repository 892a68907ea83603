import type { ToolInput } from './tools.js';

export interface ToolCall {
  readonly name: string;
  readonly input: ToolInput;
}

export interface ModelReply {
  readonly text: string;
  /** Without a call the model is done. */
  readonly call?: ToolCall;
}

/** What the model gets to see between two of its replies. */
export interface Seen {
  readonly text: string;
  readonly isError?: boolean;
}

export interface Model {
  reply(seen: Seen): ModelReply;
}

type Turn = (seen: Seen) => ModelReply;

/** Stands for a language model, so that the example needs no key and says the same every time. It does react to what the hooks tell it. */
export function createScriptedModel(): Model {
  const turns = [...script];
  return { reply: (seen) => turns.shift()?.(seen) ?? { text: 'Done.' } };
}

const notes = 'The station reports every ten minutes.\nThe battery lasts three days.\n';
// Put together here, so that no scanner of this repository takes it for a real key.
const apiKey = ['sk', 'live', '4f9a2c7e1b8d6035'].join('-');

const script: Turn[] = [
  () => ({ text: 'I write down what I know.', call: { name: 'write_file', input: { path: 'notes.md', content: notes } } }),

  () => ({ text: 'I look at it once more.', call: { name: 'read_file', input: { path: 'notes.md' } } }),

  () => ({ text: 'How many lines is that?', call: { name: 'run_shell_command', input: { command: 'cat notes.md | wc -l' } } }),

  () => ({ text: 'A copy belongs beside the project.', call: { name: 'write_file', input: { path: '../notes-copy.md', content: notes } } }),

  (seen) => ({
    text: seen.isError ? 'That was refused, so I stay inside. The station needs its settings.' : 'The station needs its settings.',
    call: { name: 'write_file', input: { path: 'station.env', content: `STATION_ID=17\nAPI_KEY=${apiKey}\n` } },
  }),

  () => ({ text: 'Did the settings arrive?', call: { name: 'read_file', input: { path: 'station.env' } } }),

  (seen) => ({
    text: seen.text.includes('[REDACTED]')
      ? 'The key was taken out; it has to come from the environment. Now I tidy up.'
      : 'Now I tidy up.',
    call: { name: 'run_shell_command', input: { command: 'rm -rf notes.md' } },
  }),

  (seen) => ({ text: seen.isError ? 'I may not delete that by myself. I leave it to you, and am done.' : 'All tidy. I am done.' }),
];
