/** The longest that a timer can wait; with more it would fire at once. */
export const longestTimerMs = 2_147_483_647;
