import { answerPrompt } from './answer-prompt.js';
import { type Loop, takeMessages } from './loop.js';
import { promptOperation } from './operation.js';

/** Runs a session from its start to its end. The agent works on each prompt until no hook makes it continue, or a hook stops it. */
export async function runSession(loop: Loop, prompts: readonly string[]): Promise<void> {
  const { agent, conversation } = loop;
  const start = await agent.session.start();
  // Messages of SessionStart hooks become instructions. There is no prompt yet to which they could be added, and they must survive
  // a compression.
  conversation.instruct([...start.systemMessages, ...(start.additionalContext === undefined ? [] : [start.additionalContext])]);
  takeMessages(loop, { ...start, systemMessages: [] });

  for (const prompt of prompts) {
    if (conversation.isLong) await compress(loop);
    if ((await workOn(loop, prompt)) === 'stopped') break;
  }

  // This event is fired even after Ctrl-C: the agent's signal does not end its hooks. Their own timeouts limit the wait.
  takeMessages(loop, await agent.session.end());
}

async function workOn(loop: Loop, prompt: string): Promise<'ended' | 'stopped'> {
  const { agent, conversation, watcher } = loop;
  watcher.prompted(prompt);
  let noted = 0;
  const outcome = await agent.turn({
    prompt,
    respond: (text, { turn, systemMessages }) => {
      // The first prompt is the user's, with the context of hooks. Later prompts are the reasons of hooks that denied.
      if (turn > 1) watcher.continued(text);
      conversation.note(systemMessages);
      noted += systemMessages.length;
      return answerPrompt(loop, text);
    },
  });
  // The outcome has the messages of all events of the turn. Messages that came with a prompt are already in the conversation, so
  // they are left out.
  takeMessages(loop, { ...outcome, systemMessages: outcome.systemMessages.slice(noted) });
  watcher.did(promptOperation(prompt, outcome));
  if (outcome.status === 'completed') return 'ended';
  watcher.stopped(('stopReason' in outcome ? outcome.stopReason : undefined) ?? outcome.reason ?? 'A hook gave no reason.');
  return outcome.status === 'stopped' ? 'stopped' : 'ended';
}

async function compress(loop: Loop): Promise<void> {
  const { agent, conversation, watcher } = loop;
  const outcome = await agent.compress({ trigger: 'auto', compress: () => conversation.compress() });
  takeMessages(loop, outcome);
  watcher.compressed(outcome.compressed);
}
