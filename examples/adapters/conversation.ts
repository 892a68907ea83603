/** The conversation of every example in this folder: what the user types, and what the scripted model calls and answers. */
export const prompt = 'Write down what we know about the weather station, and set it up.';

/** A call of a tool by the model. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: 'write_file' | 'run_shell_command';
  readonly input: Readonly<Record<string, string>>;
}

/** The calls of the model, one answer after the other. The last answer is `answer`. */
export const steps: readonly (readonly ScriptedCall[])[] = [
  [
    { id: 'call-1', name: 'write_file', input: { path: 'notes.md', content: 'Station 17 reports each hour.\n' } },
    { id: 'call-2', name: 'write_file', input: { path: '../notes-copy.md', content: 'Station 17 reports each hour.\n' } },
  ],
  [{ id: 'call-3', name: 'write_file', input: { path: 'station.env', content: 'KEY=sk-live-9f8e7d6c5b4a39281706\n' } }],
  [{ id: 'call-4', name: 'run_shell_command', input: { command: 'rm -rf notes.md' } }],
];

export const answer = 'I wrote notes.md and station.env. The copy and the removal were refused.';
