import { createInterface } from 'node:readline';
import { escapeForTerminal } from 'tenterhook';
import type { Agent, Ask, HookMessages, Question } from 'tenterhook/agent';

export interface User {
  readonly ask: Ask;
  /** Asks a question of the agent itself, without notifying hooks. Only a line with "y" or "yes" means yes. */
  confirm(question: string): Promise<boolean>;
  /** Stops reading the input. */
  close(): void;
}

export interface UserOptions {
  /** Used to notify hooks before each question. */
  readonly agent: Agent;
  readonly isAsking: boolean;
  /** Receives the messages of Notification hooks. */
  readonly onMessages: (messages: HookMessages) => void;
  readonly input?: NodeJS.ReadableStream;
  readonly output?: NodeJS.WritableStream;
}

/**
 * Creates the user who answers the questions of hooks. Before each question, Notification hooks can alert the user.
 *
 * The command line decides whether the user is asked. Deciding by whether there is a terminal was rejected: in the same project the
 * agent would ask on a terminal and refuse in a pipe. With `isAsking`, an answer is a line of the input, typed or piped. A missing
 * line means no.
 */
export function createUser(options: UserOptions): User {
  const { agent, isAsking, onMessages, input = process.stdin, output = process.stdout } = options;
  let reader: ReturnType<typeof createInterface> | undefined;
  let lines: AsyncIterator<string> | undefined;
  const confirm = async (question: string, signal?: AbortSignal): Promise<boolean> => {
    // One reader is used for the whole run. With a new reader for each question, lines that came early would be lost. The reader is
    // not a `terminal`, which would handle Ctrl-C itself.
    reader ??= createInterface({ input, terminal: false });
    lines ??= reader[Symbol.asyncIterator]();
    output.write(`ask    ${escapeForTerminal(question)} [y/N] `);
    // A withdrawn question does not take a line of the input, because its caller has stopped waiting.
    const leaveLine = () => output.write('\n');
    signal?.addEventListener('abort', leaveLine, { once: true });
    const { done = false, value } = await lines.next();
    signal?.removeEventListener('abort', leaveLine);
    if (signal?.aborted) return false;
    // A terminal has already shown what was typed.
    if (!('isTTY' in input && input.isTTY)) output.write(`${done ? 'no answer' : escapeForTerminal(value)}\n`);
    return !done && /^y(es)?$/i.test(value.trim());
  };
  return {
    async ask(question, { signal }) {
      onMessages(await agent.notify({ ...notificationOf(question), signal }));
      if (!isAsking) return undefined;
      return (await confirm(messageOf(question), signal)) ? 'allow' : 'deny';
    },
    confirm: (question) => confirm(question),
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
