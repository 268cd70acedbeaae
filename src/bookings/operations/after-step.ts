import type { BookingContext } from '../context.ts';

/** How long a read waits for a step that this process is taking. */
const waitMs = 500;

/**
 * Reads a checkout after the step that this process is taking for it, if that ends soon: a partner that reads at once
 * gets the outcome by one call. Spec: CHECKOUT-14.
 */
export async function afterStep<T>(
  { worker }: Pick<BookingContext, 'worker'>,
  booking: { applicationId: string; bookingId: string },
  read: () => Promise<T>,
): Promise<T> {
  const step = worker.stepOf(booking);
  if (step) await endedOrLate(step);
  return read();
}

function endedOrLate(step: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, waitMs);
    const end = (): void => {
      clearTimeout(late);
      resolve();
    };
    void step.then(end);
  });
}
