import { useEffect, useState } from 'preact/hooks';
import type { HookText } from '../../src/api/messages.js';
import { describeFailure, requestJson } from '../server/request.js';
import { SafeText } from '../texts/safe-text.js';
import { TextBlock } from '../texts/text-block.js';

interface LongTextProps {
  readonly title: string;
  readonly first: HookText;
  /** Where the rest is. */
  readonly path: string;
}

/** A text of a hook. The rest of a long text is fetched when it is asked for. */
export function LongText({ title, first, path }: LongTextProps) {
  const [pieces, setPieces] = useState<readonly HookText[]>([first]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => setPieces([first]), [first]);
  const text = pieces.map((piece) => piece.text).join('');
  const last = pieces.at(-1) as HookText;
  const isWhole = first.isWhole || last.text === '' || (pieces.length > 1 && last.isWhole);
  const more = async () => {
    try {
      const next = await requestJson<HookText>(`${path}?from=${text.length}`);
      setPieces([...pieces, next]);
      setProblem(undefined);
    } catch (error) {
      setProblem(describeFailure(error));
    }
  };
  return (
    <>
      <h3>
        {title} <span class="note">{first.bytes.toLocaleString('en-US')} bytes</span>
      </h3>
      {text === '' ? <p class="note">Empty.</p> : <TextBlock label={title} text={text} />}
      {!isWhole && (
        <button type="button" onClick={more}>
          Show more of {title}
        </button>
      )}
      {problem !== undefined && (
        <p class="problem">
          <SafeText text={problem} longest={500} />
        </p>
      )}
    </>
  );
}
