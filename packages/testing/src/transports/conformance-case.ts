import type { Transport } from '@tenterhook/bus';

/** What a transport under test was opened as: at least two ends, which are the same object where there is only one. */
export interface TransportEnds {
  /** The transport objects: in a star the centre first, so that all ways through it are tried. Two at least, three where it makes a difference. */
  readonly ends: readonly Transport[];

  /** Ends everything that was opened. Called once after each case, also when the case has closed ends itself. */
  close(): Promise<void>;
}

/** What cannot be asked of every transport. All are off unless they are given. */
export interface TransportFeatures {
  /**
   * The ends stand for different processes: what arrives at another end is a copy that has passed `parseMessage`, messages that are no JSON are
   * refused, and closing one end leaves the others open. @default false
   */
  readonly crossProcess?: boolean | undefined;

  /** Bytes of the largest message that the ends carry, as they were opened: a larger one is refused `too_large`. @default none: not tried */
  readonly maxMessageBytes?: number | undefined;

  /**
   * Whose subscribers `isSubscribed` knows: `own`, those of the end that is asked; `centre`, at the first end those of every other too. A transport
   * with `isSubscribed` has to declare it here. @default none: the ends have no `isSubscribed`
   */
  readonly isSubscribed?: 'own' | 'centre' | undefined;

  /**
   * For ends that have `onConnectionChange`, and with `crossProcess` only. Cuts an end off from all others (never the first one, on which the
   * others may depend): its connection ends, and it finds no other. Resolves when that was done, to what lets it come back; the transport
   * does the rest. @default none: not tried
   */
  readonly disconnect?: ((end: Transport) => Promise<() => void>) | undefined;
}

/** One end publishes, another is looked at. They may be the same. */
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
  /** Where it makes sense. @default everywhere */
  readonly appliesTo?: (direction: Direction, features: TransportFeatures) => boolean;
}

/** From which end, to which, by their numbers. */
export interface Direction {
  readonly from: number;
  readonly to: number;
}

/** Cases about what another process gets. */
export function toAnotherProcess({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return crossProcess && from !== to;
}

/** Cases about one end: each in turn, and once where all are one object. */
export function atOneEnd({ from, to }: Direction, { crossProcess = false }: TransportFeatures): boolean {
  return from === to || !crossProcess;
}

/** Cases in which the centre of a star looks at another end. */
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
