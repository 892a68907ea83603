/**
 * An input that an agent passed to a hook on stdin, and its canonical event. `read`: what another hook reads of it here, if that differs.
 */
export interface CapturedInput {
  readonly event: string;
  readonly eventName: string;
  readonly stdin: Readonly<Record<string, unknown>>;
  readonly read?: Readonly<Record<string, unknown>>;
}

/** A captured input in a table: without the fields that every event of the agent has. */
export type CapturedRow = readonly [
  event: string,
  eventName: string,
  fields: Readonly<Record<string, unknown>>,
  read?: Readonly<Record<string, unknown>>,
];

/** Returns the inputs of a table. `baseOf` returns the fields that every event of the agent has. */
export function captured(rows: readonly CapturedRow[], baseOf: (event: string) => object): CapturedInput[] {
  return rows.map(([event, eventName, fields, read]) => {
    const stdin = { ...baseOf(event), ...fields };
    return { event, eventName, stdin, ...(read === undefined ? {} : { read: { ...stdin, ...read } }) };
  });
}
