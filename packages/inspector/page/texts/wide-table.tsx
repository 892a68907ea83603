import type { ComponentChildren } from 'preact';

interface WideTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  /** The heads of columns of numbers. */
  readonly numbers?: ReadonlySet<string>;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls if it is wider than its place. So it must be reachable with the keyboard. */
export function WideTable({ label, heads, numbers, children }: WideTableProps) {
  return (
    <div class="wide" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" class={numbers?.has(head) === true ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
