import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dateText, dayNumber } from '../../pricing/index.ts';
import { nightsTaken, usualOptions } from '../../../test/channels/nights-taken.ts';
import { readCalendar, type ReadCalendar, type ReadOptions } from './read-calendar.ts';

const event = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\n');
const calendar = (...parts: string[]): string =>
  `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...parts, 'END:VCALENDAR'].join('\n')}\n`;

const read = (
  content: string | Buffer,
  timeZone: string | null = 'America/New_York',
  options: Partial<ReadOptions> = {},
): ReadCalendar =>
  readCalendar({
    bytes: typeof content === 'string' ? Buffer.from(content.replaceAll('\n', '\r\n')) : content,
    timeZone,
    today: dayNumber('2027-01-15'),
    options: { ...usualOptions, ...options },
  });

/** Nights as `MM-DD–MM-DD`, of 2027 unless another year is written. */
function shown(result: ReadCalendar): string[] {
  const short = (day: number) => dateText(day).replace(/^2027-/, '');
  return nightsTaken(result).map(({ from, to }) => `${short(from)}–${short(to)}`);
}

/** The nights of a calendar that is whole. */
function nights(
  content: string,
  timeZone?: string | null,
  options?: Partial<ReadOptions>,
): string[] {
  const result = read(content, timeZone, options);
  assert.ok(result.whole, JSON.stringify(result.problems));
  return shown(result);
}

const march = (...more: string[]): string =>
  event('UID:m', 'DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270304', ...more);

const weekly = 'RRULE:FREQ=WEEKLY;COUNT=3';

const tokyo = `BEGIN:VTIMEZONE
TZID:The zone of Tokyo
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0900
TZOFFSETTO:+0900
END:STANDARD
END:VTIMEZONE`;

