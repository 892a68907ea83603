import { type AdapterOptions, adapterRules, functionRule, type OptionRule } from '@tenterhook/agent/internal';

/** Sends user messages to a running generation: the steering object of AI SDK 7. */
export interface SteeringLike {
  /** Adds a message of the user at the next boundary of steps. */
  steer(message: string): unknown;
}

/** Options of `hookedAgent`. */
export interface AgentHookOptions extends Pick<AdapterOptions, 'ask' | 'onMessage' | 'maxRetries'> {
  /**
   * `experimental_createSteering` of AI SDK 7. With it, a hook of AfterAgent makes the agent continue in the same generation, also in a
   * stream. @default `generate()` is called again, and a stream cannot continue
   */
  readonly createSteering?: (() => SteeringLike) | undefined;
}

export const agentRules: Readonly<Record<keyof AgentHookOptions, OptionRule>> = {
  ask: adapterRules.ask,
  onMessage: adapterRules.onMessage,
  maxRetries: adapterRules.maxRetries,
  createSteering: functionRule,
};
