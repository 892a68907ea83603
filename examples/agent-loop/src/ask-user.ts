import { createInterface } from 'node:readline';
import { escapeForTerminal } from 'tenterhook';
import type { Agent, Ask, HookMessages, Question } from 'tenterhook/agent';

export interface User {
  readonly ask: Ask;
  /** Stops reading the input. */
  close(): void;
}

export interface UserOptions {
  /** Notifies hooks of each question. */
  readonly agent: Agent;
  readonly isAsking: boolean;
  /** Messages of hooks of Notification. */
  readonly onMessages: (messages: HookMessages) => void;
  readonly input?: NodeJS.ReadableStream;
  readonly output?: NodeJS.WritableStream;
}

/**
 * Asks the user the questions of hooks, after hooks of Notification had a chance to alert them.
 *
 * The command line decides whether the user is asked. Guessing from the terminal was rejected: an agent that asks on a terminal and refuses
 * in a pipe decides differently in the same project. With `isAsking`, an answer is a line of the input, typed or piped; no line means no.
 */
export function createUser(options: UserOptions): User {
  const { agent, isAsking, onMessages, input = process.stdin, output = process.stdout } = options;
  let reader: ReturnType<typeof createInterface> | undefined;
  let lines: AsyncIterator<string> | undefined;
  return {
    async ask(question, { signal }) {
      onMessages(await agent.notify({ ...notificationOf(question), signal }));
      if (!isAsking) return undefined;
      // One reader for the whole run: with a new reader for each question, lines that came early would be lost. Not a
      // `terminal`, which would handle Ctrl-C itself.
      reader ??= createInterface({ input, terminal: false });
      lines ??= reader[Symbol.asyncIterator]();
      output.write(`ask    ${escapeForTerminal(messageOf(question))} [y/N] `);
      // A withdrawn question does not consume its line; its caller has stopped waiting.
      const leaveLine = () => output.write('\n');
      signal.addEventListener('abort', leaveLine, { once: true });
      const { done = false, value } = await lines.next();
      signal.removeEventListener('abort', leaveLine);
      if (signal.aborted) return 'deny';
      // The terminal shows typed input already.
      if (!('isTTY' in input && input.isTTY)) output.write(`${done ? 'no answer' : escapeForTerminal(value)}\n`);
      return !done && /^y(es)?$/i.test(value.trim()) ? 'allow' : 'deny';
    },
    close: () => reader?.close(),
  };
}

function notificationOf(question: Question) {
  const { eventName, subject, input, by } = question;
  const type = eventName === 'BeforeTool' ? 'ToolPermission' : 'Permission';
  return { type, message: messageOf(question), details: { subject, input, by } };
}

function messageOf({ subject, reason }: Question): string {
  return `May ${subject} go ahead? ${reason ?? ''}`.trimEnd();
}
