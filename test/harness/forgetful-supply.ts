import type { TestReplacements } from './service.ts';

/** A supply that never learns the outcome for a guest whose email has the suffix `uncertain`. */
export const forgetfulSupply: TestReplacements = {
  changeSupply: (own) => {
    const isForgotten = (booking: { guest: { email: string } | null }) =>
      booking.guest?.email.includes('+uncertain');
    return {
      ...own,
      confirm: async (booking, ...rest) =>
        isForgotten(booking) ? { outcome: 'unknown' } : own.confirm(booking, ...rest),
      lookUp: async (booking, ...rest) =>
        isForgotten(booking) ? { outcome: 'unknown' } : own.lookUp(booking, ...rest),
    };
  },
};
