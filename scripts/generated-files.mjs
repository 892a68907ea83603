/** Every committed file that is made from the sources: where it stands, and its text. `npm run schema` writes them, a test compares them. */
export async function generatedFiles() {
  const { messagesJsonSchema } = await import('@tenterhook/protocol');
  const { llxprtSettingsJsonSchema } = await import('@tenterhook/dialects');
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  return [
    { file: 'packages/protocol/schema/messages.schema.json', text: json(messagesJsonSchema()) },
    { file: 'packages/dialects/schema/llxprt-settings.schema.json', text: json(llxprtSettingsJsonSchema()) },
  ];
}
