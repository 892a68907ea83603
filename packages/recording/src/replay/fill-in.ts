import { mapTexts } from '../mask/map-texts.js';
import { createDecoder, createPlaceholderTable, type Roots, type Secrets } from '../mask/placeholders.js';

/** The values that are filled in for placeholders. */
export interface FillOptions {
  /** The directories of this machine. @default the home directory and the directory for temporary files; a project must be passed */
  readonly roots?: Roots | undefined;
  /** The values of secrets. @default none */
  readonly secrets?: Secrets | undefined;
}

/** A placeholder without a value. */
export interface MissingValue {
  readonly code: 'missing_secret' | 'missing_root';
  /** The name of the secret, or `project`. */
  readonly name: string;
  /** Says what to pass. */
  readonly message: string;
}

/** Fills values in for the placeholders of payloads, and collects the placeholders without a value. */
export class Filler {
  readonly #missing = new Set<string>();
  readonly #decode: (text: string) => string;

  constructor({ roots, secrets }: FillOptions) {
    this.#decode = createDecoder(createPlaceholderTable(roots, secrets), this.#missing);
  }

  fill(value: unknown): unknown {
    return mapTexts(value, this.#decode);
  }

  missing(): MissingValue[] {
    return [...this.#missing].map((placeholder) => {
      const name = placeholder.replace(/^secret:/, '');
      if (name === placeholder) {
        return {
          code: 'missing_root',
          name,
          message: `The recording has the placeholder of the directory "${name}". Pass roots: { ${name} }.`,
        };
      }
      return {
        code: 'missing_secret',
        name,
        message: `The recording has the placeholder of the secret "${name}". Pass secrets: { ${name} }.`,
      };
    });
  }
}

/** Returns the time of a pace as a factor of the recorded pauses. Undefined if pauses are left out. */
export function paceFactor(pace: 'recorded' | number | undefined): number | undefined {
  if (pace === 'recorded') return 1;
  if (pace === undefined || (typeof pace === 'number' && pace >= 0 && Number.isFinite(pace))) return pace;
  throw new TypeError(`pace must be "recorded" or a factor from 0, and is ${String(pace)}.`);
}
