import { Box, Tooltip } from '@mantine/core';
import { exactInstant, relativeInstant } from '../words/instants.ts';
import { useNow } from './use-now.ts';

/** A relative time, with the exact instant on hover and focus. */
export function Moment({ at }: { at: string }) {
  const words = useNow((now) => relativeInstant(at, now));
  return (
    <Tooltip label={exactInstant(at)} events={{ hover: true, focus: true, touch: true }}>
      <Box component="time" dateTime={at} tabIndex={0} className="moment">
        {words}
      </Box>
    </Tooltip>
  );
}
