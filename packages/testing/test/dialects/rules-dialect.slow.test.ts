import { dialectConformance, type SampleHook } from '../../src/index.js';
import { llxprtOptions } from './llxprt-options.js';
import { rules } from './rules-dialect.js';

/** The events of the format. The dialect leaves out `events`, so the options of the suite must name them. */
const events = ['BeforeTool', 'BeforeAgent', 'AfterModel', 'HostEnd'];

const tests = dialectConformance({
  dialect: rules,
  settings: (hooks) => {
    const rule = ({ dialectEvent, command, timeoutMs = 30_000 }: SampleHook) => ({
      on: dialectEvent,
      run: command,
      seconds: timeoutMs / 1000,
    });
    return hooks.every(({ eventName }) => events.includes(eventName)) ? { rules: hooks.map(rule) } : undefined;
  },
  answers: { eventName: 'BeforeTool', deny: { verdict: 'no', why: 'not here' } },
  outputFields: ['verdict', 'why'],
  matchers: [],
  fire: llxprtOptions.fire,
});

for (const { title, run } of tests) test(title, run);
