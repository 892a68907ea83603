import { existsSync, readFileSync, rmSync } from 'node:fs';
import { replaceFile } from '@tenterhook/migrate';
import type { DialectContext } from '@tenterhook/protocol';
import { startsRelay } from '@tenterhook/protocol/internal';
import { withTomlBlock } from '@tenterhook/relay';
import { describeThrown } from '@tenterhook/runtime/text';
import { documentOfText } from '../../../../settings/read/read-document.js';
import type { RelayedDialect } from '../relayed-agent.js';
import { cannot } from './settings-file.js';

/** Settings of an agent with entries, and where they are. */
export interface Entries {
  readonly file: string;
  readonly source: string;
  /** The text of the settings. */
  readonly text: string;
}

/** What the agent reads if its user has accepted the entries. Undefined if the agent cannot be answered in a file. */
export function acceptance(agent: RelayedDialect, { file, source, text }: Entries, context: DialectContext) {
  const read = documentOfText(text.replace(/^\uFEFF/, ''), file, source);
  if (agent.relay.accepted === undefined || read.state !== 'read') return undefined;
  const { hooks } = agent.parse(read.document, context);
  const own = hooks.filter(({ action }) => startsRelay(action));
  return agent.relay.accepted(own, context);
}

/** Writes that the user has accepted the entries, or takes it out if there are none. Returns the file with it. */
export function writeAcceptance(agent: RelayedDialect, entries: Entries, context: DialectContext): string | undefined {
  const accepted = acceptance(agent, entries, context);
  if (accepted === undefined) return undefined;
  const { file, toml } = accepted;
  try {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const after = withTomlBlock(before ?? '', entries.file, toml === '' ? undefined : toml);
    if (after === (before ?? '')) return toml === '' ? undefined : file;
    if (after === '') rmSync(file);
    else replaceFile(file, before, after);
    return file;
  } catch (error) {
    throw cannot(file, 'cannot be written', describeThrown(error));
  }
}
