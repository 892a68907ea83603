import type { Diagnostic, DialectContext, HookSwitches, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { matcherField } from '../../shared/matching.js';
import { withSlashes } from '../../shared/paths.js';
import { eventKeys } from '../../shared/settings/event-keys.js';
import type { GroupFormat } from '../../shared/settings/group-format.js';
import { powershellCommand } from '../../shared/settings/powershell.js';
import { isUnusableSection, readEvents } from '../../shared/settings/read-groups.js';
import { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { matcherLanguage } from '../matching/matcher.js';
import type { RelativeHost } from '../options.js';
import type { RelativeProduct } from '../product.js';
import { knownToolNames } from '../tools/tool-call.js';
import { hookFields, type ParseOptions, type RelativeGroup, readHook, readLoopLimit, toInvalidHook } from './read-hook.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the hooks of a settings document. An invalid part is dropped with a diagnostic that has its file, line, path and a remedy.
 * The rest is kept.
 */
export function parse(given: SettingsDocument, context: DialectContext, host: RelativeHost): ParsedDocument {
  const { home, toolNames } = context;
  const { product } = host;
  const { document, isMap } = withHooksKey(given, product);
  const reporter = new Reporter(document, product.name);
  const { value: settings } = document;
  if (!isPlainObject(settings)) {
    const message = `The settings must be an object, and are ${formatValue(settings)}.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const invalid = findWrongVersion(settings, product, reporter);
  const powershell = (text: string) => powershellCommand(text, context);
  const options: ParseOptions = { host: host.at(home), powershell, ...omitUndefined({ invalid }) };
  const format = groupFormat(options, toolNames);
  const switches = readSwitch(settings, product, reporter);
  const hooks = readEvents(settings, { document, reporter, dialect: product.name }, format);
  const isUnusable = invalid !== undefined || hasUnusableSwitch(settings, product) || isUnusableSection(settings['hooks'], format);
  const diagnostics = isMap ? reporter.diagnostics.map(withoutHooksKey) : reporter.diagnostics;
  return { hooks, diagnostics, switches, isUnusable };
}

/**
 * Returns the keys under "hooks" if they are certainly events of this agent. Claude Code has nearly all of these events, so a document that
 * has no others is taken for one of Claude Code.
 */
export function eventsIn(value: unknown, { events, otherAgentsEvents }: EventNames): string[] {
  const hooks = isPlainObject(value) ? value['hooks'] : undefined;
  const found = isPlainObject(hooks) ? Object.keys(hooks).filter((key) => Object.hasOwn(events, key)) : [];
  return found.some((event) => !otherAgentsEvents.includes(event)) ? found : [];
}

interface EventNames extends Pick<RelativeProduct, 'events'> {
  readonly otherAgentsEvents: readonly string[];
}

/** Some files are the map of events itself. It is read as if it were under "hooks". */
function withHooksKey(
  document: SettingsDocument,
  { eventMaps = [], events }: RelativeProduct,
): { document: SettingsDocument; isMap: boolean } {
  const isEvent = (key: string) => Object.hasOwn(events, key);
  const { file, value, locate } = document;
  const path = file === undefined ? undefined : withSlashes(file);
  const isMapFile = eventMaps.some((name) => path?.endsWith(`/${name}`) || path === name);
  // Settings that a host passes as an object have no name, so their events show what they are.
  const isMap = isMapFile || (path === undefined && eventMaps.length > 0 && isPlainObject(value) && Object.keys(value).some(isEvent));
  if (!isMap || !isPlainObject(value) || isPlainObject(value['hooks'])) return { document, isMap: false };
  // Other programs leave notes in such files, e.g. "_generated_by". The value of an event is kept whatever it is, so that it is reported.
  const isSection = (groups: unknown) => typeof groups === 'object' && groups !== null;
  const hooks = Object.fromEntries(Object.entries(value).filter(([key, groups]) => isEvent(key) || isSection(groups)));
  return {
    isMap: true,
    document: { ...document, value: { hooks }, locate: (path) => locate(path[0] === 'hooks' ? path.slice(1) : path) },
  };
}

function withoutHooksKey(diagnostic: Diagnostic): Diagnostic {
  const { path } = diagnostic;
  return path === undefined ? diagnostic : { ...diagnostic, path: path.replace(/^hooks(?:\.|(?=\[))/, '') };
}

/** Describes the format `{ "hooks": { event: [ { matcher, "hooks": [ hook ] } ] } }` with the agent's events and fields. */
function groupFormat(options: ParseOptions, toolNames: readonly string[] | undefined): GroupFormat<RelativeGroup> {
  const { host } = options;
  const { product } = host;
  const { agent, events, loopLimit, types } = product;
  const language = matcherLanguage(host, toolNames);
  return {
    eventOf: (key) => (Object.hasOwn(events, key) ? events[key]?.eventName : undefined),
    ...eventKeys({
      agent,
      events,
      toolNames: knownToolNames(product),
      exampleOf: (tool) => `"PreToolUse": [ { "matcher": "${language.exactly([tool])}", "hooks": [ … ] } ]`,
    }),
    isOtherKey: (key) => product.hasSwitch === true && key === 'disableAllHooks',
    misplacedPlaces: [[], ['Hooks'], ['hook'], ['hooks', 'hooks']],
    exampleEvent: 'PreToolUse',
    groupFields: ['matcher', 'hooks', ...(loopLimit === undefined ? [] : ['loop_limit'])],
    hookFields: hookFields(product),
    isHookLike: (value) => typeof value['command'] === 'string' || (types.includes('prompt') && typeof value['prompt'] === 'string'),
    showHook: ({ command }) => `{ "type": "command", "command": ${formatValue(command ?? '…')} }`,
    readGroup(fields, path, context) {
      const { problem, ...matched } = matcherField(fields['matcher'], path, context, language);
      const group = { ...matched, loopLimit: readLoopLimit(fields['loop_limit'], path, context, product) };
      return { group, ...(problem === undefined ? {} : { invalidGroup: problem }) };
    },
    readHook: (value, index, context) => readHook(value, index, context, options),
    invalidHook: (problem, last, context, onError) => toInvalidHook(problem, last, { ...context, onError }, options),
  };
}

/** Reports a version that the agent does not read, so that no hook of the document runs. */
function findWrongVersion(settings: Fields, { version: known }: RelativeProduct, reporter: Reporter): Diagnostic | undefined {
  const { version } = settings;
  if (known === undefined || version === undefined || version === known) return undefined;
  const message = `"version" must be ${known}, and is ${formatValue(version)}; no hook of these settings runs.`;
  return reporter.report('invalid_document', 'error', ['version'], message, { remedy: `Write "version": ${known}.` });
}

const switchKey = 'disableAllHooks';

function readSwitch(settings: Fields, { hasSwitch }: RelativeProduct, reporter: Reporter): HookSwitches {
  const { [switchKey]: value } = settings;
  if (!hasSwitch || value === undefined) return {};
  if (typeof value !== 'boolean') {
    const message = `"${switchKey}" must be true or false, and is ${formatValue(value)}.`;
    reporter.report('invalid_field', 'error', [switchKey], message, { remedy: `Write "${switchKey}": true.` });
  }
  return value === true ? { enabled: { value: false, path: [switchKey], written: true } } : {};
}

/** Tests whether it is unknown if hooks should run. */
function hasUnusableSwitch(settings: Fields, { hasSwitch }: RelativeProduct): boolean {
  return hasSwitch === true && settings[switchKey] !== undefined && typeof settings[switchKey] !== 'boolean';
}
