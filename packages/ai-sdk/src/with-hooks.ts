import { type ClientSource, type Fields, getClient } from '@tenterhook/agent/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { describeOption } from '@tenterhook/runtime/text';
import { findModel, type ModelLike } from './model/find-model.js';
import { bindStep, hookModel } from './model/hook-model.js';
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
 * `prepareStep`, `experimental_prepareStep` and `prepareCall` return are hooked too. A `prepareStep` is added, which separates the calls of
 * several runs at the same time. The settings of the caller are not changed. Throws a TypeError for wrong options, and for the name of a model
 * that cannot be found.
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

/** The settings of a run, or what `prepareCall` makes of them. */
function replaceSettings(caller: string, hooked: Hooked, settings: Fields): Fields {
  const { prepareStep, experimental_prepareStep, prepareCall } = settings;
  const step = prepareStep ?? experimental_prepareStep;
  return {
    ...replaceParts(caller, hooked, settings),
    [prepareStep === undefined && step !== undefined ? 'experimental_prepareStep' : 'prepareStep']: hookStep(
      caller,
      hooked,
      settings,
      step,
    ),
    ...(typeof prepareCall === 'function' ? { prepareCall: hookPrepareCall(caller, hooked, prepareCall) } : {}),
  };
}

/** Replaces the model and the tools. */
function replaceParts(caller: string, hooked: Hooked, settings: Fields): Fields {
  const { model, tools } = settings;
  const replaced = isPlainObject(tools) ? hookTools(hooked, tools as Record<string, object>) : undefined;
  return {
    ...settings,
    ...omitUndefined({ model: model === undefined ? undefined : hookModel(hooked, findModel(caller, model)) }),
    ...(replaced === undefined ? {} : replaceTools(hooked, replaced, settings['toolApproval'])),
  };
}

function replaceTools(hooked: Hooked, tools: Readonly<Record<string, object>>, toolApproval: unknown) {
  if (hooked.options.approvals !== 'framework') return { tools };
  return { tools: hookNeedsApproval(hooked, tools), toolApproval: hookToolApproval(hooked, tools, toolApproval) };
}

/** The functions of this file. What `prepareCall` of an agent returns has them already. */
const steps = new WeakSet<object>();

/** What `prepareStep` returns would otherwise be a road past the hooks. The function also binds each step to its run. */
function hookStep(caller: string, hooked: Hooked, { experimental_toolCallers: callers }: Fields, prepare: unknown): unknown {
  if (typeof prepare === 'function' && steps.has(prepare)) return prepare;
  // With callers of tools, AI SDK 7 passes other messages to the tools than to this function.
  const bind = callers === undefined ? bindStep : (_step: unknown, prepared: unknown) => prepared;
  const hook = (step: unknown) => {
    if (typeof prepare !== 'function') return bind(step, undefined);
    return Promise.resolve(prepare(step)).then((prepared: unknown) =>
      bind(step, isPlainObject(prepared) && hasParts(prepared) ? replaceParts(caller, hooked, prepared) : prepared),
    );
  };
  steps.add(hook);
  return hook;
}

function hookPrepareCall(caller: string, hooked: Hooked, prepare: CallableFunction): unknown {
  return async (argument: unknown) => {
    const prepared: unknown = await (prepare(argument) as unknown);
    return isPlainObject(prepared) && hasParts(prepared) ? replaceSettings(caller, hooked, prepared) : prepared;
  };
}

function hasParts({ model, tools }: Fields): boolean {
  return model !== undefined || tools !== undefined;
}
