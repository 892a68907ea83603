import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a request has shown. `locked`: too many wrong tokens came, and this is another one. */
export type TokenCheck = 'right' | 'wrong' | 'locked';

/**
 * After ten wrong tokens within a minute, others are refused with another status for a minute. The right token passes nevertheless: it cannot
 * be guessed, and a web page could otherwise lock out the owner by opening addresses with wrong tokens.
 */
const mostWrong = 10;
const windowMs = 60_000;

/**
 * The secret that the page shows with each request. It is in memory only. The address that a browser opens has a code, with which its page gets
 * the token once: browsers write addresses into their history, and some send it to other machines.
 */
export class AccessToken {
  readonly text: string = newSecret();
  /** Digests of the codes that were not used. */
  readonly #codes: Buffer[] = [];
  readonly #digest = digestOf(this.text);
  readonly #now: () => number;
  #wrong: number[] = [];
  #lockedUntil = Number.NEGATIVE_INFINITY;

  /** `now` returns milliseconds of a clock that does not go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Creates a code, which is worth the token once. */
  issueCode(): string {
    const code = newSecret();
    this.#codes.push(digestOf(code));
    return code;
  }

  /** Compares the header `Authorization` with the codes. A code that is right is used up. */
  redeem(authorization: string | undefined): TokenCheck {
    const given = digestOf(secretIn(authorization));
    const index = this.#codes.findIndex((code) => timingSafeEqual(code, given));
    if (index < 0) return this.#wrongSecret(authorization);
    this.#codes.splice(index, 1);
    return 'right';
  }

  /** Compares the header `Authorization` with the token. Takes the same time for every token, also for none. */
  check(authorization: string | undefined): TokenCheck {
    // Digests have one length, so the comparison does not tell the length of the token.
    return timingSafeEqual(digestOf(secretIn(authorization)), this.#digest) ? 'right' : this.#wrongSecret(authorization);
  }

  #wrongSecret(authorization: string | undefined): TokenCheck {
    const now = this.#now();
    // A page without a token guesses nothing. If it counted, a tab that was left open would lock out the others.
    if (authorization === undefined) return 'wrong';
    if (now < this.#lockedUntil) return 'locked';
    this.#wrong = [...this.#wrong.filter((at) => at > now - windowMs), now];
    if (this.#wrong.length >= mostWrong) {
      this.#wrong = [];
      this.#lockedUntil = now + windowMs;
    }
    return 'wrong';
  }
}

/** 32 random bytes in base64url. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function secretIn(authorization: string | undefined): string {
  return /^Bearer ([\w-]{1,200})$/.exec(authorization ?? '')?.[1] ?? '';
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
