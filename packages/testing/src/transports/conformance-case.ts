import type { Transport } from '@tenterhook/bus';

/** The ends of a transport under test. An end is a transport object, usually in a process of its own. */
export interface TransportEnds {
  /**
   * At least two transport objects. A transport with only one end lists it twice. If all ends are connected through a centre, such
   * as a hub, the centre is first. Three ends are then needed to test all directions.
   */
  readonly ends: readonly Transport[];

  /** Closes everything that was opened. Called once after each case, even if the case has already closed ends. */
  close(): Promise<void>;
}

/** Features that not every transport has. A feature that is not set is not tested. */
export interface TransportFeatures {
  /**
   * Whether the ends behave like different processes:
   * - Another end receives a copy of a message, which has passed `parseMessage`.
   * - A message that cannot be written as JSON is refused.
   * - Closing one end leaves the others open.
   *
   * @default false
   */
  readonly crossProcess?: boolean | undefined;

  /** The maximum size of a message, in bytes. A larger message is refused as `too_large`. @default not tested */
  readonly maxMessageBytes?: number | undefined;

  /**
   * The maximum number of unanswered requests of one end. A further request is refused as `overloaded`. @default not tested
   */
  readonly maxRequests?: number | undefined;

  /**
   * Whether servers on different ends take turns. If false, an end is chosen at random for each request, and servers of one end
   * take turns.
   *
   * @default true
   */
  readonly takesTurns?: boolean | undefined;

  /**
   * Whose subscribers `isSubscribed` of an end reports. With `own`, every end reports its own subscribers. With `centre`, the first
   * end reports the subscribers of all ends, and every other end reports its own. Required if the transport has `isSubscribed`.
   * @default the ends have no `isSubscribed`
   */
  readonly isSubscribed?: 'own' | 'centre' | undefined;

  /**
   * Disconnects an end from all others, so that it cannot reconnect. Resolves to a function that lets the end reconnect by itself.
   * Never called for the first end, because other ends may depend on it. Requires `onConnectionChange` and `crossProcess`. @default
   * not tested
   */
  readonly disconnect?: ((end: Transport) => Promise<() => void>) | undefined;

  /**
   * Stops an end from reading from its connection. Resolves to a function that lets it read again. Never called for the first end.
   * Requires `crossProcess`. @default not tested
   */
  readonly pause?: ((end: Transport) => Promise<() => void>) | undefined;
}

/** The two ends of a case: `from` publishes, `to` is observed. Both may be the same end. */
export interface Scene {
  readonly from: Transport;
  readonly to: Transport;
  readonly ends: readonly Transport[];
  readonly features: TransportFeatures;
}

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

/** Selects the directions for cases about messages that another process receives. */
export function toAnotherProcess({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && from !== to;
}

/** Selects the directions for cases about one end. Each end is tested, or one if all ends are the same object. */
export function atOneEnd({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return from === to || !crossProcess;
}

/** Selects the directions for cases in which the centre observes another end. */
export function fromTheCentre({ from, to }: Direction, { isSubscribed, crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && isSubscribed === 'centre' && from === 0 && to !== 0;
}

/** Selects the directions for cases in which the connection of the other end is cut. */
export function toAnEndThatIsCutOff(direction: Direction, features: TransportFeatures): boolean {
  return features.disconnect !== undefined && toAnOuterEnd(direction, features);
}

/** Selects the directions for cases in which the other end stops reading. */
export function toAnEndThatIsPaused(direction: Direction, features: TransportFeatures): boolean {
  return features.pause !== undefined && toAnOuterEnd(direction, features);
}

/** Selects the directions for cases in which the end `to` closes. The centre is left out, because the other ends depend on it. */
export function toAnOuterEnd({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && from !== to && to !== 0;
}
