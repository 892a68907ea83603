import { askDaemon, findDaemonPlace, ownAgent } from '@tenterhook/relay';
import { isPlainObject } from '@tenterhook/runtime/json';
import { version } from '../../../version.js';

/** What a daemon says about itself. */
export interface DaemonState {
  readonly pid: number;
  readonly version: string;
  /** When it was started, in ISO 8601. */
  readonly started: string;
  /** The number of events that it has answered. */
  readonly events: number;
  /** The number of events that it is answering. */
  readonly running: number;
  /** The number of projects whose hooks are loaded, each with one environment. */
  readonly systems: number;
}

const longestMs = 5000;

/** Asks the daemon for its state, or to stop. Resolves to undefined if no daemon answers. */
export async function askAboutDaemon(
  event: 'status' | 'stop',
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DaemonState | undefined> {
  const place = findDaemonPlace(environment, false);
  if ('problem' in place) return undefined;
  const request = { version, agent: ownAgent, event, words: [], environment: {}, text: '' };
  const until = performance.now() + longestMs;
  const reply = await askDaemon(place.socket, request, { budgetUntil: until, answeredBy: until });
  if (reply.kind !== 'answered') return undefined;
  const state: unknown = JSON.parse(reply.answer.stdout);
  return isPlainObject(state) ? (state as unknown as DaemonState) : undefined;
}
