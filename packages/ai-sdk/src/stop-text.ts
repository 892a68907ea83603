/** The reason of a stop, for the user and the model. */
export function stopText({
  stopReason,
  reason,
}: {
  readonly stopReason?: string | undefined;
  readonly reason?: string | undefined;
}): string {
  return stopReason ?? reason ?? 'A hook stopped the agent.';
}
