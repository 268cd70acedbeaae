import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import ICAL from 'ical.js';
import { dateText, dayNumber } from '../../pricing/index.ts';
import { readCalendar, type ReadCalendar } from './read-calendar.ts';

const event = (...lines: string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\n');
const calendar = (...parts: string[]): string =>
  `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...parts, 'END:VCALENDAR'].join('\n')}\n`;

const read = (
  content: string | Buffer,
  timeZone: string | null = 'America/New_York',
): ReadCalendar =>
  readCalendar({
    bytes: typeof content === 'string' ? Buffer.from(content.replaceAll('\n', '\r\n')) : content,
    timeZone,
    today: dayNumber('2027-01-15'),
    ownDomain: 'ours.latchkey',
  });

/** The nights as `MM-DD–MM-DD`, of 2027 unless another year is written. */
function nights(content: string, timeZone?: string | null): string[] {
  const result = read(content, timeZone);
  assert.ok('nights' in result, JSON.stringify(result));
  const short = (day: number) => dateText(day).replace(/^2027-/, '');
  return result.nights.map(({ from, to }) => `${short(from)}–${short(to)}`);
}

const problem = (content: string | Buffer) => {
  const result = read(content);
  assert.ok('problem' in result, JSON.stringify(result));
  return [result.problem, result.detail];
};

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
      'a date with a negative duration is one night',
      calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270301', 'DURATION:-P3D')),
      ['03-01–03-02'],
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
      'an end before the start: none',
      calendar(event('UID:1', 'DTSTART:20270301T100000', 'DTEND:20270227T100000')),
      [],
    ],
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
      'METHOD:CANCEL of a second calendar in the file',
      calendar(march()) + calendar('METHOD:CANCEL', march('SEQUENCE:1')),
      [],
    ],
    [
      'other components are ignored',
      calendar('BEGIN:VTODO\nUID:1\nDTSTART;VALUE=DATE:20270301\nEND:VTODO'),
      [],
    ],
    [
      'the highest SEQUENCE of a UID counts',
      calendar(
        march('SEQUENCE:1'),
        event('UID:m', 'SEQUENCE:2', 'DTSTART;VALUE=DATE:20270310'),
        march('SEQUENCE:0'),
      ),
      ['03-10–03-11'],
    ],
    [
      'a cancellation with the highest SEQUENCE',
      calendar(march(), march('SEQUENCE:3', 'STATUS:CANCELLED')),
      [],
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
      'our own events are ignored',
      calendar(event('UID:0190@ours.latchkey', 'DTSTART;VALUE=DATE:20270301')),
      [],
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

test('the time zones of a calendar are forgotten with it', () => {
  const spelled = calendar(
    event('UID:1', 'DTSTART;TZID=asia/TOKYO:20270302T050000', 'DURATION:P2D'),
  );
  assert.deepEqual(nights(spelled), ['03-01–03-03']);
  assert.ok(!ICAL.TimezoneService.has('asia/TOKYO'));
});

test('a line that is folded within a character is one line', () => {
  const folded = Buffer.concat([
    Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:'),
    Buffer.from([0xc3, 0x0d, 0x0a, 0x20, 0xa9]),
    Buffer.from('\r\nDTSTART;VALUE=DATE:20270301\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
  ]);
  const result = read(folded);
  assert.ok('nights' in result, JSON.stringify(result));
  assert.equal(result.nights[0]!.uid, 'é');
});

test('a UID that is too long is cut to a text that can be stored as it is', () => {
  const uid = `${'a'.repeat(254)}😀`;
  const result = read(calendar(event(`UID:${uid}`, 'DTSTART;VALUE=DATE:20270301')));
  assert.ok('nights' in result);
  const [night] = result.nights;
  assert.equal(night!.uid, Buffer.from(night!.uid).toString());
  assert.equal(night!.uid.length, 255);
});

suite('a calendar that cannot be read', () => {
  const whole = calendar(march());
  const cases: [name: string, content: string | Buffer, problem: string, detail: string | null][] =
    [
      ['nothing', '', 'not_a_calendar', null],
      ['a web page', '<!doctype html><title>Sign in</title>', 'not_a_calendar', null],
      ['cut off', whole.slice(0, -8), 'incomplete', null],
      ['cut off within an event', calendar('BEGIN:VEVENT', 'UID:1'), 'incomplete', null],
      ['not UTF-8', Buffer.from([0x42, 0xff, 0xfe]), 'not_text', null],
      ['with a NUL', calendar(march('SUMMARY:a\0b')), 'not_text', null],
      [
        'a line that is none',
        calendar(march('Ann Guest arrives late')),
        'malformed',
        'a line has no name and value',
      ],
      [
        'an event without a start',
        calendar(event('UID:1')),
        'malformed',
        'an event has no DTSTART',
      ],
      [
        'a start that is no date',
        calendar(event('UID:1', 'DTSTART:tomorrow')),
        'malformed',
        'a date does not exist',
      ],
      [
        'a date that does not exist',
        calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270231')),
        'malformed',
        'a date does not exist',
      ],
      ...[' 20270310', '\t20270310', '-0270310'].map((date): (typeof cases)[number] => [
        `an end that is no date: "${date}"`,
        calendar(event('UID:1', 'DTSTART;VALUE=DATE:20270306', `DTEND;VALUE=DATE:${date}`)),
        'malformed',
        'a date does not exist',
      ]),
      [
        'a start that is no date, because it begins with a space',
        calendar(event('UID:1', 'DTSTART;VALUE=DATE: 20270306', 'DTEND;VALUE=DATE:20270310')),
        'malformed',
        'a date does not exist',
      ],
      [
        'a further date that is none',
        calendar(march('RDATE;VALUE=DATE: 20270401')),
        'malformed',
        'a date does not exist',
      ],
      [
        'an end that is a period',
        calendar(
          event('UID:1', 'DTSTART;VALUE=DATE:20270306', 'DTEND;VALUE=PERIOD:20270306T000000/P4D'),
        ),
        'malformed',
        'a value cannot be read',
      ],
      [
        'a time that does not exist',
        calendar(event('UID:1', 'DTSTART:20270301T250000', 'DURATION:P2D')),
        'malformed',
        'a date does not exist',
      ],
      [
        'a rule that is none',
        calendar(march('RRULE:FREQ=SOMETIMES')),
        'malformed',
        'a value cannot be read',
      ],
      [
        'an unknown time zone',
        calendar(event('UID:1', 'DTSTART;TZID=Atlantis/Port:20270301T150000', 'DURATION:P2D')),
        'unknown_time_zone',
        'Atlantis/Port',
      ],
      [
        'a rule with too many occurrences',
        calendar(event('UID:1', 'DTSTART:20270201T100000Z', 'RRULE:FREQ=SECONDLY')),
        'too_complex',
        null,
      ],
    ];
  for (const [name, content, expected, detail] of cases) {
    test(name, () => assert.deepEqual(problem(content), [expected, detail]));
  }
});
