import { parseArgs } from 'node:util';

export interface Options {
  readonly isAsking: boolean;
  readonly recordFile?: string;
  /** The folder in which the agent works. It is kept. @default a temporary folder, which is removed */
  readonly keptFolder?: string;
  /** The address of a receiver of OTLP over HTTP, e.g. http://127.0.0.1:4318. @default no telemetry */
  readonly telemetryUrl?: string;
}

const usage = `\
--ask            put the questions of hooks to you
--record FILE    write what was decided to FILE, as JSON
--keep DIR       work in DIR, and leave it there
--otel URL       send spans to this receiver of OTLP over HTTP`;

/** Reads the options. If the arguments are invalid, returns a text that says what is wrong and how to use the program. */
export function readOptions(args: readonly string[]): Options | string {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args: [...args], options: { ask: { type: 'boolean' }, record: text, keep: text, otel: text } });
    if (values.otel !== undefined && !URL.canParse(values.otel))
      return `--otel must be an address, and is ${JSON.stringify(values.otel)}.\n${usage}`;
    return {
      isAsking: values.ask === true,
      ...(values.record === undefined ? {} : { recordFile: values.record }),
      ...(values.keep === undefined ? {} : { keptFolder: values.keep }),
      ...(values.otel === undefined ? {} : { telemetryUrl: values.otel }),
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${usage}`;
  }
}
