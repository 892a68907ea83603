/** What jest and vitest pass as `this` to a matcher. Every field is optional, because other runners pass nothing. */
export interface MatcherContext {
  readonly isNot?: boolean | undefined;
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
  readonly currentConcurrentTestName?: (() => string | undefined) | undefined;
  /** jest: the same object for all attempts of a test. */
  readonly currentTestIdentity?: (() => object | undefined) | undefined;
  /** vitest: the running test. */
  readonly task?: object | undefined;
  /** The number of assertions so far in this attempt of the test. */
  readonly assertionCalls?: number | undefined;
  readonly snapshotState?: object | undefined;
  readonly equals?: ((one: unknown, other: unknown) => boolean) | undefined;
}

/** `this` of a matcher. A runner without `expect.extend` calls it as a function. */
// biome-ignore lint/suspicious/noConfusingVoidType: with undefined, the call of an imported function does not compile.
export type MatcherThis = MatcherContext | void;

/** What a matcher returns. `message` is called only if the assertion fails. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}
