import type { RelayAnswer, RelayFormat } from '@tenterhook/protocol';
import { relayPolicyWords } from '@tenterhook/protocol/internal';
import { defaultPolicy } from '../guards/guard-settings.js';
import type { ClientFacts } from './client-facts.js';

const message = 'The relay could not answer. Some or all guards were not asked. Run tenterhook relay doctor.';

/**
 * Returns the file beside the client: keys and values, with a tab between them. A client that cannot have an event answered prints one of
 * the answers here. It knows no format.
 */
export function clientFileText(facts: ClientFacts, agents: readonly { readonly name: string; readonly relay: RelayFormat }[]): string {
  const answers = agents.flatMap(({ name, relay }) =>
    Object.keys(relay.events).flatMap((event) =>
      relayPolicyWords.onFailure.map((onFailure) =>
        answerLine(`${onFailure} ${name} ${event}`, relay.failed(event, { ...defaultPolicy, onFailure }, message)),
      ),
    ),
  );
  return [...Object.entries(facts).map(([key, value]) => `${key}\t${value}\n`), ...answers].join('');
}

function answerLine(key: string, { exit, stdout, stderr }: RelayAnswer): string {
  return `${[key, exit, escaped(stdout), escaped(stderr)].join('\t')}\n`;
}

/** Escapes a text as `printf %b` reads it. An empty text is `\c`, because shells join empty fields between tabs. */
function escaped(text: string): string {
  if (text === '') return '\\c';
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
