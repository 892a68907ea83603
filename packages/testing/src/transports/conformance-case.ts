import type { Transport } from '@tenterhook/bus';

/** The ends of a transport under test: at least two, which are the same object if there is only one. */
export interface TransportEnds {
  /** The transport objects, at least two. In a star the centre comes first, and three ends are needed to try all ways through it. */
  readonly ends: readonly Transport[];

  /** Closes everything that was opened. Called once after each case, even if the case has closed ends itself. */
  close(): Promise<void>;
}

/** Features that not every transport has. All are off by default. */
export interface TransportFeatures {
  /**
   * The ends represent different processes: another end receives a copy that has passed `parseMessage`, messages that cannot be written as JSON are
   * refused, and closing one end leaves the others open. @default false
   */
  readonly crossProcess?: boolean | undefined;

  /** Bytes of the largest message that these ends carry. A larger one is refused `too_large`. @default not tried */
  readonly maxMessageBytes?: number | undefined;

  /**
   * The subscribers that `isSubscribed` knows. `own`: those of its own end. `centre`: at the first end those of all other ends too. A transport with
   * `isSubscribed` must declare it here. @default the ends have no `isSubscribed`
   */
  readonly isSubscribed?: 'own' | 'centre' | undefined;

  /**
   * Cuts an end off from all others: its connection ends, and it cannot reconnect. Resolves when that was done, to a function that lets it
   * reconnect; the transport does the rest. Never called for the first end, on which the others may depend. Requires `onConnectionChange` and
   * `crossProcess`. @default not tried
   */
  readonly disconnect?: ((end: Transport) => Promise<() => void>) | undefined;
}

/** One end publishes, the other is observed. They may be the same. */
export interface Scene {
  readonly from: Transport;
  readonly to: Transport;
  readonly ends: readonly Transport[];
  readonly features: TransportFeatures;
}

/** One promise of the transport contract. */
export interface ConformanceCase {
  readonly title: string;
  readonly run: (scene: Scene) => Promise<void>;
  /** The directions in which the case makes sense. @default all */
  readonly appliesTo?: (direction: Direction, features: TransportFeatures) => boolean;
}

/** The numbers of the publishing and of the observed end. */
export interface Direction {
  readonly from: number;
  readonly to: number;
}

/** Cases about messages that another process receives. */
export function toAnotherProcess({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && from !== to;
}

/** Cases about one end: each in turn, or once if all are one object. */
export function atOneEnd({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return from === to || !crossProcess;
}

/** Cases in which the centre of a star observes another end. */
export function fromTheCentre({ from, to }: Direction, { isSubscribed, crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && isSubscribed === 'centre' && from === 0 && to !== 0;
}

/** Cases in which the other end is cut off. */
export function toAnEndThatIsCutOff(direction: Direction, features: TransportFeatures): boolean {
  return features.disconnect !== undefined && toAnOuterEnd(direction, features);
}

/** Cases in which the other end closes, and the observing end does not depend on it. */
export function toAnOuterEnd({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && from !== to && to !== 0;
}
