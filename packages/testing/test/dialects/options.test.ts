import { type DialectConformanceOptions, dialectConformance } from '../../src/index.js';
import { llxprtOptions } from './llxprt-options.js';

/** Wrong options, the case that reports them, and its message. */
const wrong: Record<string, readonly [Partial<DialectConformanceOptions>, RegExp, RegExp]> = {
  'settings that are undefined for an event that the dialect has': [
    { settings: (hooks) => (hooks[0]?.eventName === 'AfterTool' ? undefined : llxprtOptions.settings(hooks)) },
    /events of the catalogue/,
    /events: AfterTool is 'AfterTool'; settings\(\) with a hook of it\n {2}came: {5}undefined\n {2}expected: settings/,
  ],
  'settings without an event': [{ settings: () => undefined }, /events of the catalogue/, /expected: settings for one event at least/],
  'answers for an event that the dialect does not have': [
    { settings: (hooks) => (hooks[0]?.eventName === 'BeforeTool' ? undefined : llxprtOptions.settings(hooks)) },
    /events of the catalogue/,
    /answers\.eventName\n {2}came: {5}'BeforeTool'\n {2}expected: an event of the dialect: AfterTool, BeforeAgent/,
  ],
  'settings with another command': [
    { settings: (hooks) => llxprtOptions.settings(hooks.map((hook) => ({ ...hook, command: `run-${hook.name}` }))) },
    /a bad hook stays in the list/,
    /expected: the command of each hook, unchanged/,
  ],
  'a system that rejects': [
    { fire: () => Promise.reject(new Error('no bash here')) },
    /whatever hooks print/,
    /came: {5}fire\(\) rejected with Error: no bash here\n {2}expected: a result/,
  ],
  'a system without these hooks': [
    { fire: (dialect, _settings, eventName, input) => llxprtOptions.fire(dialect, {}, eventName, input) },
    /^on Notification/,
    /0 outcomes of 0 hooks, errors \[\]\n {2}expected: one outcome for each of \d+ hooks/,
  ],
};

test.each(Object.entries(wrong))('%s: a case reports it', async (_, [options, title, message]) => {
  const [found] = dialectConformance({ ...llxprtOptions, ...options }).filter((each) => title.test(each.title));
  await expect(found?.run()).rejects.toThrow(message);
});

test('each case has a title of its own', () => {
  const titles = dialectConformance(llxprtOptions).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('a failure is an AssertionError, as test runners know it', async () => {
  const [, found] = dialectConformance({
    ...llxprtOptions,
    dialect: () => ({ ...llxprtOptions.dialect(), parse: () => ({ hooks: [], diagnostics: [] }) }),
  });
  await expect(found?.run()).rejects.toMatchObject({ name: 'AssertionError', code: 'ERR_ASSERTION' });
});
