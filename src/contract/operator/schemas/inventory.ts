import Type from 'typebox';
import { patterns } from '../../patterns.ts';
import {
  changeMembers,
  changePageMembers,
  ChangeQuery as FeedQuery,
} from '../../partner/schemas/change.ts';
import {
  Flag,
  Instant,
  Integer,
  Nullable,
  optional,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
import { BlockSource, ListingName, nights } from './homes.ts';
import { OutsideSource } from './outside-stays.ts';
import { expectedVersion, KeptDate, PageOf, pageQuery, shownVersion } from './shared.ts';

const ofHome = { listing: Type.Optional(ListingName) };

export const BlocksQuery = RequestObject({ ...ofHome, ...pageQuery });

const homeMembers = {
  listing: Text('The slug of the home.'),
  listingName: Text('The name of the home.'),
};

export const ChangeQuery = FeedQuery;

const InstallationChange = ResponseObject(
  'InstallationChange',
  'A change in homes, prices, rules or nights.',
  {
    ...changeMembers,
    listing: Nullable(Text('The slug of the home; null: every home of a catalog.')),
  },
);

export const InstallationChangePage = ResponseObject(
  'InstallationChangePage',
  'Changes of all catalogs, oldest first.',
  { items: Type.Array(InstallationChange), ...changePageMembers },
);

const blockMembers = {
  blockId: Uuid('Its ID.'),
  listingId: Uuid('The home.'),
  from: KeptDate('The first night.'),
  to: KeptDate('The day after the last night.'),
  reason: Nullable(Text('For staff.')),
  source: BlockSource,
  createdAt: Instant('When it was made.'),
};

export const Block = ResponseObject('Block', 'The removed block.', blockMembers);

export const BlockPage = PageOf(
  ResponseObject('ListedBlock', { ...homeMembers, ...blockMembers }),
  'BlockPage',
  'Blocks by home and date.',
);

export const NewBlock = RequestObject({
  listing: ListingName,
  ...nights,
  reason: Type.Optional(Nullable(Type.String({ maxLength: 500, description: 'For staff only.' }))),
});

export const BlockAdded = ResponseObject('BlockAdded', { blockId: Uuid('Its ID.') });

const BlockChange = ResponseObject('BlockChange', 'A block that the file adds or changes.', {
  listing: Text('The home, as the file names it.'),
  from: blockMembers.from,
  to: blockMembers.to,
  reason: blockMembers.reason,
  before: Nullable(
    ResponseObject('BlockBefore', 'What it was. Null: it is new.', {
      reason: blockMembers.reason,
      source: blockMembers.source,
    }),
  ),
});

export const BlocksImported = ResponseObject('BlocksImported', 'What the file changes.', {
  dryRun: Type.Boolean(),
  added: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  changes: Type.Array(BlockChange, { description: 'The first thousand.' }),
});

export const OfHomeQuery = RequestObject(ofHome);

const calendarMembers = {
  calendarId: Uuid('Its ID.'),
  listingId: Uuid('The home.'),
  ...homeMembers,
  origin: Nullable(Text('Scheme and host; the rest of the address can be a secret.')),
  file: Nullable(Text('The name of an imported file.')),
  state: Type.Enum(['new', 'ok', 'failing', 'shrunk'], { $id: 'ChannelCalendarState' }),
  problem: Nullable(
    ResponseObject('CalendarProblem', {
      reason: Type.String(),
      message: Type.String(),
      since: Nullable(Instant('The first of the failures.')),
      attempts: Type.Integer(),
    }),
  ),
  blocks: Type.Integer(),
  conflicts: Type.Integer(),
  missing: Integer('Events that it does not show any more, and whose nights stay blocked.'),
  lastWholeReadAt: Nullable(Instant('The last read in which nothing can have been lost.')),
  refreshedAt: Nullable(Instant('When it was last read.')),
  checkedAt: Nullable(Instant('When it was last tried.')),
  nextAt: Nullable(Instant('When it is read next.')),
  createdAt: Instant('When it was added.'),
};

const ChannelCalendar = ResponseObject(
  'ChannelCalendar',
  'The calendar of another channel.',
  calendarMembers,
);

export const ChannelCalendars = ResponseObject(
  'ChannelCalendars',
  'Oldest first, at most 10,000.',
  { items: Type.Array(ChannelCalendar) },
);

const takenNightsMembers = {
  from: KeptDate('The first night.'),
  to: KeptDate('The day after the last night.'),
  doubleSale: Flag('Whether two guests have these nights: the other one is no block of yours.'),
  takenBy: ResponseObject('TakenBy', {
    kind: Type.Enum(['reservation', 'booking', 'block', 'outside_stay']),
    reference: Type.Optional(
      Nullable(Text('Of a reservation; of an outside stay its source and name.')),
    ),
    blockId: Type.Optional(Type.String()),
    source: Type.Optional(Nullable(Type.String())),
    reason: Type.Optional(Nullable(Type.String())),
  }),
  foundAt: Instant('When it was found.'),
};

const ChannelConflict = ResponseObject(
  'ChannelConflict',
  'Nights of an event that a stay or another block already has.',
  {
    calendarId: Uuid('The calendar.'),
    listingId: Uuid('The home.'),
    ...homeMembers,
    eventUid: Text('The event of the other channel.'),
    ...takenNightsMembers,
  },
);

export const ChannelConflicts = ResponseObject(
  'ChannelConflicts',
  'First those with another guest, then by home and date, at most 10,000.',
  { items: Type.Array(ChannelConflict) },
);

const Conflict = ResponseObject(
  'Conflict',
  'Nights of an event of another channel, or of an outside stay, that something else has.',
  {
    calendarId: Nullable(Uuid('The calendar whose event it is. Null: it is an outside stay.')),
    eventUid: Nullable(Text('The event of the other channel.')),
    outsideStay: Nullable(
      ResponseObject('NamedOutsideStay', 'The outside stay. Null: it is an event.', {
        source: Type.String(),
        externalId: Type.String(),
      }),
    ),
    listingId: Uuid('The home.'),
    ...homeMembers,
    ...takenNightsMembers,
    guest: Nullable(Text('The guest of the reservation that has the nights.')),
    phone: Nullable(Text('How to reach the guest.')),
  },
);

export const Conflicts = ResponseObject(
  'Conflicts',
  'First those with another guest, then by home and date, at most 10,000.',
  { items: Type.Array(Conflict) },
);

const optionMembers = {
  ...optional({
    ignore: Type.Array(
      Type.String({ maxLength: 500, description: 'The whole text, in any case.' }),
      {
        maxItems: 50,
        description:
          'Texts of `SUMMARY` whose events take no nights, such as the notice period of a channel; an empty text removes all.',
      },
    ),
    end: Type.Enum(['checkout', 'night'], {
      $id: 'EventEnd',
      description: 'Whether the end of an event is the day of departure, or its last night.',
    }),
    free: Type.Enum(['ignore', 'count'], {
      $id: 'FreeEvents',
      description: 'Whether events that are shown as free take nights.',
    }),
  }),
};
const UserAgent = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: patterns.headerText.pattern,
  description: 'How requests for the calendar name themselves.',
});
const Source = OutsideSource(
  'The system whose outside stays are the same as events with exactly their nights.',
);

