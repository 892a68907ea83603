import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { relayProgram } from '@tenterhook/protocol/internal';
import { clientFileText, factIn } from '@tenterhook/relay';
import { clientProgram } from '@tenterhook/relay-client';
import { describeThrown } from '@tenterhook/runtime/text';
import { CommandError } from '../../errors/exit-status.js';
import { ownFile, version } from '../../version.js';
import { logFile } from './relay-log.js';
import { relayedDialects } from './relayed-agent.js';
import { replaceAtOnce } from './replace-at-once.js';

interface ClientPlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** `program`: the compiled one. `script`: the one for machines without it, which is slower. */
export type ClientKind = 'program' | 'script' | 'missing';

/** What is known about the installed client. */
export interface ClientState {
  readonly file: string;
  readonly kind: ClientKind;
  /** The version of the package that has written it. */
  readonly version?: string;
  /** Files that it names and that do not exist. */
  readonly missing: readonly string[];
}

/** Returns the path of the program that agents start. It is outside of the package, so that an update of the package keeps it. */
export function clientFile({ environment, home }: ClientPlace): string {
  const folder = environment['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(folder) ? folder : join(home, '.local/share'), 'tenterhook/bin', relayProgram);
}

/**
 * Copies the client, and writes the file beside it: with Node and the script of the command, and with the answers for events that the relay
 * could not answer. Without a program, the client is a script for Node.
 */
export function installClient(place: ClientPlace, script: string, program: string | null = clientProgram() ?? null): void {
  const file = clientFile(place);
  const node = process.execPath;
  const facts = { node, script, version, log: logFile(place) };
  try {
    mkdirSync(dirname(file), { recursive: true });
    mkdirSync(dirname(facts.log), { recursive: true, mode: 0o700 });
    // An agent may start the program at any time.
    replaceAtOnce(`${file}.conf`, Buffer.from(clientFileText(facts, relayedDialects)), 0o644);
    replaceAtOnce(file, program === null ? Buffer.from(scriptText(node)) : readFileSync(program), 0o755);
  } catch (error) {
    const message = `The program ${file} and the folder of ${facts.log} cannot be written: ${describeThrown(error)}. Nothing was installed.`;
    throw new CommandError({ code: 'invalid_request', message });
  }
}

/** Examines the installed client. */
export function readClient(place: ClientPlace): ClientState {
  const file = clientFile(place);
  if (!existsSync(file)) return { file, kind: 'missing', missing: [] };
  const kind = readFileSync(file).toString('latin1', 0, 2) === '#!' ? 'script' : 'program';
  const text = existsSync(`${file}.conf`) ? readFileSync(`${file}.conf`, 'utf8') : '';
  const named = [factIn(text, 'node'), factIn(text, 'script')].map((path) => path ?? `${file}.conf`);
  const written = factIn(text, 'version');
  return { file, kind, missing: named.filter((path) => !existsSync(path)), ...(written === undefined ? {} : { version: written }) };
}

/** The client of machines for which there is no compiled one. */
function scriptText(node: string): string {
  const client = ownFile('dist/cli/relay-client.cjs');
  return `#!/bin/sh
# Written by "tenterhook relay install". An agent starts this program for each of its events.
node=${quoted(node)}
client=${quoted(client)}
if [ -x "$node" ] && [ -f "$client" ]; then
  "$node" "$client" "$0.conf" "$@"
  status=$?
  case $status in 0 | 2 | 64) exit $status ;; esac
fi
policy=open
for word; do
  case $word in --closed | closed) policy=closed ;; esac
done
tab=$(printf '\\t')
while IFS=$tab read -r key status out error; do
  if [ "$key" = "$policy $1 $2" ]; then
    printf %b "$out"
    printf %b "$error" >&2
    exit "$status"
  fi
done < "$0.conf"
if [ $policy = closed ]; then
  echo 'tenterhook-hook: the guards could not be asked, and there is no stored answer. Run tenterhook relay install.' >&2
  exit 2
fi
exit 0
`;
}

/** Returns a word of a shell command. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
