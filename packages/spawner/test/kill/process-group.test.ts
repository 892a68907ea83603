import { signalGroup } from '../../src/kill/process-group.js';

test.each([0, 1, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY])(
  'a signal to group %p, which would reach others than a job, is refused',
  (group) => {
    expect(() => signalGroup(group, 'SIGWINCH')).toThrow(RangeError);
  },
);
