import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackSections } from './docs/attack-sections.mjs';
import { dialectSections } from './docs/dialect-sections.mjs';
import { eventSections, eventTable, publishedEventSections, strategyTable } from './docs/event-sections.mjs';
import { faultSections } from './docs/fault-sections.mjs';
import { busSections, modelDataSections } from './docs/other-sections.mjs';
import { performanceFiles } from './docs/performance-files.mjs';
import { referenceFormats, referenceSections } from './docs/reference-sections.mjs';
import { relaySections } from './docs/relay-sections.mjs';
import { withSections } from './docs/sections.mjs';
import { telemetrySections } from './docs/telemetry-sections.mjs';

/**
 * Returns every committed file that is generated from the sources: its path and its text. `npm run schema` writes these files, and a test
 * compares them. The API reference is not included, because it takes seconds (`reference/reference-pages.mjs`).
 */
export async function generatedFiles() {
  const protocol = { ...(await import('@tenterhook/protocol')), ...(await import('@tenterhook/protocol/internal')) };
  const { defaultDialects } = await import('@tenterhook/dialects');
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  return [
    { file: 'packages/protocol/schema/messages.schema.json', text: json(protocol.messagesJsonSchema()) },
    ...defaultDialects()
      .filter((dialect) => dialect.settingsJsonSchema !== undefined)
      .map((dialect) => ({
        file: `packages/dialects/schema/${dialect.name}-settings.schema.json`,
        text: json(dialect.settingsJsonSchema()),
      })),
    { file: 'docs/errors.md', text: errorsPage(protocol) },
    ...(await Promise.all(
      protocol.hookEventNames
        .filter((name) => protocol.eventCatalogue[name].firedBy !== 'host')
        .map((name) => page(`docs/events/${name}.md`, (text) => eventSections(protocol, name, text))),
    )),
    await page('docs/events/other-agents.md', (text) => publishedEventSections(protocol, text)),
    await page('docs/events/README.md', () => ({
      events: eventTable(protocol),
      'published-events': eventTable(protocol, 'host'),
      strategies: strategyTable(),
    })),
    await page('docs/hooks.md', () => modelDataSections(protocol)),
    await page('docs/bus.md', () => busSections(protocol)),
    await page('docs/reliability.md', () => faultSections()),
    await page('docs/security.md', () => attackSections()),
    await page('docs/command-line.md', () => dialectSections(defaultDialects())),
    await page('docs/relay.md', () => relaySections(protocol, defaultDialects())),
    await page('docs/telemetry.md', async () => telemetrySections(await import('@tenterhook/otel/internal'))),
    ...performanceFiles(),
    ...(await Promise.all(referenceFormats.map((format) => page(`docs/formats-reference/${format}.md`, () => referenceSections(format))))),
  ];
}

/** Returns a page with its generated sections. */
async function page(file, sectionsOf) {
  const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  return { file, text: withSections(file, text, await sectionsOf(text)) };
}

function errorsPage({ errorCodes, hookCodes, diagnosticCodes, skipReasons }) {
  return [
    '# Errors, warnings, diagnostics',
    'This page lists every code in results of Tenterhook. Compare codes in your program, because messages may change. The page is generated from `packages/protocol/src/codes.ts`.',
    ...section(
      'Why a request was not carried out',
      'These codes are in `error.code` of a response on the bus, and in `errors[0].code` of a result.',
      errorCodes,
    ),
    ...section(
      "Why a hook's outcome is not what its author meant",
      'These codes are in `outcome.warnings[].code`, and in `errors[].code` of a result.',
      hookCodes,
    ),
    ...section(
      'What is wrong with the settings',
      'These codes are in `diagnostics[].code`. `tenterhook validate` prints them.',
      diagnosticCodes,
    ),
    ...section(
      'Why a configured hook did not run',
      '`outcome.skipReason` is one of these codes. The outcome also has a warning with the same code; for `invalid`, the warning has the code of the problem in the settings. After `matcher`, `chain-ended` and `once` there is no warning.',
      skipReasons,
    ),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function section(title, intro, codes) {
  const rows = Object.entries(codes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return [`## ${title}`, intro, ['| code | meaning |', '|---|---|', ...rows].join('\n')];
}
