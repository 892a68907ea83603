/** A test for any test runner, e.g. `for (const { title, run } of transportConformance(open)) test(title, run)`. */
export interface ConformanceTest {
  readonly title: string;
  /** Runs the test. Rejects if the transport or dialect breaks a promise of its contract, usually with an AssertionError. */
  readonly run: () => Promise<void>;
}
