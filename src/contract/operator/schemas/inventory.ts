import Type from 'typebox';
import { patterns } from '../../patterns.ts';
import {
  changeMembers,
  changePageMembers,
  ChangeQuery as FeedQuery,
} from '../../partner/schemas/change.ts';
import { Instant, Nullable, Uuid, UuidInput } from '../../partner/schemas/primitives.ts';
import { BlockSource, ListingName, nights } from './homes.ts';
import { OutsideSource } from './outside-stays.ts';
import { expectedVersion, KeptDate, PageOf, pageQuery, shownVersion } from './shared.ts';

const ofHome = { listing: Type.Optional(ListingName) };

export const BlocksQuery = Type.Object(
  { ...ofHome, ...pageQuery },
  { additionalProperties: false },
);

const homeMembers = {
  listing: Type.String({ description: 'The slug of the home.' }),
  listingName: Type.String({ description: 'The name of the home.' }),
};

export const ChangeQuery = FeedQuery;

const InstallationChange = Type.Object(
  {
    ...changeMembers,
    listing: Nullable(
      Type.String({ description: 'The slug of the home; null: every home of a catalog.' }),
    ),
  },
  { $id: 'InstallationChange', description: 'A change in homes, prices, rules or nights.' },
);

export const InstallationChangePage = Type.Object(
  { items: Type.Array(InstallationChange), ...changePageMembers },
  { $id: 'InstallationChangePage', description: 'Changes of all catalogs, oldest first.' },
);

const blockMembers = {
  blockId: Uuid('Its ID.'),
  listingId: Uuid('The home.'),
  from: KeptDate('The first night.'),
  to: KeptDate('The day after the last night.'),
  reason: Nullable(Type.String({ description: 'For staff.' })),
  source: BlockSource,
  createdAt: Instant('When it was made.'),
};

export const Block = Type.Object(blockMembers, { $id: 'Block', description: 'The removed block.' });

export const BlockPage = PageOf(
  Type.Object({ ...homeMembers, ...blockMembers }, { $id: 'ListedBlock' }),
  'BlockPage',
  'Blocks by home and date.',
);

export const NewBlock = Type.Object(
  {
    listing: ListingName,
    ...nights,
    reason: Type.Optional(
      Nullable(Type.String({ maxLength: 500, description: 'For staff only.' })),
    ),
  },
  { additionalProperties: false },
);

export const BlockAdded = Type.Object({ blockId: Uuid('Its ID.') }, { $id: 'BlockAdded' });

export const BlockParams = Type.Object({ blockId: UuidInput('The block.') });

const BlockChange = Type.Object(
  {
    listing: Type.String({ description: 'The home, as the file names it.' }),
    from: blockMembers.from,
    to: blockMembers.to,
    reason: blockMembers.reason,
    before: Nullable(
      Type.Object(
        { reason: blockMembers.reason, source: blockMembers.source },
        { $id: 'BlockBefore', description: 'What it was. Null: it is new.' },
      ),
    ),
  },
  { $id: 'BlockChange', description: 'A block that the file adds or changes.' },
);

export const BlocksImported = Type.Object(
  {
    dryRun: Type.Boolean(),
    added: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    changes: Type.Array(BlockChange, { description: 'The first thousand.' }),
  },
  { $id: 'BlocksImported', description: 'What the file changes.' },
);

export const OfHomeQuery = Type.Object(ofHome, { additionalProperties: false });

export const CalendarParams = Type.Object({ calendarId: UuidInput('The calendar.') });

const calendarMembers = {
  calendarId: Uuid('Its ID.'),
  listingId: Uuid('The home.'),
  ...homeMembers,
  origin: Nullable(
    Type.String({ description: 'Scheme and host; the rest of the address can be a secret.' }),
  ),
  file: Nullable(Type.String({ description: 'The name of an imported file.' })),
  state: Type.Enum(['new', 'ok', 'failing', 'shrunk'], { $id: 'ChannelCalendarState' }),
  problem: Nullable(
    Type.Object(
      {
        reason: Type.String(),
        message: Type.String(),
        since: Nullable(Instant('The first of the failures.')),
        attempts: Type.Integer(),
      },
      { $id: 'CalendarProblem' },
    ),
  ),
  blocks: Type.Integer(),
  conflicts: Type.Integer(),
  missing: Type.Integer({
    description: 'Events that it does not show any more, and whose nights stay blocked.',
  }),
  lastWholeReadAt: Nullable(Instant('The last read in which nothing can have been lost.')),
  refreshedAt: Nullable(Instant('When it was last read.')),
  checkedAt: Nullable(Instant('When it was last tried.')),
  nextAt: Nullable(Instant('When it is read next.')),
  createdAt: Instant('When it was added.'),
};

