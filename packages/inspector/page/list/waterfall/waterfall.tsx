import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { EventRow } from '../../../src/api/messages.js';
import { rowHeight } from '../rows/visible-rows.js';
import { spanOf } from './waterfall-bars.js';
import { pathsOf } from './waterfall-paths.js';

/**
 * When the hooks of the rows in view waited and ran, on the time axis of these rows. All bars of a colour are one path over the last column:
 * the axis changes with each row that comes into view, and an element for each bar is laid out again each time.
 */
export function Waterfall({ rows, nowMs }: { readonly rows: readonly EventRow[]; readonly nowMs: number }) {
  const image = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = image.current as SVGSVGElement;
    const measure = () => setWidth(element.getBoundingClientRect().width);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  const paths = width === 0 ? [] : pathsOf(rows, spanOf(rows, nowMs), nowMs, width);
  return (
    <div class="waterfall">
      <svg ref={image} aria-hidden="true" viewBox={`0 0 ${width} ${rows.length * rowHeight}`} preserveAspectRatio="none">
        {paths.map(([name, path]) => (
          <path key={name} class={name} d={path} />
        ))}
      </svg>
    </div>
  );
}