suite('nights of a calendar', () => {
  const cases: [name: string, content: string, expected: string[], timeZone?: string | null][] = [
    ['no events', calendar(), []],
    ['an all-day event is half-open', calendar(march()), ['03-01–03-04']],
    [
      'a date without an end is one night',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270301')),
      ['03-01–03-02'],
    ],
    [
      'a date that ends on the day of its start is one night',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270301')),
      ['03-01–03-02'],
    ],
    [
      'a date with a duration',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'DURATION:P1W')),
      ['03-01–03-08'],
    ],
    [
      'a date with a duration in hours, rounded up to days',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'DURATION:PT47H')),
      ['03-01–03-03'],
    ],
    [
      'dates that do not say that they are dates',
      calendar(
        event(
          'UID:1',
          'DTSTART:20270301',
          'dtend;TZID=Europe/Paris:20270303',
          'RRULE:FREQ=WEEKLY;COUNT=4',
          'EXDATE:20270308,20270315',
        ),
      ),
      ['03-01–03-03', '03-22–03-24'],
    ],
    [
      'up to 24:00',
      calendar(event('UID:1', 'DTSTART:20270301T150000', 'DTEND:20270302T240000')),
      ['03-01–03-03'],
    ],
    [
      'from 15:00 to 11:00 in the zone of the home',
      calendar(
        event(
          'UID:1',
          'DTSTART;TZID=America/New_York:20270301T150000',
          'DTEND;TZID=America/New_York:20270304T110000',
        ),
      ),
      ['03-01–03-04'],
    ],
    [
      'in another zone, by the date at the home',
      calendar(
        event(
          'UID:1',
          'DTSTART;TZID=Asia/Tokyo:20270302T050000',
          'DTEND;TZID=Asia/Tokyo:20270305T010000',
        ),
      ),
      ['03-01–03-04'],
    ],
    [
      'in UTC, by the date at the home',
      calendar(event('UID:1', 'DTSTART:20270302T030000Z', 'DTEND:20270304T160000Z')),
      ['03-01–03-04'],
    ],
    [
      'a home without a zone has the dates of UTC',
      calendar(event('UID:1', 'DTSTART:20270302T030000Z', 'DTEND:20270304T160000Z')),
      ['03-02–03-04'],
      null,
    ],
    [
      'without a zone, at the home',
      calendar(event('UID:1', 'DTSTART:20270301T150000', 'DURATION:P2DT20H')),
      ['03-01–03-04'],
    ],
    [
      'in a zone that the calendar defines',
      calendar(
        tokyo,
        event(
          'UID:1',
          'DTSTART;TZID=The zone of Tokyo:20270302T050000',
          'DTEND;TZID=The zone of Tokyo:20270305T010000',
        ),
      ),
      ['03-01–03-04'],
    ],
    [
      'in a zone whose name is marked as global',
      calendar(
        event(
          'UID:1',
          'DTSTART;TZID=/Asia/Tokyo:20270302T050000',
          'DTEND;TZID=/Asia/Tokyo:20270305T010000',
        ),
      ),
      ['03-01–03-04'],
    ],
    [
      'over a change to summer time',
      calendar(event('UID:1', 'DTSTART:20270314T040000Z', 'DTEND:20270315T040000Z')),
      ['03-13–03-15'],
    ],
    [
      'within a day: none',
      calendar(event('UID:1', 'DTSTART:20270301T100000', 'DTEND:20270301T140000')),
      [],
    ],
    ['a time without an end: none', calendar(event('UID:1', 'DTSTART:20270301T100000')), []],
    [
      'from midnight to 23:59 counts as whole days',
      calendar(event('UID:1', 'DTSTART:20270301T000000', 'DTEND:20270302T235959')),
      ['03-01–03-03'],
    ],
    [
      'folded lines',
      calendar(event('UID:1', 'DTSTART;VALUE=D\n ATE:202703\n 01', 'SUMMARY:a\n  b')),
      ['03-01–03-02'],
    ],
    [
      'past events are ignored',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270101', 'DTEND;VALUE=DATE:20270115')),
      [],
    ],
    [
      'an event in progress is whole',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270101', 'DTEND;VALUE=DATE:20270117')),
      ['01-01–01-17'],
    ],
    [
      'events beyond the booking horizon are ignored',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20310101')),
      [],
    ],
    ['a transparent event takes no nights', calendar(march('TRANSP:TRANSPARENT')), []],
    ['a cancelled event takes no nights', calendar(march('STATUS:CANCELLED')), []],
    ['a tentative event takes its nights', calendar(march('STATUS:TENTATIVE')), ['03-01–03-04']],
    ['METHOD:CANCEL cancels its events', calendar('METHOD:CANCEL', march()), []],
    [
      'METHOD:CANCEL of a second calendar in the file cancels the events of that one',
      calendar(march()) + calendar('METHOD:CANCEL', march('SEQUENCE:1')),
      ['03-01–03-04'],
    ],
    [
      'other components are ignored',
      calendar('BEGIN:VTODO\nUID:1\nDTSTART;VALUE=DATE:20270301\nEND:VTODO'),
      [],
    ],
    [
      'several events with one UID each take their nights, whatever SEQUENCE says',
      calendar(
        march('SEQUENCE:1'),
        event('UID:m', 'SEQUENCE:2', 'DTSTART;VALUE=DATE:20270310'),
        event('UID:m', 'SEQUENCE:3', 'DTSTART;VALUE=DATE:20270320', 'STATUS:CANCELLED'),
      ),
      ['03-01–03-04', '03-10–03-11'],
    ],
    [
      'equal SEQUENCEs of a UID count together',
      calendar(march(), event('UID:m', 'DTSTART;VALUE=DATE:20270310')),
      ['03-01–03-04', '03-10–03-11'],
    ],
    [
      'events without UID are separate',
      calendar(event('DTSTART;VALUE=DATE:20270301'), event('DTSTART;VALUE=DATE:20270310')),
      ['03-01–03-02', '03-10–03-11'],
    ],
    [
      'overlapping events have each night once',
      calendar(march(), event('UID:n', 'DTSTART;VALUE=DATE:20270302', 'DTEND;VALUE=DATE:20270306')),
      ['03-01–03-04', '03-04–03-06'],
    ],
    [
      'a rule with exceptions, one of which matches nothing',
      calendar(
        event(
          'UID:1',
          'DTSTART;VALUE=DATE:20270301',
          'RRULE:FREQ=WEEKLY;COUNT=4',
          'EXDATE;VALUE=DATE:20270308,20270310,20270315',
        ),
      ),
      ['03-01–03-02', '03-22–03-23'],
    ],
    [
      'a rule up to a day includes that day',
      calendar(
        event(
          'UID:1',
          'DTSTART:20270301T150000',
          'DTEND:20270302T110000',
          'RRULE:FREQ=WEEKLY;UNTIL=20270308',
        ),
      ),
      ['03-01–03-02', '03-08–03-09'],
    ],
    [
      'a rule that ended long ago, however often it named a time',
      calendar(event('UID:1', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=HOURLY;UNTIL=20200102')),
      [],
    ],
    [
      'a rule that ends before it begins',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=DAILY;UNTIL=20260101')),
      ['03-01–03-02'],
    ],
    [
      'a rule up to an instant that is on the next day at the start',
      calendar(
        event(
          'UID:1',
          'DTSTART;TZID=Asia/Tokyo:20270301T010000',
          'DTEND;TZID=Asia/Tokyo:20270302T010000',
          'RRULE:FREQ=WEEKLY;UNTIL=20270307T160000Z',
        ),
      ),
      ['03-01–03-02', '03-08–03-09'],
      'Asia/Tokyo',
    ],
    [
      'a monthly rule skips the months that do not have its day',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270331', 'RRULE:FREQ=MONTHLY;COUNT=3')),
      ['03-31–04-01', '05-31–06-01', '07-31–08-01'],
    ],
    [
      'a rule with a date that never exists has only its start',
      calendar(
        event(
          'UID:1',
          'DTSTART;VALUE=DATE:20270130',
          'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2',
        ),
      ),
      ['01-30–01-31'],
    ],
    [
      'a yearly rule skips the months that do not have its day, and does not count them',
      calendar(
        event('UID:1', 'DTSTART;VALUE=DATE:20270130', 'RRULE:FREQ=YEARLY;BYMONTH=1,2,3;COUNT=3'),
      ),
      ['01-30–01-31', '03-30–03-31', '2028-01-30–2028-01-31'],
    ],
    [
      'a yearly rule on 29 February skips the other years',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY')),
      ['2028-02-29–2028-03-01'],
    ],
    [
      'a yearly rule on a day from the end of a month',
      calendar(
        event(
          'UID:1',
          'DTSTART;VALUE=DATE:20270129',
          'RRULE:FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=-31,-29;COUNT=4',
        ),
      ),
      [
        '01-29–01-30',
        '2028-01-01–2028-01-02',
        '2028-01-03–2028-01-04',
        '2028-02-01–2028-02-02',
        '2029-01-01–2029-01-02',
      ],
    ],
    [
      'a rule over a change to summer time keeps the time of day',
      calendar(
        event(
          'UID:1',
          'DTSTART;TZID=America/New_York:20270307T233000',
          'DTEND;TZID=America/New_York:20270308T110000',
          'RRULE:FREQ=WEEKLY;COUNT=2',
        ),
      ),
      ['03-07–03-08', '03-14–03-15'],
    ],
    [
      'a date excluded from a rule with times',
      calendar(
        event(
          'UID:1',
          'DTSTART:20270301T150000',
          'DTEND:20270302T110000',
          'RRULE:FREQ=DAILY;COUNT=3',
          'EXDATE;VALUE=DATE:20270302',
        ),
      ),
      ['03-01–03-02', '03-03–03-04'],
    ],
    [
      'a rule whose first day is a day of 23 hours',
      calendar(
        event('UID:1', 'DTSTART;TZID=America/New_York:20270314T000000', 'DURATION:P1D', weekly),
        event(
          'UID:2',
          'DTSTART;TZID=America/New_York:20270314T000000',
          'DTEND;TZID=America/New_York:20270315T235900',
          'RRULE:FREQ=WEEKLY;COUNT=2;INTERVAL=5',
        ),
      ),
      ['03-14–03-16', '03-21–03-22', '03-28–03-29', '04-18–04-20'],
    ],
    [
      'this and all following, moved over a day of 23 hours',
      calendar(
        event('UID:1', 'DTSTART;TZID=America/New_York:20270307T000000', 'DURATION:P1D', weekly),
        event(
          'UID:1',
          'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=America/New_York:20270314T000000',
          'DTSTART;TZID=America/New_York:20270315T000000',
          'DURATION:P1D',
        ),
      ),
      ['03-07–03-08', '03-15–03-16', '03-22–03-23'],
    ],
    [
      'further dates and periods',
      calendar(
        event(
          'UID:1',
          'DTSTART:20270301T150000',
          'DTEND:20270302T110000',
          'RDATE:20270310T150000',
          'RDATE;VALUE=PERIOD:20270320T150000/P2D,20270325T150000/+P1D',
        ),
      ),
      ['03-01–03-02', '03-10–03-11', '03-20–03-22', '03-25–03-26'],
    ],
    [
      'a moved and a cancelled occurrence',
      calendar(
        event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=WEEKLY;COUNT=3'),
        event(
          'UID:1',
          'RECURRENCE-ID;VALUE=DATE:20270308',
          'DTSTART;VALUE=DATE:20270309',
          'DTEND;VALUE=DATE:20270311',
        ),
        event(
          'UID:1',
          'RECURRENCE-ID;VALUE=DATE:20270315',
          'DTSTART;VALUE=DATE:20270315',
          'STATUS:CANCELLED',
        ),
      ),
      ['03-01–03-02', '03-09–03-11'],
    ],
    [
      'this and all following',
      calendar(
        event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=WEEKLY;COUNT=4'),
        event(
          'UID:1',
          'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20270315',
          'DTSTART;VALUE=DATE:20270316',
          'DTEND;VALUE=DATE:20270318',
        ),
      ),
      ['03-01–03-02', '03-08–03-09', '03-16–03-18', '03-23–03-25'],
    ],
    [
      'an opaque occurrence of a transparent event',
      calendar(
        event('UID:1', 'TRANSP:TRANSPARENT', 'DTSTART;VALUE=DATE:20270301', weekly),
        event(
          'UID:1',
          'RECURRENCE-ID;VALUE=DATE:20270308',
          'DTSTART;VALUE=DATE:20270309',
          'DTEND;VALUE=DATE:20270311',
        ),
      ),
      ['03-09–03-11'],
    ],
    [
      'an event that is opaque from an occurrence on',
      calendar(
        event('UID:1', 'TRANSP:TRANSPARENT', 'DTSTART;VALUE=DATE:20270301', weekly),
        event(
          'UID:1',
          'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20270308',
          'DTSTART;VALUE=DATE:20270309',
        ),
      ),
      ['03-09–03-10', '03-16–03-17'],
    ],
    [
      'transparent occurrences, and all from one on, of an opaque event',
      calendar(
        event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=WEEKLY;COUNT=5'),
        event(
          'UID:1',
          'RECURRENCE-ID;VALUE=DATE:20270308',
          'DTSTART;VALUE=DATE:20270308',
          'TRANSP:TRANSPARENT',
        ),
        event(
          'UID:1',
          'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20270322',
          'DTSTART;VALUE=DATE:20270322',
          'TRANSP:TRANSPARENT',
        ),
      ),
      ['03-01–03-02', '03-15–03-16'],
    ],
    [
      'a transparent event with too many occurrences takes no nights',
      calendar(
        event('UID:1', 'TRANSP:TRANSPARENT', 'DTSTART:20270201T100000Z', 'RRULE:FREQ=SECONDLY'),
      ),
      [],
    ],
    [
      'an occurrence without its event',
      calendar(event('UID:1', 'RECURRENCE-ID;VALUE=DATE:20270308', 'DTSTART;VALUE=DATE:20270309')),
      ['03-09–03-10'],
    ],
    ['a byte order mark', `\uFEFF${calendar(march())}`, ['03-01–03-04']],
  ];
  for (const [name, content, expected, timeZone] of cases) {
    test(name, () => assert.deepEqual(nights(content, timeZone), expected));
  }

  test('a rule without an end stops at the booking horizon', () => {
    const found = nights(
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=DAILY')),
    );
    assert.equal(found[0], '01-15–01-16');
    assert.equal(found.length, 730 + 90 + 7 + 1);
  });
});

