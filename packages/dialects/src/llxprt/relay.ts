import type { HookEventName, RelayEffect, RelayEvent, RelayFormat } from '@tenterhook/protocol';
import { createRelayFormat } from '../shared/relay/create-relay-format.js';
import { decisionAnswer } from '../shared/relay/decision-answer.js';
import { namedCommandEntry } from '../shared/relay/entry.js';
import type { OtherTools } from '../shared/tools/other-tools.js';

const powers: Readonly<Partial<Record<HookEventName, readonly RelayEffect[]>>> = {
  BeforeTool: ['deny', 'allow', 'input', 'context', 'user'],
  AfterTool: ['deny', 'result', 'context', 'user'],
  BeforeAgent: ['deny', 'stop', 'context', 'user'],
  AfterAgent: ['deny', 'user'],
  SessionStart: ['context', 'user'],
  SessionEnd: ['user'],
  PreCompress: ['user'],
  Notification: ['user'],
};

const events: Readonly<Record<string, RelayEvent>> = Object.fromEntries(
  (Object.entries(powers) as [HookEventName, readonly RelayEffect[]][]).map(([eventName, effects]) => [
    eventName,
    { eventName, install: 'always', powers: effects },
  ]),
);

/** Editors of LLxprt Code besides `replace` and `write_file`. */
const otherTools: OtherTools = {
  ast_edit: 'replace',
  insert_at_line: { as: 'replace', keys: { absolute_path: 'file_path', content: 'new_string' } },
  delete_line_range: 'replace',
  apply_patch: { as: 'replace', keys: { absolute_path: 'file_path', patch_content: 'new_string' } },
};

/**
 * The way back: LLxprt Code starts Tenterhook as its hook. Its events around the model are left out, because their data differ from their
 * documentation.
 */
export const relay: RelayFormat = createRelayFormat({
  agent: 'LLxprt Code',
  afterInstall: "Restart LLxprt Code. A project's settings file replaces the list of an event in yours.",
  unattended: ['LLxprt Code runs hooks of a project only in a trusted folder.'],
  events,
  otherTools,
  entry: (event, command, options) => ({
    ...namedCommandEntry(event, command, options),
    switches: [
      { path: ['tools', 'enableHooks'], value: true },
      { path: ['hooksConfig', 'enabled'], value: true },
    ],
  }),
  write: (saying) => ({ answer: decisionAnswer(saying) }),
});
