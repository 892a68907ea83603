import type { AggregatedHookResult, HeardInput } from '@tenterhook/protocol';
import type { OpenHooks } from '../../../../hooks.js';
import { untrustedHooks } from '../../../hooks/trust-flags.js';
import { quoted } from '../client.js';

const unusable = ['unreadable_file', 'invalid_json', 'invalid_document'];

/** Returns why some guards could not be asked, as sentences. */
export function problemsOf(
  hooks: OpenHooks,
  results: readonly AggregatedHookResult[],
  ofLists: readonly string[],
  first: HeardInput | undefined,
  projectDir: string,
): string {
  const ofFiles = hooks.diagnostics.filter(({ code, severity }) => severity === 'error' && unusable.includes(code));
  const ofRun = results.flatMap(({ errors }) => errors.filter(({ hookId }) => hookId === undefined));
  // Hooks that the user has denied are not mentioned.
  const undecided = untrustedHooks(hooks).filter(({ trust }) => trust.state !== 'denied');
  const untrusted = first?.eventName === 'SessionStart' ? undecided.length : 0;
  return [
    ...ofLists,
    ...ofFiles.map(({ file = '', message }) => `${file}: ${message}`),
    ...ofRun.map(({ message }) => message),
    ...(untrusted === 0
      ? []
      : [
          `${untrusted} guard${untrusted === 1 ? '' : 's'} of this project did not run, because you have not trusted them. Run tenterhook relay trust ${quoted(projectDir)}.`,
        ]),
  ].join('\n');
}
