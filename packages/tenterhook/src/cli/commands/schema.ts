import { defaultDialects } from '@tenterhook/dialects';
import { messagesJsonSchema } from '@tenterhook/protocol';
import type { CommandContext } from '../context.js';
import { findDialect } from '../dialect-name.js';
import { ExitStatus } from '../exit-status.js';

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
  const withSchema = dialects.filter(({ settingsJsonSchema }) => settingsJsonSchema !== undefined);
  return findDialect(name, withSchema).settingsJsonSchema?.() ?? {};
}
