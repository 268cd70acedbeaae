import Type from 'typebox';
import { AnyEvent, SentEventType } from '../../partner/schemas/event.ts';
import {
  Instant,
  requestOptions,
  responseOptions,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { Environment } from '../../partner/schemas/site.ts';
import { Settlement } from '../../partner/schemas/states.ts';
import { portalLimits } from '../limits.ts';

export const BeginSession = Type.Object(
  {
    link: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The part after `#link=` in the link from the operator.',
    }),
  },
  requestOptions('BeginSession', 'A link that has not been used yet.'),
);

export const Session = Type.Object(
  {
    application: Type.Object(
      {
        applicationId: Uuid('The application that the session is for.'),
        name: Type.String(),
        settlement: Settlement,
      },
      responseOptions('SessionApplication', 'Your application.'),
    ),
    environment: Environment,
    isCopy: Type.Boolean({
      description: 'This is a copy that calls nothing outside (`LATCHKEY_OUTSIDE=off`).',
    }),
    expiresAt: Instant(`When the session ends: ${portalLimits.sessionHours} hours after it began.`),
    baseUrl: Type.String({ description: 'The base URL of this environment.' }),
  },
  responseOptions('Session', 'A session of the portal.'),
);

export const EventTypeList = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          type: SentEventType,
          summary: Type.String({ description: 'What it means.' }),
          when: Type.String({ description: 'When it is sent.' }),
          example: AnyEvent,
        },
        responseOptions('EventTypeText', 'A type of events.'),
      ),
    ),
  },
  responseOptions('EventTypeList', 'Every type of event.'),
);
