import { type ClientSource, fieldsOf, getClient } from '@tenterhook/agent/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { describeOption } from '@tenterhook/runtime/text';
import { findModel, type ModelLike } from './model/find-model.js';
import { hookModel } from './model/hook-model.js';
import { type Hooked, requireHookOptions, type WithHooksOptions } from './options.js';
import { hookNeedsApproval, hookToolApproval } from './tools/hook-approvals.js';
import { hookTools } from './tools/hook-tools.js';

/** The settings that `withHooks` replaces. All others are returned as they are. */
export interface HookableSettings {
  /** A language model, or its name in `globalThis.AI_SDK_DEFAULT_PROVIDER`. */
  readonly model?: string | ModelLike | undefined;
  /** The tools by name. */
  readonly tools?: Readonly<Record<string, object>> | undefined;
}

/**
 * Returns the settings with a model and tools that ask the hooks: for `generateText`, `streamText` and agents of the AI SDK 5 to 7. The model
 * fires BeforeToolSelection, BeforeModel and AfterModel, and each tool with an `execute` fires BeforeTool and AfterTool. Models that
 * `prepareStep`, `experimental_prepareStep` and `prepareCall` return are hooked too. The settings of the caller are not changed. Throws a TypeError for wrong options, and
 * for the name of a model that cannot be found.
 */
export function withHooks<const Settings extends HookableSettings>(
  client: ClientSource,
  settings: Settings,
  options: WithHooksOptions = {},
): Settings {
  const caller = 'withHooks';
  requireHookOptions(caller, client, options);
  if (!isPlainObject(settings)) {
    throw new TypeError(`${caller}: the settings must be an object such as { model, tools }, and are ${describeOption(settings)}.`);
  }
  const hooked: Hooked = { source: client, options, reported: new Set(), client: () => getClient(caller, client, undefined) };
  return replaceSettings(caller, hooked, settings) as Settings;
}

function replaceSettings(caller: string, hooked: Hooked, settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { model, tools, prepareStep, experimental_prepareStep, prepareCall } = settings;
  const replaced = isPlainObject(tools) ? hookTools(hooked, tools as Record<string, object>) : undefined;
  return {
    ...settings,
    ...omitUndefined({
      model: model === undefined ? undefined : hookModel(hooked, findModel(caller, model)),
      // What these functions return would otherwise be a road past the hooks.
      prepareStep: hookPrepared(caller, hooked, prepareStep),
      experimental_prepareStep: hookPrepared(caller, hooked, experimental_prepareStep),
      prepareCall: hookPrepared(caller, hooked, prepareCall),
    }),
    ...(replaced === undefined ? {} : replaceTools(hooked, replaced, settings['toolApproval'])),
  };
}

function replaceTools(hooked: Hooked, tools: Readonly<Record<string, object>>, toolApproval: unknown) {
  if (hooked.options.approvals !== 'framework') return { tools };
  return { tools: hookNeedsApproval(hooked, tools), toolApproval: hookToolApproval(hooked, tools, toolApproval) };
}

/** Wraps a function of the app that may return another model or other tools. */
function hookPrepared(caller: string, hooked: Hooked, prepare: unknown): unknown {
  if (typeof prepare !== 'function') return undefined;
  return async (argument: unknown) => {
    const prepared: unknown = await prepare(argument);
    if (!isPlainObject(prepared)) return prepared;
    const { model, tools } = fieldsOf(prepared);
    return model === undefined && tools === undefined ? prepared : replaceSettings(caller, hooked, prepared);
  };
}
