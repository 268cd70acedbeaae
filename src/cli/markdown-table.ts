/** Tables in Markdown, as the formatter writes them. */

const escaped = (cell: string): string => cell.replaceAll('|', '\\|');

/** A table with columns of equal width. The first row is its head. */
export function table([head, ...rows]: readonly (readonly string[])[]): string {
  const cells = [head!, ...rows].map((row) => row.map(escaped));
  const widths = head!.map((_, at) => Math.max(3, ...cells.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |\n`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  const [first, ...others] = cells;
  return [line(first!), rule, ...others.map(line)].join('');
}
