const width = 100;
const height = 20;

/** The last durations of a hook as a line, the newest on the right. The figures beside it have the same facts as text. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const known = values.filter(Number.isFinite);
  if (known.length < 2) return null;
  const most = Math.max(...known, 1);
  const step = width / (known.length - 1);
  const points = known.map((value, index) => `${(index * step).toFixed(1)},${(height - 1 - (value / most) * (height - 2)).toFixed(1)}`);
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} width={width} height={height} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
