import { styleText } from 'node:util';

const isColourful = process.env['FORCE_COLOR'] !== undefined || (process.stdout.isTTY && !process.env['NO_COLOR']);

export function style(format: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string): string {
  return isColourful ? styleText(format, text) : text;
}
