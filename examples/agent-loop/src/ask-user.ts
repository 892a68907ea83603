import { createInterface } from 'node:readline';
import { escapeForTerminal } from 'tenterhook';
import type { Agent, Ask, HookMessages, Question } from 'tenterhook/agent';

export interface User {
  readonly ask: Ask;
  /** Lets go of the input. */
  close(): void;
}

export interface UserOptions {
  /** Notifies hooks of each question. */
  readonly agent: Agent;
  readonly isAsking: boolean;
  /** What hooks of Notification say. */
  readonly onMessages: (messages: HookMessages) => void;
  readonly input?: NodeJS.ReadableStream;
  readonly output?: NodeJS.WritableStream;
}

/**
 * Puts the questions of hooks to the user, after hooks of Notification had a chance to call them to the screen.
 *
 * Whether anybody is asked is said on the command line and not guessed from the terminal: an agent that asks on a terminal and refuses in
 * a pipe decides differently where nobody looks. With `isAsking`, an answer is a line of the input, typed or piped, and no line is a no.
 */
export function createUser(options: UserOptions): User {
  const { agent, isAsking, onMessages, input = process.stdin, output = process.stdout } = options;
  let reader: ReturnType<typeof createInterface> | undefined;
  let lines: AsyncIterator<string> | undefined;
  return {
    async ask(question, { signal }) {
      onMessages(await agent.notify({ ...notificationOf(question), signal }));
      if (!isAsking) return undefined;
      // One reader for the run, and one way to read: with a new one a question, lines that came early would be lost. Not a
      // `terminal`, which would take Ctrl-C for itself.
      reader ??= createInterface({ input, terminal: false });
      lines ??= reader[Symbol.asyncIterator]();
      output.write(`ask    ${escapeForTerminal(messageOf(question))} [y/N] `);
      // A question that is withdrawn leaves its line; whoever asked has stopped waiting.
      const leaveLine = () => output.write('\n');
      signal.addEventListener('abort', leaveLine, { once: true });
      const { done = false, value } = await lines.next();
      signal.removeEventListener('abort', leaveLine);
      if (signal.aborted) return 'deny';
      // What is typed stands there already.
      if (!('isTTY' in input && input.isTTY)) output.write(`${done ? 'nobody answers' : escapeForTerminal(value)}\n`);
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
