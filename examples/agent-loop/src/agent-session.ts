import { answerPrompt } from './answer-prompt.js';
import { type Loop, takeMessages } from './loop.js';
import { promptOperation } from './operation.js';

/** A session from its start to its end: the agent works on each prompt until no hook makes it continue, or a hook stops it. */
export async function runSession(loop: Loop, prompts: readonly string[]): Promise<void> {
  const { agent, conversation } = loop;
  const start = await agent.session.start();
  // Messages of the session start become instructions: there is no prompt yet to add them to, and they must survive a compression.
  conversation.instruct([...start.systemMessages, ...(start.additionalContext === undefined ? [] : [start.additionalContext])]);
  takeMessages(loop, { ...start, systemMessages: [] });

  for (const prompt of prompts) {
    if (conversation.isLong) await compress(loop);
    if ((await workOn(loop, prompt)) === 'stopped') break;
  }

  // Also after Ctrl-C: the signal of the agent does not end the hooks of this event. Their own timeouts limit it.
  takeMessages(loop, await agent.session.end());
}

async function workOn(loop: Loop, prompt: string): Promise<'ended' | 'stopped'> {
  const { agent, conversation, watcher } = loop;
  watcher.prompted(prompt);
  let noted = 0;
  const outcome = await agent.turn({
    prompt,
    respond: (text, { turn, systemMessages }) => {
      // The first prompt is the user's, with context of hooks; the others are reasons of hooks.
      if (turn > 1) watcher.continued(text);
      conversation.note(systemMessages);
      noted += systemMessages.length;
      return answerPrompt(loop, text);
    },
  });
  // The outcome has the messages of all events of the turn; those that came with a prompt are already in the conversation.
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
