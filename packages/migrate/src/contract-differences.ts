import type { HookEventName } from '@tenterhook/protocol';
import { type ContractTopic, type ContractTopicName, contractTopics, type HookContract } from './formats/hook-migration.js';

/** Something that scripts of two agents do in different ways. */
export interface ContractDifference {
  readonly topic: ContractTopicName;
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** What a script has to change, of the topics that the migrated events are about; from what each dialect says of itself. */
export function contractDifferences(from: HookContract, to: HookContract, events: ReadonlySet<HookEventName>): ContractDifference[] {
  const topics = Object.entries(contractTopics) as [ContractTopicName, ContractTopic][];
  return topics
    .filter(([topic, { events: about }]) => from.topics[topic] !== to.topics[topic] && (about?.some((event) => events.has(event)) ?? true))
    .map(([topic, { label }]) => ({ topic, label, from: from.topics[topic], to: to.topics[topic] }));
}
