/** Groups of bars. Each group has a scale of its own, so only bars of one group can be compared. */
export interface BarChart {
  readonly title: string;
  readonly description: string;
  readonly groups: readonly BarGroup[];
}

export interface BarGroup {
  readonly label: string;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value with its unit. */
  readonly text: string;
  /** Drawn in the colour of Tenterhook. */
  readonly ours: boolean;
}

const width = 780;
const [labelWidth, barWidth] = [330, 340];
const [titleHeight, groupHeight, barHeight] = [44, 30, 20];

/** Draws a chart as SVG. It follows the light or dark mode of the reader, and its title and description are read by screen readers. */
export function barChart({ title, description, groups }: BarChart): string {
  let y = titleHeight;
  const parts = groups.map((group) => {
    const drawn = drawGroup(group, y);
    y += groupHeight + group.bars.length * barHeight + 8;
    return drawn;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-labelledby="title description">
  <title id="title">${escaped(title)}</title>
  <desc id="description">${escaped(description)}</desc>
  <style>
    text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1f2328; }
    .title { font-size: 16px; font-weight: 600; }
    .group { font-weight: 600; }
    .ours { fill: #0969da; }
    .other { fill: #9aa4af; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .ours { fill: #58a6ff; }
      .other { fill: #6e7681; }
    }
  </style>
  <text class="title" x="10" y="24">${escaped(title)}</text>
${parts.join('\n')}
</svg>
`;
}

function drawGroup({ label, bars }: BarGroup, top: number): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const lines = bars.map(({ label: name, value, text, ours }, index) => {
    const y = top + groupHeight + index * barHeight;
    const length = Math.max(1, most > 0 ? (value / most) * barWidth : 0);
    return [
      `  <text x="${labelWidth - 8}" y="${y + 9}" text-anchor="end">${escaped(name)}</text>`,
      `  <rect class="${ours ? 'ours' : 'other'}" x="${labelWidth}" y="${y - 3}" width="${length.toFixed(1)}" height="${barHeight - 6}" rx="2"/>`,
      `  <text x="${(labelWidth + length + 8).toFixed(1)}" y="${y + 9}">${escaped(text)}</text>`,
    ].join('\n');
  });
  return [`  <text class="group" x="10" y="${top + 16}">${escaped(label)}</text>`, ...lines].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
