import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { transformSync } from '@swc/core';
import { brandErrors, TenterhookError } from '../src/tenterhook-error.js';

class LimitError extends TenterhookError {
  static {
    LimitError.prototype.name = 'LimitError';
  }
}

test('an error has a code, a message, and the error that led to it', () => {
  const cause = new Error('ENOENT');
  const error = new TenterhookError('no_file', 'The file is missing.', { cause });
  expect(error).toMatchObject({ name: 'TenterhookError', code: 'no_file', message: 'The file is missing.', cause });
  expect(String(new LimitError('limit', 'Too many.'))).toBe('LimitError: Too many.');
  expect(Object.keys(error)).toEqual(['code']);
});

test('a class that extends it recognises its own errors alone', () => {
  const [base, limit] = [new TenterhookError('a', 'a'), new LimitError('b', 'b')];
  expect([base instanceof TenterhookError, limit instanceof TenterhookError, limit instanceof Error]).toEqual([true, true, true]);
  expect([limit instanceof LimitError, base instanceof LimitError]).toEqual([true, false]);
});

test('an error class with another base is recognised once it is branded, and stays what it is', () => {
  class WrongUse extends TypeError {
    static {
      brandErrors(WrongUse);
    }
  }
  const error = new WrongUse('no');
  expect([error instanceof TenterhookError, error instanceof TypeError, Object.keys(error)]).toEqual([true, true, []]);
  expect(new TypeError('no') instanceof TenterhookError).toBe(false);
});

test('an error of another copy of the package is recognised', () => {
  const source = readFileSync(new URL('../src/tenterhook-error.ts', import.meta.url), 'utf8');
  const { code } = transformSync(source, { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });
  const context = createContext({ exports: {} });
  const copy = runInContext(`${code}; exports`, context) as { TenterhookError: typeof TenterhookError };
  const error = new copy.TenterhookError('disposed', 'It is closed.');
  expect(copy.TenterhookError).not.toBe(TenterhookError);
  expect([error instanceof TenterhookError, new LimitError('limit', 'x') instanceof copy.TenterhookError]).toEqual([true, true]);
});

test.each([[undefined], [null], ['error'], [{ code: 'a', message: 'b' }], [new Error('x')], [() => {}]])('%p is no such error', (value) => {
  expect((value as unknown) instanceof TenterhookError).toBe(false);
});
