import { createHash } from 'node:crypto';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { routeOf } from '@tenterhook/protocol/internal';

/** The token of a channel in subjects. */
const kinds = {
  HOOK_EXECUTION_REQUEST: 'request',
  HOOK_EXECUTION_RESPONSE: 'response',
  HOOK_EXECUTION_PROGRESS: 'progress',
  HOOK_EXECUTION_CANCEL: 'cancel',
  HOOK_HANDLER_ANNOUNCE: 'announce',
  HOOK_HANDLER_CALL: 'call',
  HOOK_HANDLER_RESULT: 'result',
  HOOK_SERVICE_QUERY: 'query',
  HOOK_SERVICE_ANSWER: 'answer',
} as const satisfies Record<Channel, string>;

const channels = Object.fromEntries(Object.entries(kinds).map(([channel, kind]) => [kind, channel])) as Record<string, Channel>;

/** What is addressed to one client, in the last token of the subject: an answer, or news of a request. */
export type ReplyKind = 'taken' | 'declined' | 'refused' | 'response' | 'result' | 'answer' | 'progress' | 'alive';

/**
 * The subjects of one client. They are laid out so that permissions can name what a client may do. `N` is the namespace, `P` the
 * project:
 *
 * - `tenterhook.N.ask.P.<event>` and `tenterhook.N.call.P.<engine>`: a request to one worker. Agents publish, workers subscribe.
 * - `tenterhook.N.job.P.<event>`: a request that a stream keeps until a worker has answered it. Agents publish.
 * - `tenterhook.N.query.P`: a question about a service. Those who may ask publish, services that allow it subscribe.
 * - `tenterhook.N.reply.<client>.<session>.<request>.<kind>`: news of a request, its progress and its answer, for the client that made it.
 *   Workers publish, each agent subscribes to its own client, auditors to all.
 * - `tenterhook.N.cancel.<client>.<session>.<request>`: cancels a request at the worker that received it.
 * - `tenterhook.N.alive.<client>.<session>`: tests whether a worker still exists.
 * - `tenterhook.N.inbox.<client>.…`: answers of JetStream.
 * - `tenterhook.N.record`: lines of recordings, for a stream.
 * - `tenterhook.N.log.<kind>.P.…`: what is addressed to no client. Copies of requests for auditors, and announcements. The kind
 *   `announce-query` is for questions to engines, so that agents may ask engines to announce themselves, and cannot announce themselves.
 *
 * Requests are sent twice, to a worker and to the auditors: a subscriber of `ask` counts as a responder for the server, so an auditor there
 * would hide that there is no worker.
 */
export class Subjects {
  /** The subjects under which this client receives replies, cancels and tests of its existence. */
  readonly replies: string;
  readonly cancels: string;
  readonly alive: string;
  readonly namespace: string;
  /** What distributes stored requests among workers, which of them it has, and the subject on which this client receives them. */
  readonly jobs: { readonly consumer: string; readonly filter: string; readonly inbox: string };
  readonly #root: string;
  readonly #project: string;
  readonly #servedProjects: string;
  readonly #replyPattern: RegExp;
  readonly #controlPattern: RegExp;

  constructor(namespace: string, project: string | undefined, client: string, session: string) {
    this.namespace = namespace;
    this.#root = `tenterhook.${namespace}`;
    this.#project = project ?? '-';
    this.#servedProjects = project ?? '*';
    this.replies = `${this.#root}.reply.${client}.${session}`;
    this.cancels = `${this.#root}.cancel.${client}.${session}`;
    this.alive = `${this.#root}.alive.${client}.${session}`;
    this.jobs = {
      consumer: project === undefined ? 'workers' : `workers-${project}`,
      filter: `${this.#root}.job.${project ?? '*'}.*`,
      inbox: `${this.#root}.inbox.${client}.${session}.jobs`,
    };
    const escaped = this.#root.replace(/[.]/g, '\\.');
    this.#replyPattern = new RegExp(`^${escaped}\\.reply\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$`);
    this.#controlPattern = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
  }

  /** The subject of a request for one worker. */
  ask(message: BusMessage): string {
    const route = routeOf(message);
    if (route !== undefined) return `${this.#root}.call.${this.#project}.${encodeToken(route)}`;
    if (message.type === 'HOOK_SERVICE_QUERY') return `${this.#root}.query.${this.#project}`;
    return `${this.#root}.ask.${this.#project}.${encodeToken(eventNameOf(message))}`;
  }

