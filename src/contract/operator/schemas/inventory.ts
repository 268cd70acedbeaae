import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import {
  changeMembers,
  changePageMembers,
  ChangeQuery as FeedQuery,
} from '../../partner/schemas/change.ts';
import { BlockSource, ListingName, nights } from './homes.ts';
import { OutsideSource } from './outside-stays.ts';
import { expectedVersion, PageOf, pageQuery, shownVersion } from './shared.ts';

const ofHome = { listing: Type.Optional(ListingName) };

export const BlocksQuery = Type.RequestObject({ ...ofHome, ...pageQuery });

const homeMembers = {
  listing: Type.Text('The slug of the home.'),
  listingName: Type.Text('The name of the home.'),
};

export const ChangeQuery = FeedQuery;

const InstallationChange = Type.ResponseObject(
  'InstallationChange',
  'A change in homes, prices, rules or nights.',
  {
    ...changeMembers,
    listing: Type.Nullable(Type.Text('The slug of the home; null: every home of a catalog.')),
  },
);

export const InstallationChangePage = Type.ResponseObject(
  'InstallationChangePage',
  'Changes of all catalogs, oldest first.',
  { items: Type.Array(InstallationChange), ...changePageMembers },
);

const blockMembers = {
  blockId: Type.Uuid('Its ID.'),
  listingId: Type.Uuid('The home.'),
  from: Type.KeptDate('The first night.'),
  to: Type.KeptDate('The day after the last night.'),
  reason: Type.Nullable(Type.Text('For staff.')),
  source: BlockSource,
  createdAt: Type.Instant('When it was made.'),
};

export const Block = Type.ResponseObject('Block', 'The removed block.', blockMembers);

export const BlockPage = PageOf(
  Type.ResponseObject('ListedBlock', { ...homeMembers, ...blockMembers }),
  'BlockPage',
  'Blocks by home and date.',
);

export const NewBlock = Type.RequestObject({
  listing: ListingName,
  ...nights,
  reason: Type.Optional(
    Type.Nullable(Type.String({ maxLength: 500, description: 'For staff only.' })),
  ),
});

export const BlockAdded = Type.ResponseObject('BlockAdded', { blockId: Type.Uuid('Its ID.') });

const BlockChange = Type.ResponseObject('BlockChange', 'A block that the file adds or changes.', {
  listing: Type.Text('The home, as the file names it.'),
  from: blockMembers.from,
  to: blockMembers.to,
  reason: blockMembers.reason,
  before: Type.Nullable(
    Type.ResponseObject('BlockBefore', 'What it was. Null: it is new.', {
      reason: blockMembers.reason,
      source: blockMembers.source,
    }),
  ),
});

export const BlocksImported = Type.ResponseObject('BlocksImported', 'What the file changes.', {
  dryRun: Type.Boolean(),
  added: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  changes: Type.Array(BlockChange, { description: 'The first thousand.' }),
});

export const OfHomeQuery = Type.RequestObject(ofHome);

const calendarMembers = {
  calendarId: Type.Uuid('Its ID.'),
  listingId: Type.Uuid('The home.'),
  ...homeMembers,
  origin: Type.Nullable(Type.Text('Scheme and host; the rest of the address can be a secret.')),
  file: Type.Nullable(Type.Text('The name of an imported file.')),
  state: Type.Enum(['new', 'ok', 'failing', 'shrunk'], { $id: 'ChannelCalendarState' }),
  problem: Type.Nullable(
    Type.ResponseObject('CalendarProblem', {
      reason: Type.String(),
      message: Type.String(),
      since: Type.Nullable(Type.Instant('The first of the failures.')),
      attempts: Type.Integer(),
    }),
  ),
  blocks: Type.Integer(),
  conflicts: Type.Integer(),
  missing: Type.Whole('Events that it does not show any more, and whose nights stay blocked.'),
  lastWholeReadAt: Type.Nullable(
    Type.Instant('The last read in which nothing can have been lost.'),
  ),
  refreshedAt: Type.Nullable(Type.Instant('When it was last read.')),
  checkedAt: Type.Nullable(Type.Instant('When it was last tried.')),
  nextAt: Type.Nullable(Type.Instant('When it is read next.')),
  createdAt: Type.Instant('When it was added.'),
};

