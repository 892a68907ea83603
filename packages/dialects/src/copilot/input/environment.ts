import type { HookDefinition, HookEvent } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { isText } from '../../shared/text.js';
import { dataOf } from '../settings/hook-data.js';

type Environment = Readonly<Record<string, string>>;

/** Creates the environment of a hook process. The variables in the settings of the hook come last. */
export function createEnvironment({ input, projectDir }: HookEvent, hook: HookDefinition, parent: Environment): Environment {
  const { plugin, env, folder } = dataOf(hook);
  const trace = input['traceparent'];
  return {
    ...parent,
    ...omitUndefined({
      COPILOT_CLI: '1',
      COPILOT_PROJECT_DIR: projectDir,
      CLAUDE_PROJECT_DIR: projectDir,
      COPILOT_HOOK_DIR: folder,
      PLUGIN_ROOT: plugin?.root,
      COPILOT_PLUGIN_ROOT: plugin?.root,
      CLAUDE_PLUGIN_ROOT: plugin?.root,
      TRACEPARENT: isText(trace) && !trace.includes('\0') ? trace : undefined,
    }),
    ...env,
  };
}