  /** The subject of a request that a stream keeps for one worker. */
  job(message: BusMessage): string {
    return `${this.#root}.job.${this.#project}.${encodeToken(eventNameOf(message))}`;
  }

  /** The subject to which a server of a channel, or of one route of it, subscribes. */
  served(channel: Channel, route: string | undefined): string {
    const projects = this.#servedProjects;
    if (route !== undefined) return `${this.#root}.call.${projects}.${encodeToken(route)}`;
    return channel === 'HOOK_SERVICE_QUERY' ? `${this.#root}.query.${projects}` : `${this.#root}.ask.${projects}.*`;
  }

  /** The subject for what is addressed to no client. `own` marks an answer of a client to its own request. */
  log(message: BusMessage, own: boolean): string {
    const { type } = message;
    const suffix = own ? '-own' : isAnnouncementQuery(message) ? '-query' : '';
    const subject = `${this.#root}.log.${kinds[type]}${suffix}.${this.#project}`;
    return type === 'HOOK_EXECUTION_REQUEST' ? `${subject}.${encodeToken(eventNameOf(message))}` : subject;
  }

  /** The subjects on which all messages of a channel arrive, for whatever client. */
  all(channel: Channel): readonly string[] {
    const kind = kinds[channel];
    const logged = `${this.#root}.log.${kind}.>`;
    switch (channel) {
      case 'HOOK_EXECUTION_RESPONSE':
      case 'HOOK_HANDLER_RESULT':
      case 'HOOK_SERVICE_ANSWER':
        return [logged, `${this.#root}.log.${kind}-own.>`, `${this.#root}.reply.*.*.*.${kind}`];
      case 'HOOK_EXECUTION_PROGRESS':
        return [logged, `${this.#root}.reply.*.*.*.${kind}`];
      case 'HOOK_HANDLER_ANNOUNCE':
        return [logged, `${this.#root}.log.${kind}-query.>`];
      case 'HOOK_EXECUTION_CANCEL':
        return [logged, `${this.#root}.cancel.*.*.*`];
      default:
        return [logged];
    }
  }

  /** Whether the subject ends with the kind of an answer that a client gave to its own request. */
  isOwnAnswer(subject: string): boolean {
    return ['response', 'result', 'answer'].some((kind) => subject.startsWith(`${this.#root}.log.${kind}-own.`));
  }

  /** Whether only questions to engines are accepted on the subject. Agents may publish there, and must not be able to announce hooks. */
  isForQueries(subject: string): boolean {
    return subject.startsWith(`${this.#root}.log.announce-query.`);
  }

  /** Whether a subject is one on which a client of this namespace receives replies. A worker sends nothing to other subjects. */
  isReplyTarget(subject: string | undefined): subject is string {
    return subject !== undefined && this.#replyPattern.test(subject);
  }

  /** The subjects of a worker, from the two tokens by which it names itself. */
  controlOf(worker: string): { readonly cancels: string; readonly alive: string } | undefined {
    if (!this.#controlPattern.test(worker)) return undefined;
    return { cancels: `${this.#root}.cancel.${worker}`, alive: `${this.#root}.alive.${worker}` };
  }
}

/** Whether the message asks engines to announce themselves. */
export function isAnnouncementQuery({ type, payload }: BusMessage): boolean {
  return type === 'HOOK_HANDLER_ANNOUNCE' && (payload as { query?: unknown } | null | undefined)?.query === true;
}

export function kindOf(channel: Channel): string {
  return kinds[channel];
}

/** Returns the channel of the last token of a subject under `reply`, or undefined. */
export function channelOfKind(kind: string): Channel | undefined {
  return Object.hasOwn(channels, kind) ? channels[kind] : undefined;
}

function eventNameOf({ payload }: BusMessage): string {
  const name = (payload as { eventName?: unknown } | null | undefined)?.eventName;
  return typeof name === 'string' ? name : '';
}

/** Maximum number of characters of an encoded token. A longer text is replaced by its hash. */
const longestToken = 128;

/** Writes any text as one token of a subject. Different texts have different tokens. */
export function encodeToken(text: string): string {
  if (text === '') return '=';
  if (/^[A-Za-z0-9_-]{1,128}$/.test(text)) return text;
  const bytes = Buffer.from(JSON.stringify(text).slice(1, -1));
  let token = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    token += /[A-Za-z0-9_-]/.test(character) ? character : `=${byte.toString(16).padStart(2, '0')}`;
    if (token.length > longestToken) return `=${createHash('sha256').update(bytes).digest('hex')}`;
  }
  return token;
}
