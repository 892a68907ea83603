import { styleText } from 'node:util';

const styles = { plain: [], bold: ['bold'], dim: ['dim'], red: ['red'], green: ['green'], yellow: ['yellow'], cyan: ['cyan'] } as const;

export type Style = keyof typeof styles;

/** Applies a style to a text: `paint('red', text)`. No other code writes colours. */
export type Paint = (style: Style, text: string) => string;

/** The properties of a stream that decide whether colours are used. */
export interface TerminalTraits {
  readonly isTTY?: boolean;
}

/**
 * Tests whether to use colours. FORCE_COLOR decides if it is set, then NO_COLOR, then whether the stream is a terminal with colours. Node's
 * `styleText` has the same rules, but applies them at every call. Here they are applied once, and to the stream that is written to.
 */
export function hasColours(stream: TerminalTraits, env: Readonly<Record<string, string | undefined>>): boolean {
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

export function createPaint(isColourful: boolean): Paint {
  if (!isColourful) return plainPaint;
  return (style, text) => {
    const [format] = styles[style];
    return format === undefined || text === '' ? text : styleText(format, text, { validateStream: false });
  };
}

export const plainPaint: Paint = (_style, text) => text;
