import { styleText } from 'node:util';
import type { FinishedCall, Watcher } from './agent-loop.js';
import type { ToolCall } from './scripted-model.js';

/** Tells the story of the loop: what the model says, what it calls, what it gets to see. The hooks in between tell theirs. */
export function createNarrator(onFinished: (finished: FinishedCall) => void): Watcher {
  return {
    said: (text) => {
      console.log('');
      narrate('model', styleText('cyan', text));
    },
    called: (call) => narrate('calls', styleText('bold', describeCall(call))),
    finished: (finished) => {
      narrate('sees', finished.seen.isError ? styleText('red', finished.seen.text) : finished.seen.text);
      onFinished(finished);
    },
  };
}

export function describeCall({ name, input }: ToolCall): string {
  return `${name} ${input['path'] ?? input['command'] ?? ''}`.trimEnd();
}

function narrate(who: string, text: string): void {
  const [first, ...more] = text.trimEnd().split('\n');
  console.log(`${styleText('dim', who.padEnd(6))} ${first}`);
  for (const line of more) console.log(`       ${line}`);
}
