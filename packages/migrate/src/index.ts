export { findMigration } from './formats/find-migration.js';
export { contractTopics } from './contract-topics.js';
export { planMigration } from './plan-migration.js';
export { insertJson, type JsonObject } from './target/insert-json.js';
export { replaceFile } from './target/replace-file.js';

export type { ContractDifference, HookContract } from './contract.js';
export type { ContractTopic, ContractTopicName } from './contract-topics.js';
export type {
  HookAddition,
  HookMigration,
  HookSwitch,
  MigrationContext,
  ReadHook,
  WrittenHook,
} from './formats/hook-migration.js';
export type { MigratedHook, MigratingDialect, MigrationPlan } from './plan-migration.js';
export type { HookLoss, PortableAction, PortableField, PortableHook, PortableMatcher, PortableSubject } from './portable/portable-hook.js';
export type { HooksByEvent } from './source-hooks.js';
export type { PlannedFile } from './target/plan-file.js';
export type { ReadSettings, SettingsReader } from './target/target-file.js';
