import { defaultDialects } from '@tenterhook/dialects';
import { messagesJsonSchema } from '@tenterhook/protocol';
import type { CommandContext } from '../context.js';
import { ExitStatus, UsageError } from '../exit-status.js';

export interface SchemaFlags {
  readonly dialect: string;
  readonly messages?: boolean;
}

/** Prints a JSON Schema: of the settings files of a dialect, or of what travels on the bus. Resolves to the exit status. */
export async function schema(flags: SchemaFlags, context: CommandContext): Promise<number> {
  const text = JSON.stringify(flags.messages ? messagesJsonSchema() : settingsSchema(flags.dialect), null, 2);
  context.stdout.write(`${text}\n`);
  return ExitStatus.ok;
}

function settingsSchema(name: string): object {
  const dialects = defaultDialects();
  const withSchema = dialects.flatMap((dialect) => (dialect.settingsJsonSchema === undefined ? [] : [dialect.name])).join(', ');
  const dialect = dialects.find((candidate) => candidate.name === name);
  if (dialect === undefined) throw new UsageError(`Unknown dialect "${name}". Dialects with a schema: ${withSchema}.`);
  const found = dialect.settingsJsonSchema?.();
  if (found === undefined) throw new UsageError(`The settings of "${name}" have no schema. Dialects with a schema: ${withSchema}.`);
  return found;
}
