import { SnakeCaseHook } from '../compat/snake-case-definitions.js';
import type { HookEventType } from './hook-event-type.js';
import { HookMatcher, type MatcherFields } from './hook-matcher.js';

/** How a hook is run (seed 002 "Hook Configuration"). */
export interface HandlerConfig {
  /**
   * The position of the handler in the order. Lower numbers run first, including negative ones. Equal numbers run in the order of
   * registration (decision 46).
   * @default 100
   */
  priority: number;
  /** The timeout of one call of the handler, in milliseconds, from 1 to 2147483647. @default 30000 */
  timeout_ms: number;
  /** Whether the event continues without waiting for the handler's answer. Ignored if `onError` is 'block'. @default false */
  async_execution: boolean;
  /** How often the handler is called again after a Retry, a throw or a timeout: 0 to 1000 (decisions 38 and 39). @default 0 */
  max_retries: number;
  /**
   * What happens if the handler still fails after its retries: 'continue' ignores the failure, 'block' blocks the operation
   * (decision 40). @default 'continue'
   */
  onError: 'continue' | 'block';
  /**
   * Whether the handler is called again if another hook rewrites the arguments of a tool later. Write `false` if the handler never
   * blocks.
   * @default true
   */
  // The default config does not contain this field, because hosts of earlier versions refuse a hook with an unknown field.
  recheck?: boolean;
}

const defaultConfig: Readonly<HandlerConfig> = Object.freeze({
  priority: 100,
  timeout_ms: 30_000,
  async_execution: false,
  max_retries: 0,
  onError: 'continue',
});

/** A hook for `register`: an instance of `Hook`, or a plain object with the same fields. */
export interface HookFields<Type extends HookEventType = HookEventType> {
  readonly id: string;
  readonly event_type: Type;
  readonly matcher?: MatcherFields | null | undefined;
  readonly config?: Readonly<Partial<HandlerConfig>> | null | undefined;
}

/**
 * Defines for which events a handler runs, and how. A Hook is plain data, so an equal Hook can be created from its JSON. Each
 * `with…` method returns a new Hook.
 */
export class Hook<Type extends HookEventType = HookEventType>
  extends SnakeCaseHook<Hook<Type>, MatcherFields, Partial<HandlerConfig>>
  implements HookFields<Type>
{
  readonly id: string;
  readonly event_type: Type;
  /** Declared without a value, so that the field is missing if no matcher was passed. */
  declare readonly matcher?: HookMatcher;
  readonly config: Readonly<HandlerConfig>;

  constructor({ id, event_type, matcher, config }: HookFields<Type>) {
    super();
    this.id = id;
    this.event_type = event_type;
    if (matcher !== undefined && matcher !== null) this.matcher = Object.freeze(new HookMatcher(matcher));
    this.config = Object.freeze({ ...defaultConfig, ...config });
    Object.freeze(this);
  }

  /** Returns a hook with the default configuration for every event of the type. */
  static new<Type extends HookEventType>(id: string, eventType: Type): Hook<Type> {
    return new Hook({ id, event_type: eventType });
  }

  /** Returns the same hook for the events that the matcher matches. */
  override withMatcher(matcher: MatcherFields): Hook<Type> {
    return new Hook({ ...this, matcher });
  }

  /** Returns the same hook with the given keys of the configuration changed. */
  override withConfig(config: Partial<HandlerConfig>): Hook<Type> {
    return new Hook({ ...this, config: { ...this.config, ...config } });
  }
}
