import { isPlainObject } from '@tenterhook/runtime/json';
import type { Message } from '../wire/message.js';

/** How a client can be asked. */
export interface Abilities {
  /** Whether the request follows the protocol 2026-07-28 or a later one. There a question is the result of the call, and not a request. */
  readonly isModern: boolean;
  /** Whether the client can show its user a question. */
  readonly canAsk: boolean;
}

const firstModern = '2026-07-28';

/** What the client declared: once in `initialize`, or from the protocol 2026-07-28 on in each request. */
export class ClientAbilities {
  #canAsk = false;

  readInitialize({ capabilities }: Message): void {
    this.#canAsk = canShowForms(capabilities);
  }

  of({ _meta: meta }: Message): Abilities {
    const version = isPlainObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined;
    // Revisions are dates, so their texts have the order of the dates.
    if (!isPlainObject(meta) || typeof version !== 'string' || version < firstModern) return { isModern: false, canAsk: this.#canAsk };
    return { isModern: true, canAsk: canShowForms(meta['io.modelcontextprotocol/clientCapabilities']) };
  }
}

/** A capability without a mode means forms, as in the protocols before there were modes. */
function canShowForms(capabilities: unknown): boolean {
  const elicitation = isPlainObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isPlainObject(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined);
}
