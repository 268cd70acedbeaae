import Type from 'typebox';
import { AnyEvent, SentEventType } from '../../partner/schemas/event.ts';
import {
  Flag,
  Instant,
  Nullable,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { Environment } from '../../partner/schemas/site.ts';
import { Settlement } from '../../partner/schemas/states.ts';
import { portalLimits } from '../limits.ts';

export const BeginSession = RequestObject('BeginSession', 'A link that has not been used yet.', {
  link: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The part after `#link=` in the link from the operator.',
  }),
});

export const Session = ResponseObject('Session', 'A session of the portal.', {
  application: ResponseObject('SessionApplication', 'Your application.', {
    applicationId: Uuid('The application that the session is for.'),
    name: Type.String(),
    settlement: Settlement,
  }),
  person: Nullable(
    ResponseObject('SessionPerson', 'Who it belongs to.', {
      name: Type.String(),
      email: Type.String(),
    }),
  ),
  environment: Environment,
  isCopy: Flag('This is a copy that calls nothing outside (`LATCHKEY_OUTSIDE=off`).'),
  expiresAt: Instant(
    `When the session ends: ${portalLimits.sessionHours} hours after it began; that of a person, ${portalLimits.personSessionDays} days after it was last used.`,
  ),
  baseUrl: Text('The base URL of this environment.'),
});

const portalSession = {
  sessionId: Uuid('The session.'),
  userAgent: Text('What the browser calls itself.'),
  createdAt: Instant('When it began.'),
  seenAt: Instant('When it was last used, to the hour.'),
  expiresAt: Instant('When it ends.'),
};

/** A session in a list of staff. */
export const PortalSession = ResponseObject(
  'PortalSession',
  'A session of the portal in a list.',
  portalSession,
);

export const OwnSessionList = ResponseObject('OwnSessionList', 'Your sessions, newest first.', {
  items: Type.Array(
    ResponseObject('OwnSession', 'A session of yours.', {
      ...portalSession,
      isThis: Flag('It is the one that asks.'),
    }),
  ),
});

export const OwnLink = ResponseObject('OwnLink', 'A link for another browser of yours.', {
  url: Text('Shown once. It opens the portal in your name, one time.'),
  expiresAt: Instant('Until when it can be used.'),
});

export const EventTypeList = ResponseObject('EventTypeList', 'Every type of event.', {
  items: Type.Array(
    ResponseObject('EventTypeText', 'A type of events.', {
      type: SentEventType,
      summary: Text('What it means.'),
      when: Text('When it is sent.'),
      example: AnyEvent,
    }),
  ),
});
