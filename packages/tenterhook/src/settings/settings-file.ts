/** A file that was looked for, and what came of it. */
export interface SettingsFile {
  readonly file: string;
  readonly source: string;
  /** Absent where it is not known: of a file that several formats look for, and that is missing or no JSON. */
  readonly dialect?: string;
  readonly state: 'read' | 'missing' | 'broken';
}
