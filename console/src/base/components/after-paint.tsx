import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether what is around a component has been painted, or is being printed: then all of it has to be there. */
export function usePainted(): boolean {
  // An address can lead to a place in it.
  const [isPainted, setPainted] = useState(() => window.location.hash !== '');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A frame is painted between its callbacks and the next task.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(true)));
    });
    const drawNow = () => flushSync(() => setPainted(true));
    window.addEventListener('beforeprint', drawNow);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      window.removeEventListener('beforeprint', drawNow);
    };
  }, []);
  return isPainted;
}

/** Renders what takes long after what is around it has been painted. */
export const AfterPaint = ({ children }: { children: ReactNode }) => usePainted() && children;
