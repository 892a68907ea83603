import type { Collection } from '../collection.js';
import { afterShell, beforeWrite } from './tools.js';

const end = { event: 'AfterAgent' as const, input: { prompt: 'x', prompt_response: 'y', stop_hook_active: false } };

/** A project with settings of LLxprt Code. */
export const llxprt: Collection = {
  folder: 'llxprt',
  dialect: 'llxprt',
  calls: [
    {
      title: 'a guard that must not fail, and a rewrite',
      ...beforeWrite('{project}/a.txt', 'a'),
      expected: { ran: 2, changes: { 'tool_input.content': 'a\n' } },
    },
    {
      title: 'a deny ends the sequence',
      ...beforeWrite('/srv/a.txt', 'a'),
      expected: { ran: 1, decision: 'deny', reason: '/srv/a.txt is outside' },
    },
    { title: 'a short output', ...afterShell('make', 'ok'), expected: { ran: 1 } },
    {
      title: 'text is a message, with a variable of the settings',
      ...afterShell('make', 'ok\n'.repeat(200)),
      expected: { ran: 1, message: 'More than 100 lines of output' },
    },
    { title: 'a list as matcher', event: 'SessionStart', input: { source: 'resume' }, expected: { ran: 1, context: 'Run make first.' } },
    { title: 'a source that is not listed', event: 'SessionStart', input: { source: 'clear' }, expected: { ran: 0 } },
    { title: 'the agent may go on', ...end, expected: { ran: 1 } },
    {
      title: 'a stop',
      ...end,
      given: { 'project/budget-used': '' },
      expected: { ran: 1, stop: 'The budget is used up.' },
    },
  ],
};
