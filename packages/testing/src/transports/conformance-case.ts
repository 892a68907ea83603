import type { Transport } from '@tenterhook/bus';

/** The ends of a transport under test. An end is a transport object, usually in its own process. */
export interface TransportEnds {
  /**
   * At least two transport objects; a transport with only one end lists it twice. If all ends are connected through a centre, the centre is
   * first, and three ends are needed to test all directions.
   */
  readonly ends: readonly Transport[];

  /** Closes everything that was opened. Called once after each case, even if the case has already closed ends. */
  close(): Promise<void>;
}

/** Features that not every transport has. By default none is tested. */
export interface TransportFeatures {
  /**
   * Whether the ends behave like different processes. Another end then receives a copy that has passed `parseMessage`. A message that
   * cannot be written as JSON is refused. Closing one end leaves the others open. @default false
   */
  readonly crossProcess?: boolean | undefined;

  /** The maximum size of a message, in bytes. A larger message is refused as `too_large`. @default not tested */
  readonly maxMessageBytes?: number | undefined;

  /**
   * Whose subscribers `isSubscribed` of an end reports. `own`: the subscribers at this end. `centre`: the first end reports the subscribers
   * of all ends, and every other end reports its own. Required if the transport has `isSubscribed`. @default the ends have no
   * `isSubscribed`
   */
  readonly isSubscribed?: 'own' | 'centre' | undefined;

  /**
   * Disconnects an end from all others, so that it cannot reconnect. Resolves to a function that lets it reconnect; the transport then does
   * so itself. Never called for the first end, because others may depend on it. Requires `onConnectionChange` and `crossProcess`.
   * @default not tested
   */
  readonly disconnect?: ((end: Transport) => Promise<() => void>) | undefined;
}

/** The two ends of a case: `from` publishes, `to` is observed. They may be the same. */
export interface Scene {
  readonly from: Transport;
  readonly to: Transport;
  readonly ends: readonly Transport[];
  readonly features: TransportFeatures;
}

/** The test of one promise of the transport contract. */
export interface ConformanceCase {
  readonly title: string;
  readonly run: (scene: Scene) => Promise<void>;
  /** The directions to which the case applies. @default all */
  readonly appliesTo?: (direction: Direction, features: TransportFeatures) => boolean;
}

/** The indexes of the publishing and of the observed end. */
export interface Direction {
  readonly from: number;
  readonly to: number;
}

/** Applies to cases about messages that another process receives. */
export function toAnotherProcess({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && from !== to;
}

/** Applies to cases about one end: each in turn, or once if all are one object. */
export function atOneEnd({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return from === to || !crossProcess;
}

/** Applies to cases in which the centre of a star observes another end. */
export function fromTheCentre({ from, to }: Direction, { isSubscribed, crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && isSubscribed === 'centre' && from === 0 && to !== 0;
}

/** Applies to cases in which the connection of the other end is cut. */
export function toAnEndThatIsCutOff(direction: Direction, features: TransportFeatures): boolean {
  return features.disconnect !== undefined && toAnOuterEnd(direction, features);
}

/** Applies to cases in which the end `to` closes. It must not be the centre, because the other ends depend on the centre. */
export function toAnOuterEnd({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && from !== to && to !== 0;
}
