import { Box, Tooltip } from '@mantine/core';
import { createContext, use } from 'react';
import { exactInstant, instantText } from '../words/dates.ts';
import { relativeInstant } from '../words/instants.ts';
import { useNow } from './use-now.ts';

/** The time zone of the home that a part of a page is about. Elsewhere, instants are in that of the browser. */
export const ZoneOfHome = createContext<string | undefined>(undefined);

/** An instant: relative within a day, otherwise day and time; exactly on hover and focus. */
export function Moment({ at }: { at: string }) {
  const zone = use(ZoneOfHome);
  const words = useNow((now) => relativeInstant(at, now) ?? instantText(at, zone));
  return (
    <Tooltip label={exactInstant(at, zone)} events={{ hover: true, focus: true, touch: true }}>
      <Box component="time" dateTime={at} tabIndex={0} className="moment">
        {words}
      </Box>
    </Tooltip>
  );
}
