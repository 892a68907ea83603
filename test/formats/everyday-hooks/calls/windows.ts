import type { Collection } from '../collection.js';
import { afterWrite } from './tools.js';

/** Files that an editor saved with CR LF. Only a shell reads the CR as a part of words, which `validate` reports. */
export const windows: Collection = {
  folder: 'windows',
  dialect: 'claude-code',
  problems: ['crlf_script'],
  calls: [
    {
      title: 'the shell writes to a file whose name ends with CR, and Node does not care',
      ...afterWrite('a.txt', 'four'),
      expected: { ran: 2, message: '4 characters', files: { 'project/saved.txt\r': 'saved\n' } },
    },
  ],
};
