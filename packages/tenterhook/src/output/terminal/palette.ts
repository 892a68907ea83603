import { styleText } from 'node:util';

const styles = { plain: [], bold: ['bold'], dim: ['dim'], red: ['red'], green: ['green'], yellow: ['yellow'], cyan: ['cyan'] } as const;

export type Style = keyof typeof styles;

/** All colours come from here: `paint('red', text)`. */
export type Paint = (style: Style, text: string) => string;

/** The properties of a stream that decide about colours. */
export interface TerminalTraits {
  readonly isTTY?: boolean;
}

/**
 * FORCE_COLOR decides if it is set, then NO_COLOR, then whether this is a terminal with colours. These are the rules of `styleText`,
 * applied once to the stream of the output.
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
