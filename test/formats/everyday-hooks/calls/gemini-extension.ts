import type { Collection } from '../collection.js';
import { beforeShell } from './tools.js';

/** An extension of Gemini CLI with its manifest. */
export const geminiExtension: Collection = {
  folder: 'gemini-extension',
  dialect: 'gemini-cli',
  extension: 'extension',
  calls: [
    { title: 'exit code 2', ...beforeShell('git branch -D old'), expected: { ran: 1, decision: 'deny', reason: 'Branches stay.' } },
    { title: 'exit code 0', ...beforeShell('git branch'), expected: { ran: 1 } },
    { title: 'text is a message', event: 'SessionStart', input: { source: 'resume' }, expected: { ran: 1, message: 'Welcome, project' } },
  ],
};
