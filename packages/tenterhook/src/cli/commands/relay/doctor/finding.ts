/** What `relay doctor` has found out. */
export interface Finding {
  /** The agent, or `relay` for what concerns all. */
  readonly about: string;
  /** `note`: it works, but the user should know. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** What to do. */
  readonly remedy?: string;
}
