/**
 * As much of Google's GenAI format as this example speaks. Its model is scripted, so the SDK itself would be a dependency for nothing;
 * with the real one, `request` goes to `ai.models.generateContent(request)` as it is.
 */
export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: Part[];
}

export interface Part {
  readonly text?: string;
  readonly functionCall?: FunctionCall;
  readonly functionResponse?: { readonly name: string; readonly response: Record<string, unknown> };
}

export interface FunctionCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: Record<string, unknown>;
}

export interface GenerateContentRequest {
  readonly model: string;
  readonly contents: Content[];
  readonly config: { readonly systemInstruction: string; readonly tools: { readonly functionDeclarations: FunctionDeclaration[] }[] };
}

export interface GenerateContentResponse {
  readonly candidates?: { readonly content?: Content; readonly finishReason?: string }[];
}

export function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text }) => text ?? []).join('');
}

export function callsOf(parts: readonly Part[]): FunctionCall[] {
  return parts.flatMap(({ functionCall }) => functionCall ?? []);
}

/** What a call is about, in a line: the first of its arguments is the path or the command. */
export function describeCall({ name, args }: FunctionCall): string {
  return `${name} ${String(Object.values(args)[0] ?? '')}`.trimEnd();
}