const ChannelCalendar = Type.ResponseObject(
  'ChannelCalendar',
  'The calendar of another channel.',
  calendarMembers,
);

export const ChannelCalendars = Type.ListOf(
  ChannelCalendar,
  'ChannelCalendars',
  'Oldest first, at most 10,000.',
);

const takenNightsMembers = {
  from: Type.KeptDate('The first night.'),
  to: Type.KeptDate('The day after the last night.'),
  doubleSale: Type.Flag(
    'Whether two guests have these nights: the other one is no block of yours.',
  ),
  takenBy: Type.ResponseObject('TakenBy', {
    kind: Type.Enum(['reservation', 'booking', 'block', 'outside_stay']),
    reference: Type.Optional(
      Type.Nullable(Type.Text('Of a reservation; of an outside stay its source and name.')),
    ),
    blockId: Type.Optional(Type.String()),
    source: Type.Optional(Type.Nullable(Type.String())),
    reason: Type.Optional(Type.Nullable(Type.String())),
  }),
  foundAt: Type.Instant('When it was found.'),
};

const ChannelConflict = Type.ResponseObject(
  'ChannelConflict',
  'Nights of an event that a stay or another block already has.',
  {
    calendarId: Type.Uuid('The calendar.'),
    listingId: Type.Uuid('The home.'),
    ...homeMembers,
    eventUid: Type.Text('The event of the other channel.'),
    ...takenNightsMembers,
  },
);

export const ChannelConflicts = Type.ListOf(
  ChannelConflict,
  'ChannelConflicts',
  'First those with another guest, then by home and date, at most 10,000.',
);

const Conflict = Type.ResponseObject(
  'Conflict',
  'Nights of an event of another channel, or of an outside stay, that something else has.',
  {
    calendarId: Type.Nullable(
      Type.Uuid('The calendar whose event it is. Null: it is an outside stay.'),
    ),
    eventUid: Type.Nullable(Type.Text('The event of the other channel.')),
    outsideStay: Type.Nullable(
      Type.ResponseObject('NamedOutsideStay', 'The outside stay. Null: it is an event.', {
        source: Type.String(),
        externalId: Type.String(),
      }),
    ),
    listingId: Type.Uuid('The home.'),
    ...homeMembers,
    ...takenNightsMembers,
    guest: Type.Nullable(Type.Text('The guest of the reservation that has the nights.')),
    phone: Type.Nullable(Type.Text('How to reach the guest.')),
  },
);

export const Conflicts = Type.ListOf(
  Conflict,
  'Conflicts',
  'First those with another guest, then by home and date, at most 10,000.',
);

