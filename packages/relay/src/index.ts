export { askDaemon, type DaemonReply } from './client/ask-daemon.js';
export { clientBounds } from './client/client-bounds.js';
export { type ClientFacts, factIn } from './client/client-facts.js';
export { clientFileText } from './client/stored-answers.js';
export { Daemon, type DaemonOptions } from './daemon/daemon.js';
export { type Lent, LentValues } from './daemon/lent-values.js';
export { listens } from './daemon/listens.js';
export { areWords, type DaemonAnswer, type DaemonRequest, ownAgent } from './daemon/message.js';
export { type DaemonPlace, findDaemonPlace } from './daemon/place.js';
export { Turns } from './daemon/turns.js';
export { TwinAnswers } from './daemon/twin-answers.js';
export { type Asking, dialectsFor, type HeardEvent } from './guards/asking-dialect.js';
export { engineWithCanonicalCalls } from './guards/canonical-calls.js';
export {
  defaultPolicy,
  type Guard,
  type GuardReading,
  type GuardSettings,
  noGuardSettings,
  readGuardSettings,
} from './guards/guard-settings.js';
export { existingFolder, findProjectDirectory } from './guards/project-directory.js';
export { formOf } from './install/form-of.js';
export type { PlannedRemoval, SettingsForm } from './install/settings-form.js';
export type { Installation, PlannedEdit } from './install/plan-install.js';
export { KeptResults } from './run/kept-results.js';
export { withTomlBlock } from './install/toml-block.js';
export type { InstalledEntry } from './install/read-entries.js';
export { answerEvent, type Asked, type RelayedEvent, type UnreadInput } from './run/answer-event.js';
export { isAskedTwice, otherAgents } from './run/asked-twice.js';
export type { InstallRecord } from './install/revert-install.js';
