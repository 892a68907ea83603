import { isAbsolute } from 'node:path';
import { existingFolder, findProjectDirectory, type UnreadInput } from '@tenterhook/relay';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import type { RelayedDialect } from '../relayed-agent.js';

/** The directories of an event. */
export interface Place {
  readonly cwd: string;
  readonly projectDir: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where the command was started, and what the agent wrote. */
export interface PlaceRequest {
  readonly text: string | UnreadInput;
  readonly agent: RelayedDialect;
  readonly event: string;
  /** The directory of the option `--cwd`. */
  readonly named?: string | undefined;
  /** The working directory of the command. Undefined if it was deleted. */
  readonly current: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Finds the directories of an event. The input may be invalid; the directory of the command then counts. */
export function findPlace({ text, agent, event, named, current, environment }: PlaceRequest): Place {
  const cwd = existingFolder(named ?? cwdIn(text, agent, event) ?? current ?? '/');
  const projectDir = named === undefined ? findProjectDirectory(cwd, environment, agent.agentVariables ?? []) : cwd;
  return { cwd, projectDir, home: dialectContext(projectDir, environment).home, environment };
}

/** The directory in the input, which only the format of the agent can find. */
function cwdIn(text: string | UnreadInput, { relay }: RelayedDialect, event: string): string | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const heard = relay.hear(JSON.parse(text.replace(/^\uFEFF/, '')), event);
    const cwd = heard.kind === 'events' ? heard.inputs[0]?.input['cwd'] : undefined;
    return typeof cwd === 'string' && isAbsolute(cwd) ? cwd : undefined;
  } catch {
    return undefined;
  }
}