export const CalendarChange = RequestObject({
  ...optionMembers,
  userAgent: Type.Optional(Nullable(UserAgent)),
  source: Type.Optional(Nullable(Source)),
  ...expectedVersion,
});

export const CalendarOptions = ResponseObject(
  'CalendarOptions',
  'How the channel means what it writes.',
  {
    calendarId: Uuid('The calendar.'),
    ignore: Type.Array(Type.String()),
    end: Type.String(),
    free: Type.String(),
    userAgent: Nullable(Type.String()),
    source: Nullable(Type.String()),
    version: shownVersion,
  },
);

const ChannelEvent = ResponseObject('ChannelEvent', {
  uid: Text('Its name at the channel.'),
  summary: Nullable(Text('Its text at the channel.')),
  from: KeptDate('The first night.'),
  to: KeptDate('The day after the last night.'),
  state: Type.Enum(['taken', 'conflict', 'echo', 'ignored', 'missing'], {
    $id: 'ChannelEventState',
  }),
  reason: Nullable(Text('Why it has this state, as a sentence.')),
  firstSeenAt: Instant('The first read that showed it.'),
  lastSeenAt: Nullable(Instant('The last read that showed it.')),
});

export const NewCalendar = RequestObject({
  listing: ListingName,
  url: Type.String({
    $id: 'CalendarUrl',
    minLength: 1,
    maxLength: 2_000,
    description: 'Its address: https, or webcal.',
  }),
  ...optionMembers,
  userAgent: Type.Optional(UserAgent),
});

