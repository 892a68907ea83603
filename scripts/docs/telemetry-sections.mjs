import { code, table } from './sections.mjs';

const readable = { ours: 'Tenterhook', stable: 'stable', 'release candidate': 'release candidate', development: 'in development' };

/** Makes the tables of docs/telemetry.md. */
export function telemetrySections({ attributes, instruments }) {
  const listed = Object.values(attributes);
  const isOfSpans = (place) => place !== 'metric' && place !== 'log';
  const spans = listed.filter(({ on }) => on.some(isOfSpans));
  const metrics = listed.filter(({ on }) => on.includes('metric'));
  return {
    attributes: table(
      ['attribute', 'on spans of', 'value', 'name'],
      spans.map(({ name, on, value, stability }) => [code(name), on.filter(isOfSpans).join(', '), value, readable[stability]]),
    ),
    metrics: [
      table(
        ['instrument', 'unit', 'meaning'],
        Object.values(instruments).map(({ name, unit, description }) => [code(name), unit, description]),
      ),
      `Their attributes: ${metrics.map(({ name }) => code(name)).join(', ')}.`,
    ].join('\n\n'),
  };
}
