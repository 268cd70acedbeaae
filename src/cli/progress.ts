/** A progress bar on a terminal. */

const width = 30;
const everyMs = 100;
// A smaller file is imported before anybody reads a bar.
const leastBytes = 5_000_000;

/** A bar while a file is read. */
export interface ProgressBar {
  update: (bytes: number) => void;
  end: () => void;
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(0);

/** Draws a bar for a file of this size. Without a terminal, or for a small file, nothing is drawn. */
export function drawProgress(terminal: NodeJS.WritableStream | null, size: number): ProgressBar {
  if (!terminal || size < leastBytes) return { update: () => undefined, end: () => undefined };
  let drawnAt = -Infinity;
  const draw = (bytes: number): void => {
    drawnAt = performance.now();
    const filled = Math.round((bytes / size) * width);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
    const percent = String(Math.floor((bytes / size) * 100)).padStart(3);
    terminal.write(`\r${bar} ${percent} %  ${megabytes(bytes)} of ${megabytes(size)} MB`);
  };
  return {
    update: (bytes) => {
      if (performance.now() - drawnAt >= everyMs) draw(Math.min(bytes, size));
    },
    // Clears the line.
    end: () => void terminal.write('\r\u001B[K'),
  };
}
