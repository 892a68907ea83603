import { createHash } from 'node:crypto';
import type { DaemonAnswer } from './message.js';

/** What identifies an event that an agent may report twice. */
export interface TwinEvent {
  readonly agent: string;
  readonly event: string;
  readonly text: string;
  /** What the entry asks for: its policy and its budget. Entries that ask for something else are answered apart. */
  readonly options: string;
  /** Whether the entry is in the settings of a project. */
  readonly isOfProject: boolean;
}

interface Kept {
  readonly isOfProject: boolean;
  readonly answer: Promise<DaemonAnswer>;
}

const keptMs = 2000;

/**
 * If the settings of the user and of the project both have an entry, the agent reports each event twice. The second report gets the answer
 * to the first one, so that each guard runs once.
 */
export class TwinAnswers {
  readonly #kept = new Map<string, Kept>();

  /** Answers an event, unless its twin from the other settings was answered a moment ago or is being answered. */
  answer({ agent, event, text, options, isOfProject }: TwinEvent, task: () => Promise<DaemonAnswer>): Promise<DaemonAnswer> {
    const key = `${agent} ${event} ${options} ${createHash('sha256').update(text).digest('hex')}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.isOfProject !== isOfProject) {
      this.#kept.delete(key);
      return kept.answer;
    }
    const own: Kept = { isOfProject, answer: task() };
    this.#kept.set(key, own);
    const forget = () => {
      if (this.#kept.get(key) === own) this.#kept.delete(key);
    };
    void own.answer.catch(() => {}).then(() => setTimeout(forget, keptMs).unref());
    return own.answer;
  }
}
