import { styleText } from 'node:util';
import { escapeForTerminal } from 'tenterhook';
import { describeCall } from './gen-ai-shape.js';
import type { Watcher } from './loop.js';
import type { Operation } from './operation.js';

type Format = Parameters<typeof styleText>[0];

/** Prints the steps of the agent. The timelines of hooks are printed between them. */
export function createNarrator(onOperation: (operation: Operation) => void): Watcher {
  return {
    prompted: (prompt) => narrate('user', prompt, 'green', '\n'),
    notified: (text) => narrate('hook', text, 'yellow'),
    continued: (reason) => narrate('hook', reason, 'yellow', '\n'),
    said: (who, text) => narrate(who, text, who === 'hook' ? 'yellow' : 'cyan'),
    called: (call) => narrate('calls', describeCall(call), 'bold'),
    saw: (text, isError) => narrate('sees', `${text.trimEnd().replaceAll(/\n+/g, '\n')}\n`, isError ? 'red' : undefined),
    stopped: (reason) => narrate('stop', reason, 'red'),
    compressed: (text) => narrate('agent', `The history was long: ${text}`),
    did: onOperation,
  };
}

/** Text of hooks and models is escaped, because escape codes in it must not reach the terminal. */
function narrate(who: string, text: string, format?: Format, before = ''): void {
  const styled = (line: string) => (format === undefined || line === '' ? line : styleText(format, line));
  const [first = '', ...more] = text.split('\n').map((line) => styled(escapeForTerminal(line, 400)));
  const rest = more.map((line) => `\n${line === '' ? '' : `       ${line}`}`).join('');
  console.log(`${before}${styleText('dim', who.padEnd(6))} ${first}${rest}`);
}
