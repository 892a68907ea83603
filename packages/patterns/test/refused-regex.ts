import { compileRegex } from '../src/regex.js';

export function expectRefused(source: string, message: string, remedy: string): void {
  const compiled = compileRegex(source);
  expect(compiled).toEqual({
    ok: false,
    error: { message: expect.stringContaining(message), remedy: expect.stringContaining(remedy) },
  });
}
