import { code, table } from './sections.mjs';

const words = {
  deny: 'deny',
  ask: 'ask',
  stop: 'stop',
  input: 'new arguments',
  result: 'new result',
  prompt: 'new prompt',
  model: 'new model data',
  tools: 'tool selection',
  context: 'context',
  user: 'message',
};

/** Makes the table of what each agent can obey (docs/relay.md), from the dialects. */
export function relaySections({ hookEventNames, eventCatalogue }, dialects) {
  const agents = dialects.flatMap(({ relay }) => (relay === undefined ? [] : [relay]));
  const events = hookEventNames.filter((name) => eventCatalogue[name].firedBy !== 'host' && agents.some(({ can }) => can(name).length > 0));
  const cell = (powers) =>
    powers
      .filter((power) => power in words)
      .map((power) => words[power])
      .join(', ') || '–';
  return {
    reach: table(
      ['event', ...agents.map(({ agent }) => agent)],
      events.map((name) => [code(name), ...agents.map(({ can }) => cell(can(name)))]),
    ),
  };
}
