import type { LlmTranslator } from '@tenterhook/agent';
import type { Run } from '@tenterhook/agent/internal';
import type { Hooked } from '../options.js';
import type { CallableModel, CallParams, GenerateResult } from './find-model.js';

/** A model, and what is needed to ask the hooks about its calls. */
export interface HookedModel extends Hooked {
  readonly model: CallableModel;
  readonly translator: LlmTranslator<CallParams, GenerateResult>;
}

/** A model during one call. */
export interface CalledModel extends HookedModel {
  readonly run: Run;
}
