import { defaultDialects } from '@tenterhook/dialects';
import { messagesJsonSchema } from '@tenterhook/protocol/internal';
import type { CommandContext } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import { findDialect } from '../hooks/dialect-name.js';

export interface SchemaFlags {
  /** The format of the settings. @default 'llxprt' */
  readonly dialect?: string;
  readonly messages?: boolean;
}

/** Prints the JSON Schema of a dialect's settings files, or of the messages on the bus. Resolves to the exit status. */
export async function schema(named: string | undefined, flags: SchemaFlags, context: CommandContext): Promise<number> {
  if (named !== undefined && (flags.messages || flags.dialect !== undefined)) {
    throw new UsageError(`"${named}" and ${flags.messages ? '--messages' : '--dialect'} name two schemas. Pass one of them.`);
  }
  const text = JSON.stringify(
    flags.messages
      ? messagesJsonSchema()
      : settingsSchema(named ?? flags.dialect ?? 'llxprt', named === undefined ? '--dialect' : 'schema'),
    null,
    2,
  );
  context.stdout.write(`${text}\n`);
  return ExitStatus.ok;
}

function settingsSchema(name: string, option: string): object {
  const dialects = defaultDialects();
  const withSchema = dialects.filter(({ settingsJsonSchema }) => settingsJsonSchema !== undefined);
  return findDialect(name, withSchema, option).settingsJsonSchema?.() ?? {};
}
