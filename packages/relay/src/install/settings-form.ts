import type { RelayFormat } from '@tenterhook/protocol';
import type { Installation, PlannedEdit } from './plan-install.js';
import type { InstalledEntry } from './read-entries.js';
import type { InstallRecord } from './revert-install.js';

/** The text of a file without the entries. Null if the file is to be removed. */
export type PlannedRemoval = { readonly text: string | null } | { readonly problem: string };

/** How entries are written into the settings of one language, and found there again. All methods are pure. */
export interface SettingsForm {
  /** Returns why a text cannot be edited, with line and column. */
  findProblem(text: string, format: RelayFormat): string | undefined;
  /** Reads the entries of the relay, wherever a user has moved them. */
  readEntries(text: string): readonly InstalledEntry[];
  /** Returns the text with the entries. `before` is undefined if the file does not exist. */
  planInstall(before: string | undefined, installation: Installation): PlannedEdit;
  /** Returns the text without the entries. */
  planUninstall(text: string, format: RelayFormat, record: InstallRecord | undefined): PlannedRemoval;
  /** Returns the text that an installation has to give back, or null if there was no file. */
  textBefore(text: string | undefined, record: InstallRecord | undefined): string | null;
  /** Tests whether a text is not as the last installation left it. */
  isEdited(text: string, record: InstallRecord | undefined): boolean;
}
