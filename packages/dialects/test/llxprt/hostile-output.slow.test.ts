import { hostileTexts } from './hostile-texts.js';
import { decoded } from './llxprt-rig.js';

const deny = '{"decision":"deny","reason":"no"}';

test.each(Object.entries(hostileTexts(5_000_000)))('a deny before and after 5 MB of %s is a deny', (_, garbage) => {
  expect(decoded({ stdout: `log\n${deny}\n${garbage}` }).output?.decision).toBe('deny');
  expect(decoded({ stdout: `log\n${garbage}\nlog\n${deny}` }).output?.decision).toBe('deny');
});
