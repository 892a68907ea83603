/** How a session is marked in the list: a letter and a colour, so that a reader recognises the events of a session without reading its id. */
export interface Lane {
  readonly letter: string;
  /** 0 to 5. */
  readonly colour: number;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const colours = 6;
/** Sessions after this many share the marks of the first ones. */
const mostSessions = 10_000;

/** Returns a function that gives each session the next lane. */
export function createLanes(): (session: string | undefined) => Lane | undefined {
  const lanes = new Map<string, Lane>();
  return (session) => {
    if (session === undefined) return undefined;
    const known = lanes.get(session);
    if (known !== undefined) return known;
    const lane = { letter: letters[lanes.size % letters.length] as string, colour: lanes.size % colours };
    if (lanes.size < mostSessions) lanes.set(session, lane);
    return lane;
  };
}
