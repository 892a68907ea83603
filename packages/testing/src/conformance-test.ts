/** A test, for any test runner: `for (const { title, run } of transportConformance(open)) test(title, run)`. */
export interface ConformanceTest {
  readonly title: string;
  /** Rejects, usually with an AssertionError, if a promise is not kept. */
  readonly run: () => Promise<void>;
}
