type Fields = Readonly<Record<string, unknown>>;

/** Returns the input of the event from its request: the message as it was recorded, or its payload alone. */
export function inputOf(request: unknown): Fields {
  const fields = fieldsOf(request);
  const payload = 'payload' in fields ? fieldsOf(fields['payload']) : fields;
  return fieldsOf(payload['input']);
}

/** Reads the input that a person has edited. Returns a sentence if it is not a JSON object. */
export function readInput(text: string): { readonly input: Fields } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return { input: value };
    return { problem: 'The input must be a JSON object. Begin it with "{".' };
  } catch (error) {
    return { problem: `The input is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
