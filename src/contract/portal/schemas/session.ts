import * as Type from '../../type.ts';
import { AnyEvent, SentEventType } from '../../partner/schemas/event.ts';
import { Environment } from '../../partner/schemas/site.ts';
import { Settlement } from '../../partner/schemas/states.ts';
import { portalLimits } from '../limits.ts';

export const BeginSession = Type.RequestObject(
  'BeginSession',
  'A link that has not been used yet.',
  {
    link: Type.GivenText(200, 'The part after `#link=` in the link from the operator.'),
  },
);

export const Session = Type.ResponseObject('Session', 'A session of the portal.', {
  application: Type.ResponseObject('SessionApplication', 'Your application.', {
    applicationId: Type.Uuid('The application that the session is for.'),
    name: Type.String(),
    settlement: Settlement,
  }),
  person: Type.Nullable(
    Type.ResponseObject('SessionPerson', 'Who it belongs to.', {
      name: Type.String(),
      email: Type.String(),
    }),
  ),
  environment: Environment,
  isCopy: Type.Flag('This is a copy that calls nothing outside (`LATCHKEY_OUTSIDE=off`).'),
  expiresAt: Type.Instant(
    `When the session ends: ${portalLimits.sessionHours} hours after it began; that of a person, ${portalLimits.personSessionDays} days after it was last used.`,
  ),
  baseUrl: Type.Text('The base URL of this environment.'),
});

const portalSession = {
  sessionId: Type.Uuid('The session.'),
  userAgent: Type.Text('What the browser calls itself.'),
  createdAt: Type.Instant('When it began.'),
  seenAt: Type.Instant('When it was last used, to the hour.'),
  expiresAt: Type.Instant('When it ends.'),
};

/** A session in a list of staff. */
export const PortalSession = Type.ResponseObject(
  'PortalSession',
  'A session of the portal in a list.',
  portalSession,
);

export const OwnSessionList = Type.ResponseObject(
  'OwnSessionList',
  'Your sessions, newest first.',
  {
    items: Type.Array(
      Type.ResponseObject('OwnSession', 'A session of yours.', {
        ...portalSession,
        isThis: Type.Flag('It is the one that asks.'),
      }),
    ),
  },
);

export const OwnLink = Type.ResponseObject('OwnLink', 'A link for another browser of yours.', {
  url: Type.Text('Shown once. It opens the portal in your name, one time.'),
  expiresAt: Type.Instant('Until when it can be used.'),
});

export const EventTypeList = Type.ResponseObject('EventTypeList', 'Every type of event.', {
  items: Type.Array(
    Type.ResponseObject('EventTypeText', 'A type of events.', {
      type: SentEventType,
      summary: Type.Text('What it means.'),
      when: Type.Text('When it is sent.'),
      example: AnyEvent,
    }),
  ),
});
