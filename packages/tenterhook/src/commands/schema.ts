import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultDialects } from '@tenterhook/dialects';
import { ExitStatus, UsageError } from '../exit-status.js';

export interface SchemaFlags {
  readonly dialect: string;
  readonly messages?: boolean;
}

/** Prints a JSON Schema: of the settings files of a dialect, or of what travels on the bus. Resolves to the exit status. */
export async function schema(flags: SchemaFlags): Promise<number> {
  process.stdout.write(flags.messages ? packaged('@tenterhook/protocol/schema/messages.schema.json') : settingsSchema(flags.dialect));
  return ExitStatus.ok;
}

/** Found by the dialect's name, so that a dialect that brings a schema needs no word here. */
function settingsSchema(name: string): string {
  const names = defaultDialects().map((dialect) => dialect.name);
  const withSchema = names.filter((candidate) => read(candidate) !== undefined).join(', ');
  if (!names.includes(name)) throw new UsageError(`There is no dialect "${name}". Those with a schema are: ${withSchema}.`);
  const text = read(name);
  if (text === undefined) throw new UsageError(`The settings of "${name}" have no schema. Those with one are: ${withSchema}.`);
  return text;
}

function read(dialect: string): string | undefined {
  try {
    return packaged(`@tenterhook/dialects/schema/${dialect}-settings.schema.json`);
  } catch {
    return undefined;
  }
}

function packaged(specifier: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8');
}
