/** What is unknown about a hook. */
export interface OpenReason {
  /**
   * What is unknown:
   * - `code`: which program or script the hook starts.
   * - `loaded`: what a known program loads by itself, such as plugins or tasks of a manifest.
   * - `data`: which words or files the hook uses, although none of them is code.
   */
  readonly kind: 'code' | 'loaded' | 'data';
  /** A sentence. */
  readonly text: string;
}

const ranks: readonly OpenReason['kind'][] = ['data', 'loaded', 'code'];

/**
 * The maximum number of reasons that are kept of each kind. With one limit for all kinds, many harmless reasons could displace a serious
 * one.
 */
const maxOfKind = 50;

/** Reasons, each text once. If a text is added with two kinds, the more serious kind is kept. */
export class OpenReasons {
  readonly #kinds = new Map<string, OpenReason['kind']>();

  /** Adds a reason. Pass `data` or `loaded` only if the reason is certainly not about unknown code. */
  add(text: string, kind: OpenReason['kind'] = 'code'): void {
    const known = this.#kinds.get(text);
    if (known !== undefined && ranks.indexOf(known) >= ranks.indexOf(kind)) return;
    if ([...this.#kinds.values()].filter((one) => one === kind).length < maxOfKind) this.#kinds.set(text, kind);
  }

  /** The reasons in the order of their texts. */
  list(): OpenReason[] {
    return [...this.#kinds].map(([text, kind]) => ({ kind, text })).sort((one, other) => (one.text < other.text ? -1 : 1));
  }
}

/** Tests whether it is unknown which program or script is started. */
export function hasUnknownCode(reasons: readonly OpenReason[]): boolean {
  return reasons.some(({ kind }) => kind === 'code');
}
