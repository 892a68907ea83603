import { compressWithHooks, endSessionWithHooks, runAgentTurnWithHooks, startSessionWithHooks } from '@tenterhook/agent';
import type { Agent } from './agent.js';
import { answerPrompt } from './answer-prompt.js';
import { promptOperation } from './operation.js';
import { takeMessages } from './take-messages.js';

/** A session from its start to its end: the agent works on each prompt until no hook makes it continue, or a hook stops it. */
export async function runSession(agent: Agent, prompts: readonly string[]): Promise<void> {
  const { client, conversation, signal } = agent;
  const start = await startSessionWithHooks(client, 'startup', { signal });
  // There is no message to add it to before the first prompt, and it must survive a compression.
  conversation.instruct([...start.systemMessages, ...(start.additionalContext === undefined ? [] : [start.additionalContext])]);
  takeMessages(agent, { ...start, systemMessages: [] });

  for (const prompt of prompts) {
    if (conversation.isLong) await compress(agent);
    if ((await workOn(agent, prompt)) === 'stopped') break;
  }

  // Without the signal: a session that Ctrl-C ends still fires SessionEnd. The hooks' own timeouts limit it.
  takeMessages(agent, await endSessionWithHooks(client, 'exit'));
}

async function workOn(agent: Agent, prompt: string): Promise<'ended' | 'stopped'> {
  const { client, conversation, ask, watcher, signal } = agent;
  watcher.prompted(prompt);
  let noted = 0;
  const outcome = await runAgentTurnWithHooks(client, {
    prompt,
    ask,
    signal,
    respond: (text, { turn, systemMessages }) => {
      // The first prompt is the user's, with context of hooks; the others are reasons of hooks.
      if (turn > 1) watcher.continued(text);
      conversation.note(systemMessages);
      noted += systemMessages.length;
      return answerPrompt(agent, text);
    },
  });
  // The outcome has the messages of all events of the turn; those that came with a prompt are already in the conversation.
  takeMessages(agent, { ...outcome, systemMessages: outcome.systemMessages.slice(noted) });
  watcher.did(promptOperation(prompt, outcome));
  if (outcome.status === 'completed') return 'ended';
  watcher.stopped(('stopReason' in outcome ? outcome.stopReason : undefined) ?? outcome.reason ?? 'A hook gave no reason.');
  return outcome.status === 'stopped' ? 'stopped' : 'ended';
}

async function compress(agent: Agent): Promise<void> {
  const { client, conversation, watcher, signal } = agent;
  const outcome = await compressWithHooks(client, { trigger: 'auto', compress: () => conversation.compress(), signal });
  takeMessages(agent, outcome);
  watcher.compressed(outcome.compressed);
}
