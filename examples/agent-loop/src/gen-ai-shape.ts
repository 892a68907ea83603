/**
 * The part of Google's GenAI format that this example uses. Its model is scripted, so it does not need the SDK. With the real SDK,
 * pass `request` unchanged to `ai.models.generateContent(request)`.
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

/** Formats a call in one line: its name and its first argument, which is the path or the command. */
export function describeCall({ name, args }: FunctionCall): string {
  return `${name} ${String(Object.values(args)[0] ?? '')}`.trimEnd();
}