export const CalendarAdded = ResponseObject('CalendarAdded', { calendarId: Uuid('Its ID.') });

const applied = {
  added: Integer('New blocks.'),
  removed: Integer('Blocks whose nights are free again.'),
  unchanged: Type.Integer(),
  conflicts: Integer('Nights that could not be blocked.'),
  newConflicts: Integer('How many of them are new.'),
  missing: Integer(
    'Events that the calendar does not show any more, and whose nights stay blocked.',
  ),
  shrunk: Flag('Whether so many are missing that nothing becomes free for six hours.'),
};

const ReadProblem = ResponseObject('CalendarReadProblem', {
  line: Nullable(Integer('The line of the content, from 1.')),
  uid: Nullable(Text('The UID of the event.')),
  message: Text('What is wrong, as a sentence.'),
});
const readProblems = Type.Array(ReadProblem, {
  description: 'What is wrong with the content, at most 100.',
});

export const ShownCalendar = ResponseObject(
  'ShownCalendar',
  'A calendar and what its last reads have shown.',
  {
    ...calendarMembers,
    shrunkSince: Nullable(Instant('Since when too many events are missing.')),
    kept: Flag('Whether staff have said that the nights stay taken.'),
    exportReadAt: Nullable(Instant('When the channel has read our calendar last.')),
    options: ResponseObject('ShownCalendarOptions', {
      ignore: Type.Array(Type.String()),
      end: Type.String(),
      free: Type.String(),
      userAgent: Nullable(Type.String()),
      source: Nullable(Type.String()),
    }),
    version: shownVersion,
    problems: readProblems,
    events: Type.Array(ChannelEvent, { description: 'By date, at most 1,000.' }),
  },
);

export const CalendarAccepted = ResponseObject('CalendarAccepted', 'What was missing is free.', {
  calendarId: Uuid('Its ID.'),
  ...applied,
});

export const CalendarKept = ResponseObject(
  'CalendarKept',
  'What is missing stays taken until somebody accepts it.',
  { calendarId: Uuid('Its ID.'), kept: Type.Boolean() },
);

export const CalendarRefreshed = ResponseObject('CalendarRefreshed', 'The calendar was read.', {
  calendarId: Uuid('Its ID.'),
  outcome: Type.Enum(['refreshed', 'unchanged']),
  ...Type.Partial(Type.Object(applied)).properties,
});

export const CalendarRemoved = ResponseObject(
  'CalendarRemoved',
  'The calendar and its blocks are gone.',
  {
    calendarId: Uuid('Its ID.'),
    freedBlocks: Integer('Blocks whose nights are free again.'),
  },
);

export const NewCalendarFile = RequestObject({
  listing: ListingName,
  name: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The name of the file. Importing a file with the same name replaces its blocks.',
  }),
  file: Text('The text of an iCalendar file.'),
});

export const CalendarImported = ResponseObject('CalendarImported', 'What the file blocks.', {
  calendarId: Uuid('Its ID.'),
  ...applied,
  problems: readProblems,
});

export const AddressInput = RequestObject({
  ...optional({
    listing: ListingName,
    calendarId: UuidInput(
      'The calendar of the channel that reads it: what it has told us is left out.',
    ),
    rotate: Flag('Make a new address; the previous one stops working.'),
  }),
});

export const CalendarAddress = ResponseObject(
  'CalendarAddress',
  "The address of the home's own calendar.",
  { url: Text('A secret address.') },
);
