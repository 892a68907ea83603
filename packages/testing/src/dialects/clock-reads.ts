/**
 * Calls something, and notes what it asked of the clocks and of chance. Calling it twice alone would not show it: two calls in a row see the
 * same time. The call has to be synchronous, because what is watched is everybody's.
 */
export function clockReads<Value>(call: () => Value, reads: string[]): Value {
  const { Date: realDate, performance } = globalThis;
  const { random } = Math;
  const now = performance.now.bind(performance);
  globalThis.Date = new Proxy(realDate, {
    construct(target, args, newTarget) {
      if (args.length === 0) reads.push('new Date()');
      return Reflect.construct(target, args, newTarget) as Date;
    },
    apply(target) {
      reads.push('Date()');
      return target();
    },
    get(target, key) {
      if (key === 'now') reads.push('Date.now()');
      return Reflect.get(target, key) as unknown;
    },
  });
  Math.random = () => {
    reads.push('Math.random()');
    return random();
  };
  // It stands on the prototype, so that what is put in front of it is taken away again and not put back.
  Object.defineProperty(performance, 'now', {
    configurable: true,
    value: () => {
      reads.push('performance.now()');
      return now();
    },
  });
  try {
    return call();
  } finally {
    globalThis.Date = realDate;
    Math.random = random;
    Reflect.deleteProperty(performance, 'now');
  }
}
