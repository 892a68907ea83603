import { isPlainObject, isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { textOfContent, toToolOutput } from '../../shared/tool-response.js';
import type { ToolCall } from '../../shared/tools/tool-call.js';

type Fields = Readonly<Record<string, unknown>>;

interface ResultShape {
  /**
   * Returns the fields of a tool that succeeded. `text` is the tool's result for the model. `input` has the arguments under Claude
   * Code's keys.
   */
  write(text: string | undefined, input: Fields): Fields;
  /** Returns the result for the model, or undefined if the fields have none. */
  read(fields: Fields): string | undefined;
}

const shell: ResultShape = {
  // Hosts return one text. Splitting it into stdout and stderr was rejected, because no rule says where stderr begins.
  write: (text) => (text === undefined ? {} : { stdout: text, stderr: '', interrupted: false, isImage: false }),
  read: ({ stdout, stderr }) => joinTexts([stdout, stderr]),
};

const change: ResultShape = {
  write: (_text, { file_path: filePath, content, old_string: oldString, new_string: newString, replace_all: replaceAll }) =>
    omitUndefined({ filePath, content, oldString, newString, replaceAll, success: true }),
  read: () => undefined,
};

const shapes = new Map<string, ResultShape>([
  ['Bash', shell],
  ['PowerShell', shell],
  ['Write', change],
  ['Edit', change],
  ['MultiEdit', change],
  [
    'Read',
    {
      // `totalLines` is left out, because the host may have read only a part of the file.
      write: (content, { file_path: filePath, offset }) =>
        content === undefined
          ? {}
          : {
              type: 'text',
              file: omitUndefined({ filePath, content, numLines: countLines(content), startLine: offset === undefined ? 1 : undefined }),
            },
      read: ({ file }) => (isPlainObject(file) ? joinTexts([file['content']]) : undefined),
    },
  ],
  [
    'Grep',
    {
      write: (content, { output_mode: mode = 'content' }) =>
        content === undefined ? {} : { mode, content, numLines: countLines(content) },
      read: ({ content, filenames }) => joinTexts([content]) ?? joinList(filenames),
    },
  ],
  [
    'Glob',
    {
      write: (text) => {
        const filenames = text === undefined ? undefined : findFileNames(text);
        return filenames === undefined ? {} : { filenames, numFiles: filenames.length };
      },
      read: ({ filenames }) => joinList(filenames),
    },
  ],
  [
    'WebFetch',
    {
      write: (result, { url }) => (result === undefined ? {} : omitUndefined({ url, result })),
      read: ({ result }) => joinTexts([result]),
    },
  ],
]);

/**
 * Returns fields of Claude Code's result that the host did not send. A hook receives them in `tool_response`, together with the
 * host's fields. They are computed from `response`, which is the result that this hook may see, and are never stored in the event.
 * So they never contain a text that an earlier hook removed.
 */
export function resultFields({ name, input }: ToolCall, response: Fields): Fields {
  const exitCode =
    typeof response['exit_code'] === 'number' && (name === 'Bash' || name === 'PowerShell') ? response['exit_code'] : undefined;
  const built = omitUndefined({ ...shapes.get(name)?.write(textOfContent(response['llmContent']), input), exitCode });
  return Object.fromEntries(Object.entries(built).filter(([field]) => !Object.hasOwn(response, field)));
}

/**
 * Converts a result that a hook printed into the canonical value. If the hook changed the text in a field of the tool, this text
 * replaces the whole result: other fields may repeat the old text, and hooks of Claude Code do not know these fields. Returns
 * undefined if the hook printed only fields that it had received.
 */
export function toCanonicalResult(printed: unknown, call: ToolCall | undefined, shown: unknown): unknown {
  const shape = call === undefined ? undefined : shapes.get(call.name);
  if (call === undefined || shape === undefined || !isPlainObject(printed)) return toToolOutput(printed);
  const response = isPlainObject(shown) ? shown : {};
  const built = resultFields(call, response);
  const fields = Object.entries(printed);
  if (fields.length > 0 && fields.every(([field, value]) => Object.hasOwn(built, field) && isSameJson(value, built[field])))
    return undefined;
  const own = Object.fromEntries(fields.filter(([field]) => !Object.hasOwn(built, field)));
  const content = printed['llmContent'];
  const isContentKept = isSameJson(content, response['llmContent']);
  const shownText = shape.read({ ...built, ...response });
  // The hook printed other fields of the tool, but not the field with the text. This means that it removed the text.
  const isRemoved = shownText !== undefined && (isContentKept || content === undefined) && fields.length > Object.keys(own).length;
  const text = shape.read(printed) ?? (isRemoved ? '' : undefined);
  if (text === undefined || text === shownText) return toToolOutput(content === undefined ? (text ?? printed) : own);
  // A hook that redacts every text makes the same change in the fields of the tool and in the result for the model. Its other
  // fields are then kept.
  const isSameChange = !isContentKept && shape.read(shape.write(textOfContent(content), call.input)) === text;
  return isSameChange ? toToolOutput(own) : text;
}

/** Adds the result for the model to a `tool_response` of Claude Code. A captured event has only the fields of the tool. */
export function withModelText(response: unknown, toolName: unknown): unknown {
  if (!isPlainObject(response) || response['llmContent'] !== undefined || typeof toolName !== 'string') return response;
  const text = shapes.get(toolName)?.read(response);
  return text === undefined ? response : { ...response, llmContent: text };
}

/** Returns the texts as one, or undefined if none of the values is a string. */
function joinTexts(values: readonly unknown[]): string | undefined {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === 0 ? undefined : texts.filter((text) => text !== '').join('\n');
}

function joinList(values: unknown): string | undefined {
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values.join('\n') : undefined;
}

function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

/**
 * Returns the files that a text lists. Some hosts write a sentence above absolute paths, others write one relative path per line.
 * Returns undefined for a text that may have another form, because a sentence must not become the name of a file.
 */
function findFileNames(text: string): readonly string[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const absolute = lines.filter((line) => /^(?:\/|[A-Za-z]:[\\/])/.test(line));
  if (absolute.length > 0) return absolute;
  return lines.some((line) => /\s/.test(line)) ? undefined : lines;
}
