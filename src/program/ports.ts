/** The ports of bookings, as an environment fills them. Their calls are spans of a trace. */
import {
  createInventorySupply,
  type Payment,
  type ReconcileInSeconds,
  reconcileEagerly,
  reconcilePatiently,
  type Supply,
} from '../bookings/index.ts';
import type { ChannelsOfHome } from '../channels/index.ts';
import { paymentOf } from './card-provider.ts';
import { limits } from '../contract/limits.ts';
import type { Environment } from '../contract/wire.ts';
import type { Availability } from '../inventory/index.ts';
import type { CardProvider } from '../payments/index.ts';
import type { Database } from '../platform/postgres/database.ts';
import { tracedPort } from '../platform/tracing/tracing.ts';
import { stayOf } from '../pricing/index.ts';
import { createSimulatedSupply } from '../simulation/index.ts';

/** The ports of bookings, and how patiently unknown outcomes are looked up. */
export interface Ports {
  supply: Supply;
  payment: Payment;
  reconcileInSeconds: ReconcileInSeconds;
  /** After its submission, an outcome that is not known is decided; null: never. */
  uncertainHours: number | null;
}

interface SupplyPort extends Pick<Ports, 'reconcileInSeconds' | 'uncertainHours'> {
  open(database: Database): Supply;
}

/** The operator's own homes. */
const ownHomes: SupplyPort = {
  open: createInventorySupply,
  reconcileInSeconds: reconcilePatiently,
  uncertainHours: limits.uncertainHours,
};

const supplies: Readonly<Record<Environment, SupplyPort>> = {
  simulation: {
    open: createSimulatedSupply,
    reconcileInSeconds: reconcileEagerly,
    // Its guests with the suffix `+uncertain` stay so.
    uncertainHours: null,
  },
  test: ownHomes,
  live: ownHomes,
};

// Of another system, as far as the trace of a booking is concerned.
const supplyCalls = ['hold', 'recheck', 'confirm', 'release', 'lookUp'] as const;
const paymentCalls = ['setup', 'verify', 'needsAction', 'authorize', 'capture', 'lookUp'] as const;

/** A supply whose holds are known to the searches of this process at once. */
const withKnownHolds = (supply: Supply, availability: Availability): Supply => ({
  ...supply,
  async hold(booking, fence, signal) {
    const held = await supply.hold(booking, fence, signal);
    const { listingId } = booking.quote;
    if (held.outcome === 'done') availability.took(listingId, stayOf(booking.quote));
    return held;
  },
});

/** A supply that reads the calendars of the home's other channels before money moves. */
const withChannels = (supply: Supply, channels: Pick<ChannelsOfHome, 'look'> | null): Supply =>
  channels === null
    ? supply
    : {
        ...supply,
        async recheck(booking, signal) {
          await channels.look(booking.quote.listingId);
          return supply.recheck(booking, signal);
        },
      };

/** Opens the ports of an environment. */
export function openPorts(context: {
  environment: Environment;
  database: Database;
  availability: Availability;
  provider: CardProvider | null;
  /** Null: they are not asked before a booking is confirmed. */
  channels: Pick<ChannelsOfHome, 'look'> | null;
  /** Absent: that of the environment. */
  supply?: Supply | undefined;
}): Ports {
  const { environment, database, availability, provider, channels } = context;
  const { open, reconcileInSeconds, uncertainHours } = supplies[environment];
  const own = withKnownHolds(context.supply ?? open(database), availability);
  const supply = withChannels(own, channels);
  return {
    supply: tracedPort('supply', supply, supplyCalls),
    payment: tracedPort('payment', paymentOf(environment, database, provider), paymentCalls),
    reconcileInSeconds,
    uncertainHours,
  };
}
