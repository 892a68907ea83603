import { appendFileSync } from 'node:fs';
import { type Content, callsOf, describeCall, type FunctionDeclaration, type GenerateContentRequest } from './gen-ai-shape.js';

/**
 * The number of tokens of a history above which it is compressed before the next prompt. A real agent has room for about a thousand
 * times as many tokens.
 */
const longHistory = 450;

export interface ConversationOptions {
  readonly functionDeclarations: FunctionDeclaration[];
  /** The path of the transcript, which has one line of JSON for each entry. Events for hooks contain this path, not the history. */
  readonly transcriptFile: string;
}

/** What the user, the model and the tools said. Hooks may rewrite a request to the model, but that is not stored here. */
export class Conversation {
  readonly #options: ConversationOptions;
  #instructions = 'You are an agent in a workspace.';
  #history: Content[] = [];
  #notes: string[] = [];

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  get isLong(): boolean {
    return JSON.stringify(this.#history).length / 4 > longHistory; // An estimate: four characters are a token.
  }

  instruct(texts: readonly string[]): void {
    this.#instructions = [this.#instructions, ...texts].join('\n');
  }

  /** Adds messages of hooks to the next message to the model. */
  note(texts: readonly string[]): void {
    this.#notes.push(...texts);
  }

  add(content: Content): void {
    const notes = content.role === 'user' ? this.#notes.splice(0) : [];
    const whole = { ...content, parts: [...content.parts, ...notes.map((text) => ({ text }))] };
    this.#history.push(whole);
    appendFileSync(this.#options.transcriptFile, `${JSON.stringify(whole)}\n`);
  }

  request(): GenerateContentRequest {
    const { functionDeclarations } = this.#options;
    return {
      model: 'scripted-1',
      contents: [...this.#history],
      config: { systemInstruction: this.#instructions, tools: [{ functionDeclarations }] },
    };
  }

  /** Replaces all entries by two. In a real agent, the model writes the summary. */
  compress(): string {
    const before = this.#history.length;
    const calls = this.#history.flatMap(({ parts }) => callsOf(parts).map(describeCall));
    this.#history = [
      { role: 'user', parts: [{ text: `So far you have called: ${calls.join('; ')}.` }] },
      { role: 'model', parts: [{ text: 'I remember.' }] },
    ];
    return `${before} entries became ${this.#history.length}.`;
  }
}
