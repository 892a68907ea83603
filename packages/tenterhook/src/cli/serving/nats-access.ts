import { readFileSync } from 'node:fs';
import { describeThrown } from '@tenterhook/runtime/text';
import { type CommandContext, resolvePath } from '../context.js';
import { CommandError, UsageError } from '../errors/exit-status.js';

/** The flags that say how to authenticate at a NATS server. */
export interface NatsAccessFlags {
  readonly client?: string;
  readonly credentials?: string;
  readonly nkeyFile?: string;
  readonly tokenFile?: string;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

const flagNames = Object.keys({
  client: true,
  credentials: true,
  nkeyFile: true,
  tokenFile: true,
  user: true,
  passwordFile: true,
  tlsCa: true,
  tlsCert: true,
  tlsKey: true,
} satisfies Record<keyof NatsAccessFlags, true>) as (keyof NatsAccessFlags)[];

/** Selects the flags about access. */
export function accessFlagsOf(flags: NatsAccessFlags): NatsAccessFlags {
  return Object.fromEntries(flagNames.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]));
}

/** Throws a UsageError if the address has a user or a password: it appears in messages, and a command line in the list of processes. */
export function requirePlainAddress(nats: string | undefined): void {
  if (nats?.includes('@')) {
    throw new UsageError('--nats must not contain a user or a password. Pass --user with NATS_PASSWORD, or --credentials.');
  }
}

/** Returns the options of `connectToNats()`. Throws a CommandError for a file that cannot be read. */
export function natsAccessOf(flags: NatsAccessFlags, context: CommandContext): Readonly<Record<string, unknown>> {
  const { client, credentials, nkeyFile, tokenFile, user, passwordFile, tlsCa, tlsCert, tlsKey } = flags;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new UsageError('--tls-cert and --tls-key belong together. Pass both.');
  if (passwordFile !== undefined && user === undefined) throw new UsageError('--password-file needs --user <name>.');
  const secret = (option: string, file: string) => readSecret(option, file, context);
  const hasOther = credentials !== undefined || nkeyFile !== undefined || user !== undefined;
  const { NATS_TOKEN: token } = context.env;
  const files = Object.entries({ caFile: tlsCa, certFile: tlsCert, keyFile: tlsKey }).filter(([, file]) => file !== undefined);
  return {
    ...(client === undefined ? {} : { client }),
    ...(credentials === undefined ? {} : { credentials: secret('--credentials', credentials) }),
    ...(nkeyFile === undefined ? {} : { nkeySeed: secret('--nkey-file', nkeyFile) }),
    ...(tokenFile === undefined ? {} : { token: secret('--token-file', tokenFile) }),
    ...(tokenFile === undefined && !hasOther && token ? { token } : {}),
    ...(user === undefined ? {} : { user, password: passwordFile ? secret('--password-file', passwordFile) : passwordOf(context) }),
    ...(files.length === 0 ? {} : { tls: Object.fromEntries(files.map(([name, file]) => [name, resolvePath(context, file as string)])) }),
  };
}

/** Reads a file with a secret, without the line break at its end. The message of an error does not contain the secret. */
function readSecret(option: string, file: string, context: CommandContext): string {
  let text: string;
  try {
    text = readFileSync(resolvePath(context, file), 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandError({ code: 'invalid_request', message: `${option} ${file} cannot be read: ${describeThrown(error)}` });
  }
  if (text !== '') return text;
  throw new CommandError({ code: 'invalid_request', message: `${option} ${file} is empty. Write the secret into the file.` });
}

function passwordOf({ env }: CommandContext): string {
  const password = env['NATS_PASSWORD'];
  if (password !== undefined && password !== '') return password;
  const message = '--user needs a password. Set the environment variable NATS_PASSWORD, or pass --password-file.';
  throw new CommandError({ code: 'invalid_request', message });
}
