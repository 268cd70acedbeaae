import Type from 'typebox';
import { AnyEvent, SentEventType } from '../../partner/schemas/event.ts';
import {
  Instant,
  Nullable,
  requestOptions,
  responseOptions,
  Uuid,
  UuidInput,
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
    person: Nullable(
      Type.Object(
        { name: Type.String(), email: Type.String() },
        responseOptions('SessionPerson', 'Who it belongs to.'),
      ),
    ),
    environment: Environment,
    isCopy: Type.Boolean({
      description: 'This is a copy that calls nothing outside (`LATCHKEY_OUTSIDE=off`).',
    }),
    expiresAt: Instant(
      `When the session ends: ${portalLimits.sessionHours} hours after it began; that of a person, ${portalLimits.personSessionDays} days after it was last used.`,
    ),
    baseUrl: Type.String({ description: 'The base URL of this environment.' }),
  },
  responseOptions('Session', 'A session of the portal.'),
);

const portalSession = {
  sessionId: Uuid('The session.'),
  userAgent: Type.String({ description: 'What the browser calls itself.' }),
  createdAt: Instant('When it began.'),
  seenAt: Instant('When it was last used, to the hour.'),
  expiresAt: Instant('When it ends.'),
};

/** A session in a list of staff. */
export const PortalSession = Type.Object(
  portalSession,
  responseOptions('PortalSession', 'A session of the portal in a list.'),
);

export const OwnSessionList = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          ...portalSession,
          isThis: Type.Boolean({ description: 'It is the one that asks.' }),
        },
        responseOptions('OwnSession', 'A session of yours.'),
      ),
    ),
  },
  responseOptions('OwnSessionList', 'Your sessions, newest first.'),
);

export const SessionPath = Type.Object({ sessionId: UuidInput('The session.') });

export const OwnLink = Type.Object(
  {
    url: Type.String({ description: 'Shown once. It opens the portal in your name, one time.' }),
    expiresAt: Instant('Until when it can be used.'),
  },
  responseOptions('OwnLink', 'A link for another browser of yours.'),
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
