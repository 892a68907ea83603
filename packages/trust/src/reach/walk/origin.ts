import type { Collector } from '../files/collector.js';
import type { OpenReason } from '../open-reasons.js';

/** The text with a reference: the command, or a script. */
export interface Origin {
  /** The number of scripts between the command and this text. */
  readonly depth: number;
  /** The prefix of each reason that is found in this text: the path of the script. */
  readonly label: string;
  /** `$0` in this text, if it is a shell script. */
  readonly zero?: string | undefined;
  /** Whether bash reads this text. */
  readonly isBash?: boolean;
  /** Whether the text is a script of the user outside of the project. Only the project's code that this script starts is collected. */
  readonly isOwn?: boolean;
}

/** Adds a reason that was found in a text. What is unknown about a script of the user is not the project's. */
export function openFor(to: Collector, from: Origin, reason: string, kind?: OpenReason['kind']): void {
  if (!from.isOwn) to.openFor(from.label + reason, kind);
}
