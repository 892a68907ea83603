import type { Ask } from '@tenterhook/agent';
import type { ClientSource, OnMessage } from '@tenterhook/agent/internal';
import type { Approvals } from '../asking/approvals.js';
import type { ClientAbilities } from '../asking/client-abilities.js';
import type { Elicitations } from '../asking/elicitations.js';
import type { Message } from '../wire/message.js';
import type { LinkSession } from './link-session.js';
import type { OpenRequests } from './open-requests.js';
import type { OutputSchemas } from './output-schemas.js';
import type { Tasks } from './tasks.js';

export interface LinkOptions {
  readonly source: ClientSource;
  /** The name of the server, for hooks and for people. */
  readonly server: string;
  readonly ask?: Ask | undefined;
  readonly approvals?: 'framework' | undefined;
  readonly maxRetries?: number | undefined;
  readonly onMessage?: OnMessage | undefined;
  /** Whether the link fires SessionStart and SessionEnd. */
  readonly hasSession: boolean;
  /** The clock, in milliseconds. @default performance.now() */
  readonly now?: (() => number) | undefined;
}

/**
 * The two sides of a link. `Context` is what belongs to a message of the client and goes with it to the server. `isShown` says that a hook
 * received the message, so that the other side must receive nothing that the hook could not see.
 */
export interface LinkEnds<Context> {
  /** If the promise rejects, the promise of `fromClient` rejects with the same error. */
  toServer(message: Message, context: Context | undefined, isShown?: boolean): void | Promise<void>;
  /** `extra` is what came with the message of the server. Undefined for a message of ours. Must not throw. */
  toClient(message: Message, extra?: unknown, isShown?: boolean): void;
}

/** What the parts of a link share. */
export interface LinkParts<Context> {
  readonly options: LinkOptions;
  readonly ends: LinkEnds<Context>;
  readonly open: OpenRequests;
  readonly session: LinkSession;
  readonly abilities: ClientAbilities;
  readonly elicitations: Elicitations;
  readonly approvals: Approvals;
  readonly schemas: OutputSchemas;
  readonly tasks: Tasks;
  /** Why the server can answer no more. Undefined while it can. */
  serverEnd: string | undefined;
}
