import { Group, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from '../components/copy.tsx';
import { Facts } from '../components/facts.tsx';
import { Moment } from '../components/moment.tsx';
import { Word } from '../components/word.tsx';
import { dayText } from '../words/dates.ts';
import { durationText } from '../words/instants.ts';
import type { LoggedRequestInFull } from './types.ts';

/** What the log has of one call. `about`: the booking that it was about. */
export const CallFacts = ({ call, about }: { call: LoggedRequestInFull; about: ReactNode }) => (
  <Paper withBorder p="md">
    <Facts
      facts={{
        'Request ID': (
          <Group gap={4} wrap="nowrap">
            <span className="mono">{call.requestId}</span>
            <Copy value={call.requestId} what="request ID" />
          </Group>
        ),
        Response: call.status,
        Refused: call.code && <Word of={call.code} />,
        Reason: call.reason && <Word of={call.reason} />,
        Call: call.operation ? (
          <Word of={call.operation} />
        ) : (
          'None: there is no such path, or not with this method'
        ),
        Home: call.home,
        Arrival: call.checkIn && dayText(call.checkIn),
        Departure: call.checkOut && dayText(call.checkOut),
        About: about,
        Time: <Moment at={call.at} />,
        Duration: durationText(call.durationMs),
      }}
    />
  </Paper>
);
