import { portalLimits } from './portal/limits.ts';

/**
 * Every pattern that a string of a request must match, with the message for one that does not.
 * Patterns are anchored and take linear time.
 */

const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const hostLabel = '[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?';
// A day more or ten years less is still a date that PostgreSQL and the form YYYY-MM-DD can write.
const year = '(19|[2-8]\\d)\\d{2}';
const subject = '[^,]{1,100}';
const instant =
  '2\\d{3}-\\d{2}-\\d{2}[Tt]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)';
const port = '(6553[0-5]|655[0-2]\\d|65[0-4]\\d{2}|6[0-4]\\d{3}|[1-5]\\d{4}|[1-9]\\d{0,3})';

export const patterns = {
  // Any RFC 9562 UUID, Nil and Max included; upper case is accepted and returned as lower case.
  uuid: { pattern: `^${uuid}$`, message: 'must be a UUID' },
  // RFC 3339 also has leap seconds and years that no instant of a program has.
  instant: {
    pattern: `^${instant}$`,
    message: 'must be an instant, as 2027-08-14T12:00:00Z, in the years 2000 to 2999',
  },
  date: { pattern: '^\\d{4}-\\d{2}-\\d{2}$', message: 'must be a date that exists, as YYYY-MM-DD' },
  // Of dates that are stored, or that staff search for.
  keptDate: {
    pattern: `^${year}-\\d{2}-\\d{2}$`,
    message: 'must be a date that exists, as YYYY-MM-DD, in the years 1900 to 8999',
  },
  month: {
    pattern: `^${year}-(0[1-9]|1[0-2])$`,
    message: 'must be a month, as YYYY-MM, in the years 1900 to 8999',
  },
  seasonDay: {
    pattern: `^(${year}-)?\\d{2}-\\d{2}$`,
    message: 'must be MM-DD, or YYYY-MM-DD in the years 1900 to 8999',
  },
  hexDigest: {
    pattern: '^[0-9a-f]{64}$',
    message: 'must be a SHA-256 in lower-case hex: 64 characters',
  },
  headerText: {
    pattern: '^[ -~]+$',
    message: 'must be printable ASCII characters',
  },
  outsideSource: {
    pattern: '^[a-z0-9-]+$',
    message: 'must be lower-case letters, digits and hyphens',
  },
  cursor: {
    pattern: '^[A-Za-z0-9_-]+$',
    message: 'must be a cursor: letters, digits, underscores and hyphens',
  },
  emptiableCursor: {
    pattern: '^[A-Za-z0-9_-]*$',
    message: 'must be a cursor: letters, digits, underscores and hyphens',
  },
  text: { pattern: '\\S', message: 'must not be blank' },
  lines: {
    pattern: '^(?=[\\s\\S]*\\S)[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]+$',
    message: 'must not be blank, and have no control characters except tabs and line breaks',
  },
  line: {
    pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]+$',
    message: 'must be one line without control characters, and not blank',
  },
  currency: {
    pattern: '^[A-Z]{3}$',
    message: 'must be an ISO 4217 code of three capital letters, as EUR',
  },
  country: {
    pattern: '^[A-Z]{2}$',
    message: 'must be an ISO 3166-1 code of two capital letters, as PT',
  },
  phone: {
    pattern: '^\\+[1-9][0-9]{1,14}$',
    message: 'must be a phone number in E.164 form, as +351912345678',
  },
  slug: {
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    message: 'must be lower-case letters and digits, with single hyphens between them, as sea-view',
  },
  feedStart: {
    pattern: `^(latest|${instant})$`,
    message: 'must be latest, or an instant, as 2027-08-14T12:00:00Z, in the years 2000 to 2999',
  },
  timeOfDay: { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', message: 'must be a time of day, as 15:00' },
  secureUrl: { pattern: '^https://', message: 'must be a URL that begins with https://' },
  file: {
    pattern: '^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\\.[a-z0-9]+$',
    message: 'must be the relative path of a file, as pictures/terrace.jpg',
  },
  pictureId: { pattern: '^[0-9a-f]{32}$', message: 'must be the ID of a picture' },
  eventId: { pattern: '^evt_[0-9a-f]{32}$', message: 'must be the ID of an event, as evt_…' },
  plainEmail: {
    pattern: '^[\\x21-\\x3f\\x41-\\x7e]+@[\\x21-\\x3f\\x41-\\x7e]+$',
    message: 'must be an email address of ASCII characters',
  },
  sixDigits: { pattern: '^[0-9]{6}$', message: 'must be six digits' },
  statusOrClass: {
    pattern: '^[1-5]([0-9]{2}|xx)$',
    message: 'must be a status, as 404, or a class, as 4xx',
  },
  subjects: {
    pattern: `^${subject}(,${subject}){0,${portalLimits.aboutAtOnce - 1}}$`,
    message: `must be at most ${portalLimits.aboutAtOnce} IDs or references, separated by commas`,
  },
  lineOrEmpty: {
    // Written out: not every language's expressions know `\\P{Cc}`.
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    message: 'must be one line without control characters',
  },
  word: { pattern: '^\\S+$', message: 'must have no blanks' },
  promotionCode: { pattern: '^\\s*\\S+\\s*$', message: 'must be one code without blanks in it' },
  origin: {
    pattern: `^https?://${hostLabel}(\\.${hostLabel})*\\.?(:${port})?$`,
    message: 'must be an origin: scheme, host and port, as https://www.example.com',
  },
} as const satisfies Record<string, { pattern: string; message: string }>;
