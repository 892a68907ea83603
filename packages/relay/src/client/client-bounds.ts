/** Bounds of both clients. The compiled client has them as constants with the same names, and a test compares them. */
export const clientBounds = {
  /** The budget of an entry that names none. */
  defaultBudgetMs: 63_000,
  /** A longer budget is ignored. */
  longestBudgetS: 86_400,
  /** The answer comes within the budget. It needs some time to arrive. */
  arrivalMs: 1500,
  /** How long a client waits for a daemon that starts. */
  startingMs: 3000,
  /** A daemon that does nothing for so long does not take the request any more. */
  takingMs: 5000,
  /** A client that was killed while it started the daemon leaves its lock. */
  staleS: 10,
  /** The length of the longest path of a socket that all systems accept. The daemon first has a name that is a little longer. */
  maxPathBytes: 100,
  /** The largest input for the daemon. */
  maxInputBytes: 64 * 1024 * 1024,
  maxEnvironmentBytes: 1024 * 1024,
  /** How much of a request is sent at once. Each part that the daemon reads starts `takingMs` again. */
  partBytes: 65_536,
} as const;
