import { parseArgs } from 'node:util';

export interface Options {
  readonly isAsking: boolean;
  readonly recordFile?: string;
}

/** A text instead of options says what is wrong, and how it is done. */
export function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({ args: [...args], options: { ask: { type: 'boolean' }, record: { type: 'string' } } });
    return { isAsking: values.ask === true, ...(values.record === undefined ? {} : { recordFile: values.record }) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return `${problem}\n--ask            put the questions of hooks to you\n--record FILE    write what was decided to FILE, as JSON`;
  }
}
