/** The look of a text, as SGR sequences of a terminal set it. */
export interface SgrStyle {
  /** 0 to 15. */
  readonly colour?: number;
  readonly background?: number;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly inverse?: true;
  readonly strike?: true;
}

type Flag = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'strike';

const on: Readonly<Record<number, Flag>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'strike' };
const off: Readonly<Record<number, readonly Flag[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
};

/** Applies the parameters of one sequence, such as `1;31`. Unknown parameters change nothing. */
export function applySgr(style: SgrStyle, parameters: string): SgrStyle {
  const codes = parameters.split(/[;:]/).map((text) => Number(text || '0'));
  let next: { -readonly [Key in keyof SgrStyle]: SgrStyle[Key] } = { ...style };
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] as number;
    const flag = on[code];
    if (code === 0) next = {};
    else if (flag !== undefined) next[flag] = true;
    else if (off[code] !== undefined) for (const each of off[code]) delete next[each];
    else if (code >= 30 && code <= 37) next.colour = code - 30;
    else if (code >= 90 && code <= 97) next.colour = code - 82;
    else if (code >= 40 && code <= 47) next.background = code - 40;
    else if (code >= 100 && code <= 107) next.background = code - 92;
    else if (code === 39) delete next.colour;
    else if (code === 49) delete next.background;
    else if (code === 38 || code === 48) {
      const isPalette = codes[index + 1] === 5;
      const taken = codes.slice(index + 2, index + (isPalette ? 3 : 5)) as [number, number, number];
      const nearest = isPalette ? nearestOfPalette(taken[0]) : nearestOfRgb(taken);
      if (nearest !== undefined) next[code === 38 ? 'colour' : 'background'] = nearest;
      index += isPalette ? 2 : 4;
    }
  }
  return next;
}

/** Returns the class names of a style. A bright colour looks like its other one. Classes and not inline styles: the page's colours have enough contrast, a hook's may not. */
export function classesOf(style: SgrStyle): string {
  const { colour, background, ...flags } = style;
  return [
    ...(colour === undefined ? [] : [`sgr-colour-${colour % 8}`]),
    ...(background === undefined ? [] : [`sgr-back-${background}`]),
    ...Object.keys(flags).map((flag) => `sgr-${flag}`),
  ].join(' ');
}

/** The 256 colours of a terminal: 16 names, a cube of six steps a side, and greys. */
function nearestOfPalette(index: number | undefined): number | undefined {
  if (index === undefined || !(index >= 0 && index <= 255)) return undefined;
  if (index < 16) return index;
  if (index >= 232) return nearestOfRgb([8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10]);
  const step = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return nearestOfRgb([step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6)]);
}

/** Returns the nearest of the 16 named colours: a bit each for red, green and blue, and 8 for a bright one. */
function nearestOfRgb(rgb: readonly number[]): number | undefined {
  if (rgb.length !== 3 || rgb.some((value) => !(value >= 0 && value <= 255))) return undefined;
  const most = Math.max(...rgb);
  if (most < 64) return 0;
  const bits = rgb.reduce((sum, value, index) => sum + (value > most / 2 ? 1 << index : 0), 0);
  if (bits === 7) return most > 200 ? 15 : most > 120 ? 7 : 8;
  return bits + (most > 200 ? 8 : 0);
}
