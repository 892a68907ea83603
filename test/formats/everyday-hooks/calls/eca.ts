import type { Collection } from '../collection.js';
import { afterWrite, beforeShell } from './tools.js';

/** The workspace of a user of ECA. */
export const eca: Collection = {
  folder: 'eca',
  dialect: 'eca',
  calls: [
    { title: 'no answer', ...beforeShell('ls'), expected: { ran: 1 } },
    {
      title: 'a deny',
      ...beforeShell('git commit --no-verify'),
      expected: { ran: 1, decision: 'deny', reason: 'Hooks of git must run.' },
    },
    { title: 'an ask', ...beforeShell('docker run x'), expected: { ran: 1, decision: 'ask' } },
    { title: 'exit code 2', ...beforeShell('shutdown now'), expected: { ran: 1, decision: 'deny', reason: 'not here' } },
    {
      title: 'two actions after a tool',
      ...afterWrite('{project}/a.txt', 'a'),
      expected: { ran: 2, files: { 'project/edits.log': '{project}/a.txt\n' } },
    },
    {
      title: 'text is context',
      event: 'BeforeAgent',
      input: { prompt: 'explain' },
      given: { 'project/branch.txt': 'topic\n' },
      expected: { ran: 2, context: 'Branch: topic' },
    },
    {
      title: 'another prompt',
      event: 'BeforeAgent',
      input: { prompt: 'tldr explain.' },
      expected: { ran: 2, context: 'Branch: topic', changes: { prompt: 'explain. In one sentence.' } },
    },
    { title: 'a new chat', event: 'SessionStart', input: { source: 'startup' }, expected: { ran: 1, context: 'New.' } },
    { title: 'a resumed chat', event: 'SessionStart', input: { source: 'resume' }, expected: { ran: 1, context: 'Again.' } },
  ],
};