const ChannelCalendar = Type.Object(calendarMembers, {
  $id: 'ChannelCalendar',
  description: 'The calendar of another channel.',
});

export const ChannelCalendars = Type.Object(
  { items: Type.Array(ChannelCalendar) },
  { $id: 'ChannelCalendars', description: 'Oldest first, at most 10,000.' },
);

const takenNightsMembers = {
  from: KeptDate('The first night.'),
  to: KeptDate('The day after the last night.'),
  doubleSale: Type.Boolean({
    description: 'Whether two guests have these nights: the other one is no block of yours.',
  }),
  takenBy: Type.Object(
    {
      kind: Type.Enum(['reservation', 'booking', 'block', 'outside_stay']),
      reference: Type.Optional(
        Nullable(
          Type.String({ description: 'Of a reservation; of an outside stay its source and name.' }),
        ),
      ),
      blockId: Type.Optional(Type.String()),
      source: Type.Optional(Nullable(Type.String())),
      reason: Type.Optional(Nullable(Type.String())),
    },
    { $id: 'TakenBy' },
  ),
  foundAt: Instant('When it was found.'),
};

const ChannelConflict = Type.Object(
  {
    calendarId: Uuid('The calendar.'),
    listingId: Uuid('The home.'),
    ...homeMembers,
    eventUid: Type.String({ description: 'The event of the other channel.' }),
    ...takenNightsMembers,
  },
  {
    $id: 'ChannelConflict',
    description: 'Nights of an event that a stay or another block already has.',
  },
);

export const ChannelConflicts = Type.Object(
  { items: Type.Array(ChannelConflict) },
  {
    $id: 'ChannelConflicts',
    description: 'First those with another guest, then by home and date, at most 10,000.',
  },
);

const Conflict = Type.Object(
  {
    calendarId: Nullable(Uuid('The calendar whose event it is. Null: it is an outside stay.')),
    eventUid: Nullable(Type.String({ description: 'The event of the other channel.' })),
    outsideStay: Nullable(
      Type.Object(
        { source: Type.String(), externalId: Type.String() },
        { $id: 'NamedOutsideStay', description: 'The outside stay. Null: it is an event.' },
      ),
    ),
    listingId: Uuid('The home.'),
    ...homeMembers,
    ...takenNightsMembers,
    guest: Nullable(
      Type.String({ description: 'The guest of the reservation that has the nights.' }),
    ),
    phone: Nullable(Type.String({ description: 'How to reach the guest.' })),
  },
  {
    $id: 'Conflict',
    description:
      'Nights of an event of another channel, or of an outside stay, that something else has.',
  },
);

export const Conflicts = Type.Object(
  { items: Type.Array(Conflict) },
  {
    $id: 'Conflicts',
    description: 'First those with another guest, then by home and date, at most 10,000.',
  },
);

