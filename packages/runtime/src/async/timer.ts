/** The longest delay in milliseconds that setTimeout takes: 2^31 - 1. A longer one wraps to 1 ms. */
export const longestTimerMs = 2_147_483_647;
