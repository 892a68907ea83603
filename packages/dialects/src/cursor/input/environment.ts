import type { HookDefinition, HookEvent } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { isText } from '../../shared/text.js';
import type { CursorHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';

type Environment = Readonly<Record<string, string>>;

/** Creates the environment of a hook process. */
export function createEnvironment(
  { input, projectDir }: HookEvent,
  hook: HookDefinition,
  parent: Environment,
  host: CursorHost,
): Environment {
  const { plugin } = dataOf(hook);
  const transcript = input['transcript_path'];
  return {
    ...parent,
    ...omitUndefined({
      CURSOR_PROJECT_DIR: projectDir,
      CURSOR_VERSION: host.version,
      CURSOR_USER_EMAIL: host.userEmail,
      CURSOR_TRANSCRIPT_PATH: isText(transcript) && !transcript.includes('\0') ? transcript : undefined,
      CLAUDE_PROJECT_DIR: projectDir,
      CURSOR_PLUGIN_ROOT: plugin?.root,
      CLAUDE_PLUGIN_ROOT: plugin?.root,
    }),
  };
}
