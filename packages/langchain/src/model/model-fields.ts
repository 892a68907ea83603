import { isPlainObject } from '@tenterhook/runtime/json';

/** What hooks read about a model. */
export interface ShownModel {
  readonly name: string | undefined;
  readonly provider: string | undefined;
  /** Fields of the model, under its own names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A model, or a wrapper that has the model in `bound`. */
interface ModelLike {
  readonly bound?: unknown;
  readonly model?: unknown;
  readonly modelName?: unknown;
  readonly getLsParams?: unknown;
}

const settings = ['temperature', 'maxTokens', 'topP', 'topK', 'stop', 'presencePenalty', 'frequencyPenalty'];

/** The wrappers around a model are not nested deeper in practice. The limit prevents an endless loop. */
const maxWrappers = 8;

/**
 * Reads the name, the provider and the settings of a chat model. The classes of providers have no common fields for them, so the fields
 * that most of them have are read. What is missing is not shown.
 */
export function readModel(model: unknown): ShownModel {
  let inner = (model ?? {}) as ModelLike & Readonly<Record<string, unknown>>;
  for (let depth = 0; depth < maxWrappers && typeof inner.bound === 'object' && inner.bound !== null; depth += 1) {
    inner = inner.bound as typeof inner;
  }
  const traced = readTracedNames(inner);
  return {
    name: textOf(inner.model) ?? textOf(inner.modelName) ?? textOf(traced['ls_model_name']),
    provider: textOf(traced['ls_provider']),
    fields: Object.fromEntries(settings.map((name) => [name, inner[name]])),
  };
}

/** Returns what the model reports to LangSmith about itself. This is the only place where all models name their provider. */
function readTracedNames(model: ModelLike): Readonly<Record<string, unknown>> {
  if (typeof model.getLsParams !== 'function') return {};
  try {
    const traced: unknown = model.getLsParams({});
    return isPlainObject(traced) ? traced : {};
  } catch {
    // A model of the application may need options here. Hooks then read no provider.
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