const optionMembers = {
  ...Type.AllOptional({
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
const UserAgent = Type.GivenText(
  200,
  'How requests for the calendar name themselves.',
  patterns.headerText,
);
const Source = OutsideSource(
  'The system whose outside stays are the same as events with exactly their nights.',
);

export const CalendarChange = Type.RequestObject({
  ...optionMembers,
  userAgent: Type.Optional(Type.Nullable(UserAgent)),
  source: Type.Optional(Type.Nullable(Source)),
  ...expectedVersion,
});

export const CalendarOptions = Type.ResponseObject(
  'CalendarOptions',
  'How the channel means what it writes.',
  {
    calendarId: Type.Uuid('The calendar.'),
    ignore: Type.Array(Type.String()),
    end: Type.String(),
    free: Type.String(),
    userAgent: Type.Nullable(Type.String()),
    source: Type.Nullable(Type.String()),
    version: shownVersion,
  },
);

const ChannelEvent = Type.ResponseObject('ChannelEvent', {
  uid: Type.Text('Its name at the channel.'),
  summary: Type.Nullable(Type.Text('Its text at the channel.')),
  from: Type.KeptDate('The first night.'),
  to: Type.KeptDate('The day after the last night.'),
  state: Type.Enum(['taken', 'conflict', 'echo', 'ignored', 'missing'], {
    $id: 'ChannelEventState',
  }),
  reason: Type.Nullable(Type.Text('Why it has this state, as a sentence.')),
  firstSeenAt: Type.Instant('The first read that showed it.'),
  lastSeenAt: Type.Nullable(Type.Instant('The last read that showed it.')),
});

export const NewCalendar = Type.RequestObject({
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

export const CalendarAdded = Type.ResponseObject('CalendarAdded', {
  calendarId: Type.Uuid('Its ID.'),
});

const applied = {
  added: Type.Whole('New blocks.'),
  removed: Type.Whole('Blocks whose nights are free again.'),
  unchanged: Type.Integer(),
  conflicts: Type.Whole('Nights that could not be blocked.'),
  newConflicts: Type.Whole('How many of them are new.'),
  missing: Type.Whole(
    'Events that the calendar does not show any more, and whose nights stay blocked.',
  ),
  shrunk: Type.Flag('Whether so many are missing that nothing becomes free for six hours.'),
};

const ReadProblem = Type.ResponseObject('CalendarReadProblem', {
  line: Type.Nullable(Type.Whole('The line of the content, from 1.')),
  uid: Type.Nullable(Type.Text('The UID of the event.')),
  message: Type.Text('What is wrong, as a sentence.'),
});
const readProblems = Type.Array(ReadProblem, {
  description: 'What is wrong with the content, at most 100.',
});

export const ShownCalendar = Type.ResponseObject(
  'ShownCalendar',
  'A calendar and what its last reads have shown.',
  {
    ...calendarMembers,
    shrunkSince: Type.Nullable(Type.Instant('Since when too many events are missing.')),
    kept: Type.Flag('Whether staff have said that the nights stay taken.'),
    exportReadAt: Type.Nullable(Type.Instant('When the channel has read our calendar last.')),
    options: Type.ResponseObject('ShownCalendarOptions', {
      ignore: Type.Array(Type.String()),
      end: Type.String(),
      free: Type.String(),
      userAgent: Type.Nullable(Type.String()),
      source: Type.Nullable(Type.String()),
    }),
    version: shownVersion,
    problems: readProblems,
    events: Type.Array(ChannelEvent, { description: 'By date, at most 1,000.' }),
  },
);

export const CalendarAccepted = Type.ResponseObject(
  'CalendarAccepted',
  'What was missing is free.',
  {
    calendarId: Type.Uuid('Its ID.'),
    ...applied,
  },
);

export const CalendarKept = Type.ResponseObject(
  'CalendarKept',
  'What is missing stays taken until somebody accepts it.',
  { calendarId: Type.Uuid('Its ID.'), kept: Type.Boolean() },
);

export const CalendarRefreshed = Type.ResponseObject(
  'CalendarRefreshed',
  'The calendar was read.',
  {
    calendarId: Type.Uuid('Its ID.'),
    outcome: Type.Enum(['refreshed', 'unchanged']),
    ...Type.Partial(Type.Object(applied)).properties,
  },
);

export const CalendarRemoved = Type.ResponseObject(
  'CalendarRemoved',
  'The calendar and its blocks are gone.',
  {
    calendarId: Type.Uuid('Its ID.'),
    freedBlocks: Type.Whole('Blocks whose nights are free again.'),
  },
);

export const NewCalendarFile = Type.RequestObject({
  listing: ListingName,
  name: Type.GivenText(
    255,
    'The name of the file. Importing a file with the same name replaces its blocks.',
  ),
  file: Type.Text('The text of an iCalendar file.'),
});

export const CalendarImported = Type.ResponseObject('CalendarImported', 'What the file blocks.', {
  calendarId: Type.Uuid('Its ID.'),
  ...applied,
  problems: readProblems,
});

export const AddressInput = Type.RequestObject({
  ...Type.AllOptional({
    listing: ListingName,
    calendarId: Type.UuidInput(
      'The calendar of the channel that reads it: what came from it is left out.',
    ),
    rotate: Type.Flag('Make a new address; the previous one stops working.'),
  }),
});

export const CalendarAddress = Type.ResponseObject(
  'CalendarAddress',
  "The address of the home's own calendar.",
  { url: Type.Text('A secret address.') },
);
