import { SnakeCaseHook } from '../compat/snake-case-definitions.js';
import type { HookEventType } from './hook-event-type.js';
import { HookMatcher, type MatcherFields } from './hook-matcher.js';

/** How a hook is run (seed 002 "Hook Configuration"). */
export interface HookConfig {
  /** Lower runs first, negative numbers included; equal ones in the order of registration (decision 46). @default 100 */
  priority: number;
  /** Milliseconds for one call of the handler, 1 to 2147483647. @default 30000 */
  timeout_ms: number;
  /** Started, and not awaited. Ignored if `onError` is 'block'. @default false */
  async_execution: boolean;
  /** How often the handler is called again after a Retry, a throw or a timeout (decisions 38 and 39); 0 to 1000. @default 0 */
  max_retries: number;
  /** The effect of a handler that failed after its retries: none, or Block (decision 40). @default 'continue' */
  onError: 'continue' | 'block';
  /**
   * Whether the handler is called again if the arguments of a tool are rewritten after its answer. `false` is for handlers that never block.
   * @default true
   */
  // Without a value in the default config: hosts of earlier versions refuse announced hooks with an unknown field.
  recheck?: boolean;
}

const defaultConfig: Readonly<HookConfig> = Object.freeze({
  priority: 100,
  timeout_ms: 30_000,
  async_execution: false,
  max_retries: 0,
  onError: 'continue',
});

/** A hook as it may be written: an instance of `Hook`, or the same as a plain object. */
export interface HookFields<Type extends HookEventType = HookEventType> {
  readonly id: string;
  readonly event_type: Type;
  readonly matcher?: MatcherFields | null | undefined;
  readonly config?: Readonly<Partial<HookConfig>> | null | undefined;
}

/** For which events, and how, a handler runs. Plain data: the JSON of a Hook makes an equal Hook. Each `with…` returns a new one. */
export class Hook<Type extends HookEventType = HookEventType>
  extends SnakeCaseHook<Hook<Type>, MatcherFields, Partial<HookConfig>>
  implements HookFields<Type>
{
  readonly id: string;
  readonly event_type: Type;
  /** Declared and not defined: an omitted matcher stays omitted. */
  declare readonly matcher?: HookMatcher;
  readonly config: Readonly<HookConfig>;

  constructor({ id, event_type, matcher, config }: HookFields<Type>) {
    super();
    this.id = id;
    this.event_type = event_type;
    if (matcher !== undefined && matcher !== null) this.matcher = Object.freeze(new HookMatcher(matcher));
    this.config = Object.freeze({ ...defaultConfig, ...config });
    Object.freeze(this);
  }

  /** A hook with the default configuration, for every event of the type. */
  static new<Type extends HookEventType>(id: string, eventType: Type): Hook<Type> {
    return new Hook({ id, event_type: eventType });
  }

  /** The same hook, for the events that fit the matcher. */
  override withMatcher(matcher: MatcherFields): Hook<Type> {
    return new Hook({ ...this, matcher });
  }

  /** Changes the given keys; the others stay the same. */
  override withConfig(config: Partial<HookConfig>): Hook<Type> {
    return new Hook({ ...this, config: { ...this.config, ...config } });
  }
}
