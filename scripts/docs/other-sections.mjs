import { fieldsOf, inputTable, optionalTable, withCode } from './fields.mjs';
import { code, table } from './sections.mjs';

/** Makes the sections about model data that hooks read and write (docs/hooks.md). */
export function modelDataSections(protocol) {
  const toSelf = (type) => (type === 'result' ? undefined : `#${type}`);
  const { llmRequestSchema, llmResponseSchema, llmMessageSchema, llmConfigSchema, llmCandidateSchema, toolConfigSchema } = protocol;
  return {
    request: [
      optionalTable(fieldsOf(llmRequestSchema, toSelf)),
      'A message:',
      inputTable(fieldsOf(llmMessageSchema)),
      '`config`:',
      optionalTable(fieldsOf(llmConfigSchema)),
    ].join('\n\n'),
    response: [optionalTable(fieldsOf(llmResponseSchema)), 'A candidate:', inputTable(fieldsOf(llmCandidateSchema))].join('\n\n'),
    'tool-config': optionalTable(fieldsOf(toolConfigSchema)),
  };
}

/** Makes the sections about channels, payloads, progress and codes (docs/bus.md). */
export function busSections({ channelPayloadSchemas, exchanges, responseErrorSchema, errorCodes }) {
  const toResult = (type) => (type === 'result' ? 'library.md#the-result' : undefined);
  const { HOOK_EXECUTION_REQUEST, HOOK_EXECUTION_RESPONSE, HOOK_EXECUTION_PROGRESS, HOOK_EXECUTION_CANCEL } = channelPayloadSchemas;
  const kinds = HOOK_EXECUTION_PROGRESS.options;
  const [first] = kinds;
  const common = kinds.reduce((names, { shape }) => names.filter((name) => Object.hasOwn(shape, name)), Object.keys(first.shape));
  return {
    exchanges: table(
      ['request', 'response', 'progress', 'cancel'],
      Object.entries(exchanges).map(([request, { response, progress, cancel }]) => [request, response, progress, cancel].map(code)),
    ),
    request: inputTable(fieldsOf(HOOK_EXECUTION_REQUEST)),
    response: [
      inputTable(fieldsOf(HOOK_EXECUTION_RESPONSE, toResult)),
      '`error`:',
      inputTable(fieldsOf(responseErrorSchema).map((field) => (field.name === '`code`' ? { ...field, type: 'string' } : field))),
    ].join('\n\n'),
    cancel: inputTable(fieldsOf(HOOK_EXECUTION_CANCEL)),
    progress: [
      'Every progress message has',
      inputTable(fieldsOf(first).filter(({ name }) => common.map(code).includes(name) && name !== '`kind`')),
      'and what its kind adds:',
      table(
        ['kind', 'field', 'type', 'present', 'meaning'],
        kinds.flatMap((kind) =>
          fieldsOf(kind)
            .filter(({ name }) => !common.map(code).includes(name))
            .map(({ name, type, isRequired, meaning }) => [
              code(kind.shape.kind.value),
              name,
              name === '`outcome`' ? '[outcome](library.md#the-result)' : name === '`stages`' ? 'array of arrays of hooks' : type,
              isRequired ? 'always' : 'maybe',
              meaning,
            ]),
        ),
      ),
    ].join('\n\n'),
    codes: table(
      ['code', 'when'],
      Object.entries(errorCodes).map(([name, meaning]) => [code(name), withCode(meaning)]),
    ),
  };
}