const optionMembers = {
  ignore: Type.Optional(
    Type.Array(Type.String({ maxLength: 500, description: 'The whole text, in any case.' }), {
      maxItems: 50,
      description:
        'Texts of `SUMMARY` whose events take no nights, such as the notice period of a channel; an empty text removes all.',
    }),
  ),
  end: Type.Optional(
    Type.Enum(['checkout', 'night'], {
      $id: 'EventEnd',
      description: 'Whether the end of an event is the day of departure, or its last night.',
    }),
  ),
  free: Type.Optional(
    Type.Enum(['ignore', 'count'], {
      $id: 'FreeEvents',
      description: 'Whether events that are shown as free take nights.',
    }),
  ),
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

export const CalendarChange = Type.Object(
  {
    ...optionMembers,
    userAgent: Type.Optional(Nullable(UserAgent)),
    source: Type.Optional(Nullable(Source)),
    ...expectedVersion,
  },
  { additionalProperties: false },
);

export const CalendarOptions = Type.Object(
  {
    calendarId: Uuid('The calendar.'),
    ignore: Type.Array(Type.String()),
    end: Type.String(),
    free: Type.String(),
    userAgent: Nullable(Type.String()),
    source: Nullable(Type.String()),
    version: shownVersion,
  },
  { $id: 'CalendarOptions', description: 'How the channel means what it writes.' },
);

const ChannelEvent = Type.Object(
  {
    uid: Type.String({ description: 'Its name at the channel.' }),
    summary: Nullable(Type.String({ description: 'Its text at the channel.' })),
    from: KeptDate('The first night.'),
    to: KeptDate('The day after the last night.'),
    state: Type.Enum(['taken', 'conflict', 'echo', 'ignored', 'missing'], {
      $id: 'ChannelEventState',
    }),
    reason: Nullable(Type.String({ description: 'Why it has this state, as a sentence.' })),
    firstSeenAt: Instant('The first read that showed it.'),
    lastSeenAt: Nullable(Instant('The last read that showed it.')),
  },
  { $id: 'ChannelEvent' },
);

export const NewCalendar = Type.Object(
  {
    listing: ListingName,
    url: Type.String({
      $id: 'CalendarUrl',
      minLength: 1,
      maxLength: 2_000,
      description: 'Its address: https, or webcal.',
    }),
    ...optionMembers,
    userAgent: Type.Optional(UserAgent),
  },
  { additionalProperties: false },
);

export const CalendarAdded = Type.Object({ calendarId: Uuid('Its ID.') }, { $id: 'CalendarAdded' });

const applied = {
  added: Type.Integer({ description: 'New blocks.' }),
  removed: Type.Integer({ description: 'Blocks whose nights are free again.' }),
  unchanged: Type.Integer(),
  conflicts: Type.Integer({ description: 'Nights that could not be blocked.' }),
  newConflicts: Type.Integer({ description: 'How many of them are new.' }),
  missing: Type.Integer({
    description: 'Events that the calendar does not show any more, and whose nights stay blocked.',
  }),
  shrunk: Type.Boolean({
    description: 'Whether so many are missing that nothing becomes free for six hours.',
  }),
};

const ReadProblem = Type.Object(
  {
    line: Nullable(Type.Integer({ description: 'The line of the content, from 1.' })),
    uid: Nullable(Type.String({ description: 'The UID of the event.' })),
    message: Type.String({ description: 'What is wrong, as a sentence.' }),
  },
  { $id: 'CalendarReadProblem' },
);
const readProblems = Type.Array(ReadProblem, {
  description: 'What is wrong with the content, at most 100.',
});

export const ShownCalendar = Type.Object(
  {
    ...calendarMembers,
    shrunkSince: Nullable(Instant('Since when too many events are missing.')),
    kept: Type.Boolean({ description: 'Whether staff have said that the nights stay taken.' }),
    exportReadAt: Nullable(Instant('When the channel has read our calendar last.')),
    options: Type.Object(
      {
        ignore: Type.Array(Type.String()),
        end: Type.String(),
        free: Type.String(),
        userAgent: Nullable(Type.String()),
        source: Nullable(Type.String()),
      },
      { $id: 'ShownCalendarOptions' },
    ),
    version: shownVersion,
    problems: readProblems,
    events: Type.Array(ChannelEvent, { description: 'By date, at most 1,000.' }),
  },
  { $id: 'ShownCalendar', description: 'A calendar and what its last reads have shown.' },
);

export const CalendarAccepted = Type.Object(
  { calendarId: Uuid('Its ID.'), ...applied },
  { $id: 'CalendarAccepted', description: 'What was missing is free.' },
);

export const CalendarKept = Type.Object(
  { calendarId: Uuid('Its ID.'), kept: Type.Boolean() },
  { $id: 'CalendarKept', description: 'What is missing stays taken until somebody accepts it.' },
);

export const CalendarRefreshed = Type.Object(
  {
    calendarId: Uuid('Its ID.'),
    outcome: Type.Enum(['refreshed', 'unchanged']),
    ...Type.Partial(Type.Object(applied)).properties,
  },
  { $id: 'CalendarRefreshed', description: 'The calendar was read.' },
);

export const CalendarRemoved = Type.Object(
  {
    calendarId: Uuid('Its ID.'),
    freedBlocks: Type.Integer({ description: 'Blocks whose nights are free again.' }),
  },
  { $id: 'CalendarRemoved', description: 'The calendar and its blocks are gone.' },
);

export const NewCalendarFile = Type.Object(
  {
    listing: ListingName,
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The name of the file. Importing a file with the same name replaces its blocks.',
    }),
    file: Type.String({ description: 'The text of an iCalendar file.' }),
  },
  { additionalProperties: false },
);

export const CalendarImported = Type.Object(
  { calendarId: Uuid('Its ID.'), ...applied, problems: readProblems },
  { $id: 'CalendarImported', description: 'What the file blocks.' },
);

export const AddressInput = Type.Object(
  {
    listing: Type.Optional(ListingName),
    calendarId: Type.Optional(
      UuidInput('The calendar of the channel that reads it: what it has told us is left out.'),
    ),
    rotate: Type.Optional(
      Type.Boolean({ description: 'Make a new address; the previous one stops working.' }),
    ),
  },
  { additionalProperties: false },
);

export const CalendarAddress = Type.Object(
  { url: Type.String({ description: 'A secret address.' }) },
  { $id: 'CalendarAddress', description: "The address of the home's own calendar." },
);
