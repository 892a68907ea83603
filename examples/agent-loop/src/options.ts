import { parseArgs } from 'node:util';

export interface Options {
  readonly isAsking: boolean;
  readonly recordFile?: string;
  /** The folder in which the agent works, and which is kept. @default a temporary folder, which is removed */
  readonly keptFolder?: string;
}

const usage = `\
--ask            put the questions of hooks to you
--record FILE    write what was decided to FILE, as JSON
--keep DIR       work in DIR, and leave it there`;

/** Reads the options. If the arguments are invalid, returns a text that says what is wrong and how to use the program. */
export function readOptions(args: readonly string[]): Options | string {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args: [...args], options: { ask: { type: 'boolean' }, record: text, keep: text } });
    return {
      isAsking: values.ask === true,
      ...(values.record === undefined ? {} : { recordFile: values.record }),
      ...(values.keep === undefined ? {} : { keptFolder: values.keep }),
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${usage}`;
  }
}
