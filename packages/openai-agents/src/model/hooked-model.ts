import type { LlmTranslator } from '@tenterhook/agent';
import type { Run } from '@tenterhook/agent/internal';
import type { Model, ModelRequest, ModelResponse } from '../agents-sdk.js';
import type { Hooked } from '../options.js';

/** A model, and what is needed to ask the hooks about its calls. */
export interface HookedModel extends Hooked {
  /** Replaced if the model is hooked again. */
  options: Hooked['options'];
  readonly model: Model;
  readonly translator: LlmTranslator<ModelRequest, ModelResponse>;
}

/** A model during one call. */
export interface CalledModel extends HookedModel {
  readonly run: Run;
}
