import type { Question } from '@tenterhook/agent';
import { escapeUnseen } from '@tenterhook/runtime/text';
import type { Message } from '../wire/message.js';

/** The maximum number of characters of the arguments in a question. Clients show questions in small dialogs. */
const mostShown = 2000;

/** The text of a question: the tool, why hooks ask, and the arguments that the tool would receive. */
export function formatQuestion({ subject, reason, input }: Question, server: string): string {
  const shown = JSON.stringify(input, undefined, 2) ?? '';
  const rest = shown.length - mostShown;
  const cut = rest > 0 ? `${shown.slice(0, mostShown)}… (${rest} more characters)` : shown;
  return makeVisible(
    [`May ${escapeUnseen(subject)} of the MCP server "${server}" run?`, ...(reason === undefined ? [] : [reason]), '', cut].join('\n'),
  );
}

/** The parameters of `elicitation/create`. The form is empty: accept, decline and cancel are the answers. */
export function questionParams(message: string): Message {
  return { message, requestedSchema: { type: 'object', properties: {} } };
}

/** Escapes characters that a person does not see, and that could hide a part of the arguments. Line feeds stay. */
function makeVisible(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeUnseen(line))
    .join('\n');
}
