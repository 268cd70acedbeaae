import { type ReactNode, startTransition, useEffect, useState } from 'react';

/** Renders what takes long after what is around it has been painted. */
export function AfterPaint({ children }: { children: ReactNode }) {
  // An address can lead to a place in it.
  const [isPainted, setPainted] = useState(() => window.location.hash !== '');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A frame is painted between its callbacks and the next task.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted && children;
}
