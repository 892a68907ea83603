import type { Diagnostic } from '@tenterhook/protocol';
import type { LookedAt } from './find-hooks-files.js';

/** Whose a diagnostic about an extension is. */
export interface Owned {
  readonly source: string;
  readonly dialect?: string;
}

export function nothingFound(name: string, looked: readonly LookedAt[], own: Owned): Diagnostic {
  return {
    code: 'unreadable_file',
    severity: 'error',
    message: `The extension "${name}" has no hooks: ${looked.map(({ file, why }) => `${file} ${why}`).join(', ')}.`,
    remedy: 'Write { "hooks": { … } } to one of these files, or hand the hooks over as "hooks" of the extension.',
    ...own,
  };
}

/** Told where a manifest names the file, since that is what has to be mended, else at the file. */
export function unusableNamed({ file, why, namedAt }: LookedAt, own: Owned): Diagnostic {
  const { text, ...place } = namedAt ?? { text: undefined, file };
  return {
    code: 'unreadable_file',
    severity: 'error',
    message: `${text === undefined ? 'This file' : `"${text}"`} ${why}; hooks in it do not run.`,
    remedy: text === undefined ? 'Put the file itself there.' : 'Name a file of the extension that has { "hooks": { … } }.',
    ...place,
    ...own,
  };
}

export function unreadLookalike({ file, insteadOf }: { readonly file: string; readonly insteadOf: string }, own: Owned): Diagnostic {
  return {
    code: 'unread_file',
    severity: 'warning',
    message: `This file exists and is not read; the hooks of the extension are read from ${insteadOf}.`,
    remedy: 'Move them there.',
    file,
    ...own,
  };
}