test('a line that is folded within a character is one line', () => {
  const folded = Buffer.concat([
    Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:'),
    Buffer.from([0xc3, 0x0d, 0x0a, 0x20, 0xa9]),
    Buffer.from('\r\nDTSTART;VALUE=DATE:20270301\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
  ]);
  const result = read(folded);
  assert.equal(result.events[0]!.uid, 'é');
});

test('a UID that is too long is cut to a text that can be stored as it is', () => {
  const uid = `${'a'.repeat(254)}😀`;
  const result = read(calendar(event(`UID:${uid}`, 'DTSTART;VALUE=DATE:20270301')));
  const [night] = result.events;
  assert.equal(night!.uid, Buffer.from(night!.uid).toString());
  assert.equal(night!.uid.length, 255);
});

suite('what channels write otherwise', () => {
  const stay = (start: string, end: string): string =>
    calendar(event('UID:1', `DTSTART${start}`, `DTEND${end}`));
  const zoned = (tzid: string): string =>
    stay(`;TZID=${tzid}:20270302T030000`, `;TZID=${tzid}:20270304T160000`);
  const cases: [name: string, content: string, expected: string[]][] = [
    ['dates with dashes', stay(':2027-03-01', ':2027-03-04'), ['03-01–03-04']],
    [
      'times with dashes and colons, and without seconds',
      stay(':2027-03-01T15:00', ':20270304T1100'),
      ['03-01–03-04'],
    ],
    [
      'times with an offset',
      stay(':20270302T0300+0000', ':2027-03-04T16:00:00+00:00'),
      ['03-01–03-04'],
    ],
    [
      'both ends at midnight in UTC are dates, also west of Greenwich',
      stay(':20270301T000000Z', ':20270304T000000Z'),
      ['03-01–03-04'],
    ],
    [
      'one end at midnight in UTC is a time',
      stay(':20270302T000000Z', ':20270304T160000Z'),
      ['03-01–03-04'],
    ],
    [
      'a rule of dates that are midnights in UTC, with an exception',
      calendar(
        event(
          'UID:1',
          'DTSTART:20270301T000000Z',
          'DTEND:20270302T000000Z',
          'RRULE:FREQ=WEEKLY;COUNT=3',
          'EXDATE:20270308T000000Z',
        ),
        event(
          'UID:1',
          'RECURRENCE-ID:20270315T000000Z',
          'DTSTART;VALUE=DATE:20270317',
          'DTEND;VALUE=DATE:20270318',
        ),
      ),
      ['03-01–03-02', '03-17–03-18'],
    ],
    ['a zone of Windows', zoned('Greenwich Standard Time'), ['03-01–03-04']],
    ['a zone of Windows in summer', zoned('GMT Daylight Time'), ['03-01–03-04']],
    ['a zone of Windows with a number', zoned('GMT Standard Time 1'), ['03-01–03-04']],
    ['a zone that is an offset', zoned('GMT+00:00'), ['03-01–03-04']],
    ['a zone named after its offset', zoned('"(UTC+00:00) Dublin, Lisbon"'), ['03-01–03-04']],
    ['the zone tzone://Microsoft/Utc', zoned('tzone://Microsoft/Utc'), ['03-01–03-04']],
    [
      'a zone with the name of its registry',
      zoned('/freeassociation.example/Tzfile/Africa/Accra'),
      ['03-01–03-04'],
    ],
    [
      'names in any case',
      march().toLowerCase().replace(/^/, 'begin:vcalendar\n') + '\nend:vcalendar',
      ['03-01–03-04'],
    ],
    ['empty lists of dates', calendar(march('RDATE:', 'EXDATE;VALUE=DATE:')), ['03-01–03-04']],
    [
      'a line break in a text',
      calendar(march('DESCRIPTION:Two guests', 'arriving late', 'by car: yes')),
      ['03-01–03-04'],
    ],
    [
      'an event that is over, whatever is wrong with it',
      calendar(
        march(),
        event('UID:2', 'DTSTART;VALUE=DATE:20260301', 'DTEND;VALUE=DATE:20260303', 'RRULE'),
        event('UID:3', 'DTSTART:nothing', 'DTEND;VALUE=DATE:20260303'),
      ),
      ['03-01–03-04'],
    ],
    [
      'busy periods',
      calendar(
        'BEGIN:VFREEBUSY',
        'UID:fb',
        'FREEBUSY;FBTYPE=BUSY:20270301T150000Z/20270304T110000Z,20270310T000000Z/P2D',
        'FREEBUSY:20270320T150000Z/PT20H',
        'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20270325T150000Z/PT20H',
        'FREEBUSY;FBTYPE=FREE:20270401T150000Z/20270404T110000Z',
        'END:VFREEBUSY',
      ),
      ['03-01–03-04', '03-09–03-11', '03-20–03-21', '03-25–03-26'],
    ],
    [
      'an event within another component',
      calendar(`BEGIN:X-FRAME\n${march()}\nEND:X-FRAME`),
      ['03-01–03-04'],
    ],
  ];
  for (const [name, content, expected] of cases) {
    test(name, () => assert.deepEqual(nights(content), expected));
  }

  test('another encoding than UTF-8', () => {
    const latin = Buffer.from(calendar(march('SUMMARY:Café')), 'latin1');
    const result = read(latin);
    assert.deepEqual([result.whole, result.events[0]!.summary], [true, 'Café']);
  });

  const ends = ['\n', '\r\n', '\r', '\r\r\n', ' \t\r\n'];
  for (const end of ends) {
    test(`lines that end with ${JSON.stringify(end)}`, () => {
      const result = read(Buffer.from(calendar(march('SUMMARY:a\n b')).replaceAll('\n', end)));
      assert.ok(result.whole, JSON.stringify(result.problems));
      assert.deepEqual(shown(result), ['03-01–03-04']);
    });
  }

  test('a zone that nobody knows is that of the home, and is reported', () => {
    const unknown = zoned('Atlantis/Port');
    assert.deepEqual(nights(unknown), ['03-02–03-04']);
    assert.deepEqual(read(unknown).problems, [
      { line: 4, uid: '1', problem: 'unknown_time_zone', detail: 'Atlantis/Port' },
    ]);
  });
});

suite('options', () => {
  test('texts of SUMMARY take no nights, whatever their case and white space', () => {
    const notice = calendar(
      march('SUMMARY:Not  AVAILABLE\n  (notice)'),
      march('SUMMARY:Not available'),
    );
    const options = { ignore: [' not available (Notice)'] };
    const { events } = read(notice, undefined, options);
    assert.deepEqual(
      events.map(({ ignored }) => ignored),
      ['summary', null],
    );
  });

  test('the end can be the last night', () => {
    const all = calendar(
      march(),
      event('UID:2', 'DTSTART;VALUE=DATE:20270310'),
      event('UID:3', 'DTSTART;VALUE=DATE:20270312', 'DTEND;VALUE=DATE:20270312'),
      event('UID:4', 'DTSTART:20270320T150000', 'DTEND:20270322T110000'),
    );
    assert.deepEqual(nights(all, undefined, { end: 'night' }), [
      '03-01–03-05',
      '03-10–03-11',
      '03-12–03-13',
      '03-20–03-22',
    ]);
  });

  test('events shown as free can count', () => {
    const free = calendar(march('TRANSP:TRANSPARENT'));
    assert.deepEqual(nights(free, undefined, { free: 'count' }), ['03-01–03-04']);
  });

  test('what takes no nights is reported with its reason', () => {
    const { events } = read(
      calendar(
        march('TRANSP:TRANSPARENT', 'SUMMARY:Owner\\, free'),
        march('STATUS:CANCELLED'),
        event('UID:1', 'DTSTART:20270301T100000', 'DTEND:20270301T140000'),
      ),
    );
    assert.deepEqual(
      events.map(({ ignored, summary }) => [ignored, summary]),
      [
        ['free', 'Owner, free'],
        ['cancelled', ''],
        ['no_night', ''],
      ],
    );
  });
});

suite('a calendar that is not whole', () => {
  const whole = calendar(march());
  type Case = [name: string, content: string | Buffer, problems: string[], nights: string[]];
  const taken = ['03-01–03-04'];
  const cases: Case[] = [
    ['nothing', '', ['not_a_calendar'], []],
    ['a web page', '<!doctype html><title>Sign in</title>', ['not_a_calendar'], []],
    ['UTF-16', Buffer.from(`\uFEFF${whole}`, 'utf16le'), ['not_text'], []],
    ['UTF-16 without a mark', Buffer.from(whole, 'utf16le'), ['not_text'], []],
    ['cut off', whole.slice(0, -8), ['incomplete 1', 'no_begin VC 9'], taken],
    [
      'cut off within an event',
      `${whole.slice(0, -14)}BEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20270310`,
      ['incomplete 1'],
      taken,
    ],
    ['one more END', calendar(march(), 'END:VEVENT'), ['no_begin VEVENT 9'], taken],
    [
      'an event without END',
      calendar(march().replace('\nEND:VEVENT', ''), event('UID:2', 'DTSTART:20270310')),
      ['no_end VEVENT 4'],
      [...taken, '03-10–03-11'],
    ],
    ['text after the calendar', `${whole}<!-- cached -->`, ['outside 10'], taken],
    ['a line that is none', calendar(march('Ann Guest')), ['stray_line 4'], taken],
    [
      'a line without its colon',
      calendar(march('SUMMARY:a', 'DTEND20270309')),
      ['stray_line 4'],
      taken,
    ],
    [
      'a name with a wrong letter',
      calendar(march('DTENF:20270309')),
      ['damaged_name DTENF 4'],
      taken,
    ],
    [
      'a part of a name',
      calendar(march('END;VALUE=DATE:20270309')),
      ['no_begin 20270309 8'],
      taken,
    ],
    [
      'a name without its beginning',
      calendar(march('TEND:20270309')),
      ['damaged_name TEND 4'],
      taken,
    ],
    ['an event without a start', calendar(event('UID:1'), march()), ['no_start 4'], taken],
    ['a start that is no date', calendar(event('DTSTART:tomorrow')), ['bad_value DTSTART 4'], []],
    ...['20270231', '-0270310', '2027031', '20270310T250000', '20270310T1'].map((end): Case => [
      `an end that does not exist: ${end}`,
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270301', `DTEND:${end}`)),
      ['bad_value DTEND 4'],
      ['03-01–03-02'],
    ]),
    [
      'a further date that is none',
      calendar(march('RDATE;VALUE=DATE:2027041')),
      ['bad_value RDATE 4'],
      taken,
    ],
    ['a rule that is none', calendar(march('RRULE:FREQ=SOMETIMES')), ['bad_value RRULE 4'], taken],
    [
      'an end twice',
      calendar(march('DTEND;VALUE=DATE:20270306')),
      ['several_values DTEND 4'],
      ['03-01–03-06'],
    ],
    [
      'a time that ends before it begins',
      calendar(event('UID:1', 'DTSTART:20270301T100000', 'DTEND:20270227T100000')),
      ['ends_before_start 4'],
      ['03-01–03-02'],
    ],
    [
      'a date with a negative duration',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'DURATION:-P3D')),
      ['ends_before_start 4'],
      ['03-01–03-02'],
    ],
    [
      'a rule with too many occurrences',
      calendar(event('UID:1', 'DTSTART:20270201T150000Z', 'DURATION:P1D', 'RRULE:FREQ=SECONDLY')),
      ['too_complex 4'],
      ['02-01–02-02'],
    ],
    [
      'busy periods that cannot be read',
      calendar('BEGIN:VFREEBUSY', 'FREEBUSY:tomorrow', 'END:VFREEBUSY'),
      ['bad_value FREEBUSY 5'],
      [],
    ],
  ];
  for (const [name, content, problems, expected] of cases) {
    test(name, () => {
      const result = read(content);
      assert.deepEqual(
        result.problems.map(({ problem, detail, line }) =>
          [problem, detail, line].filter((one) => one !== null).join(' '),
        ),
        problems,
      );
      assert.equal(result.whole, false);
      assert.deepEqual(shown(result), expected);
    });
  }

  test('a problem names the event', () => {
    const [problem] = read(calendar(event('UID:guest@channel', 'DTSTART:2027'))).problems;
    assert.equal(problem!.uid, 'guest@channel');
  });
});
