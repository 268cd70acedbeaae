/** What reads mean for events: as a table of reads over time. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Original } from './echoes.ts';
import {
  decideEvents,
  type CalendarState,
  type DecidedEvent,
  type EventRead,
  type IgnoredBecause,
  type KnownEvent,
} from './events.ts';

const today = 100;
const minute = 60_000;
const hour = 60 * minute;
const begin = 1_000_000_000_000;

type Shown = [uid: string, from: number, to: number, ignored?: IgnoredBecause];

/** One calendar whose reads are decided one after the other. */
class Calendar {
  known: KnownEvent[] = [];
  originals: Original[] = [];
  now = begin;
  state: CalendarState = {
    exportedAt: null,
    fetchedAt: null,
    ownDomains: ['ours.latchkey'],
    shrunkSince: null,
    isKept: false,
    hasNewOptions: false,
  };

  #decide(read: EventRead): number {
    const { known, state, originals, now } = this;
    const decided = decideEvents({ read, known, calendar: state, originals, today, now });
    this.state = {
      ...state,
      shrunkSince: decided.shrunkSince,
      isKept: decided.shrunkSince !== null && state.isKept,
      hasNewOptions: state.hasNewOptions && read.kind !== 'whole',
    };
    this.known = decided.events.map(({ state: wanted, ...event }: DecidedEvent): KnownEvent => {
      return { ...event, state: wanted === 'holds' ? 'taken' : wanted };
    });
    return decided.freed;
  }

  /** Reads after some minutes. Returns how many events are free by it. */
  read(minutes: number, kind: EventRead['kind'], ...shown: Shown[]): number {
    this.now += minutes * minute;
    const events = shown.map(([uid, from, to, ignored = null]) => {
      return { uid, from, to, summary: '', ignored };
    });
    return this.#decide({ kind, events, atOnce: false });
  }

  import(kind: 'whole' | 'damaged', ...shown: Shown[]): number {
    const events = shown.map(([uid, from, to, ignored = null]) => {
      return { uid, from, to, summary: '', ignored };
    });
    return this.#decide({ kind, events, atOnce: true });
  }

  /** The events as `uid from–to state`, by date. */
  get shown(): string[] {
    return this.known
      .toSorted((a, b) => a.from - b.from || a.to - b.to || (a.uid < b.uid ? -1 : 1))
      .map(({ uid, from, to, state, reason }) =>
        [uid, `${from}–${to}`, state, ...(reason ? [reason] : [])].join(' '),
      );
  }
}

const a: Shown = ['a', 110, 112];
const b: Shown = ['b', 120, 122];
const c: Shown = ['c', 130, 132];
const d: Shown = ['d', 140, 142];

const ignoredAs = ([uid, from, to]: Shown, ignored: IgnoredBecause): Shown => [
  uid,
  from,
  to,
  ignored,
];

function calendarWith(...shown: Shown[]): Calendar {
  const calendar = new Calendar();
  calendar.read(0, 'whole', ...shown);
  return calendar;
}

suite('an event that a whole read does not show', () => {
  // Spec: CHANNEL-3.
  test('is missing, and over at the second whole read, ten minutes later', () => {
    const calendar = calendarWith(a, b, c);
    assert.equal(calendar.read(30, 'whole', b, c), 0);
    assert.deepEqual(calendar.shown, [
      'a 110–112 missing gone',
      'b 120–122 taken',
      'c 130–132 taken',
    ]);
    assert.equal(calendar.read(9, 'whole', b, c), 0);
    assert.equal(calendar.read(1, 'whole', b, c), 1);
    assert.deepEqual(calendar.shown, ['b 120–122 taken', 'c 130–132 taken']);
  });

  test('holds its nights again as soon as a read shows it, also a damaged one', () => {
    for (const kind of ['whole', 'damaged'] as const) {
      const calendar = calendarWith(a, b, c);
      calendar.read(30, 'whole', b, c);
      calendar.read(30, kind, a);
      assert.equal(calendar.known.find(({ uid }) => uid === 'a')!.state, 'taken');
      assert.equal(calendar.read(30, 'whole', b, c), 0, 'the row has begun again');
    }
  });

  test('is over in spite of failed and damaged reads between the two', () => {
    const calendar = calendarWith(a, b, c);
    calendar.read(30, 'whole', b, c);
    calendar.read(5, 'damaged');
    assert.equal(calendar.read(30, 'whole', b, c), 1);
  });

  test('is over when content that has not changed is read again', () => {
    const calendar = calendarWith(a, b, c);
    calendar.read(30, 'whole', b, c);
    assert.equal(calendar.read(30, 'unchanged'), 1);
    assert.deepEqual(calendar.shown, ['b 120–122 taken', 'c 130–132 taken']);
  });

  const others: [name: string, shown: Shown, reason: string][] = [
    ['moved to other nights', ['a', 113, 115], 'moved'],
    ['cancelled', ignoredAs(a, 'cancelled'), 'cancelled'],
    ['shown as free', ignoredAs(a, 'free'), 'free'],
    ['named differently', ignoredAs(a, 'summary'), 'summary'],
  ];
  for (const [name, shown, reason] of others) {
    // Spec: CHANNEL-4.
    test(`is one that was ${name}`, () => {
      const calendar = calendarWith(a, b, c);
      assert.equal(calendar.read(30, 'whole', shown, b, c), 0);
      assert.ok(calendar.shown.includes(`a 110–112 missing ${reason}`), String(calendar.shown));
      assert.equal(calendar.read(30, 'whole', shown, b, c), 1);
    });
  }

  test('is none if other events have its nights', () => {
    const calendar = calendarWith(['a', 110, 114], b, c);
    calendar.read(30, 'whole', ['x', 110, 112], ['y', 112, 114], b, c);
    assert.deepEqual(calendar.shown.slice(0, 2), ['x 110–112 taken', 'y 112–114 taken']);
    assert.ok(!calendar.shown.some((one) => one.includes('missing')));
  });

  test('is none if the channel names all events differently with every read', () => {
    const calendar = calendarWith(a, b, c);
    calendar.read(30, 'whole', ['1', 110, 112], ['2', 120, 122], ['3', 130, 132]);
    assert.deepEqual(calendar.shown, ['1 110–112 taken', '2 120–122 taken', '3 130–132 taken']);
    assert.equal(calendar.known[0]!.firstSeenAt, begin);
  });

  test('is none if the channel cuts the past off it', () => {
    const calendar = calendarWith(['a', 95, 112], b, c);
    calendar.read(30, 'whole', ['a', 100, 112], b, c);
    assert.deepEqual(calendar.shown[0], 'a 100–112 taken');
    assert.equal(calendar.known.length, 3);
  });
});

suite('a read that is not whole', () => {
  // Spec: CHANNEL-2.
  test('adds, and frees nothing', () => {
    const calendar = calendarWith(a, b, c);
    for (let times = 0; times < 3; times += 1) {
      assert.equal(calendar.read(600, 'damaged', d, ignoredAs(a, 'cancelled')), 0);
    }
    assert.deepEqual(calendar.shown, [
      'a 110–112 taken',
      'b 120–122 taken',
      'c 130–132 taken',
      'd 140–142 taken',
    ]);
  });
});

suite('a calendar in which at least half of the events are missing', () => {
  // Spec: CHANNEL-5.
  test('frees nothing for six hours of such reads', () => {
    const calendar = calendarWith(a, b, c, d);
    assert.equal(calendar.read(30, 'whole', a, b), 0);
    assert.equal(calendar.state.shrunkSince, calendar.now);
    for (let hours = 1; hours < 6; hours += 1) {
      calendar.read(1, 'damaged', a);
      assert.equal(calendar.read(59, hours % 2 ? 'unchanged' : 'whole', a, b), 0);
    }
    assert.equal(calendar.read(60, 'whole', a, b), 2);
    assert.equal(calendar.state.shrunkSince, null);
    assert.deepEqual(calendar.shown, ['a 110–112 taken', 'b 120–122 taken']);
  });

  test('frees nothing either when all are missing', () => {
    const calendar = calendarWith(a, b, c);
    assert.equal(calendar.read(30, 'whole'), 0);
    assert.equal(calendar.read(300, 'whole'), 0);
    assert.equal(calendar.read(60, 'whole'), 3);
  });

  test('begins the six hours anew after a read that shows them', () => {
    const calendar = calendarWith(a, b, c, d);
    calendar.read(30, 'whole', a);
    calendar.read(300, 'whole', a, b, c, d);
    assert.equal(calendar.state.shrunkSince, null);
    calendar.read(30, 'whole', a);
    assert.equal(calendar.read(300, 'whole', a), 0);
  });

  test('is none with two events or fewer', () => {
    const calendar = calendarWith(a, b);
    calendar.read(30, 'whole');
    assert.equal(calendar.state.shrunkSince, null);
    assert.equal(calendar.read(30, 'whole'), 2);
  });

  test('stays one when other events come', () => {
    const calendar = calendarWith(a, b, c);
    const next: Shown[] = [150, 160, 170, 180, 190].map((from) => [`n${from}`, from, from + 2]);
    calendar.read(30, 'whole', ...next);
    assert.equal(calendar.read(30, 'whole', ...next), 0);
    assert.equal(calendar.read(330, 'whole', ...next), 3);
  });

  test('is none if they have moved', () => {
    const calendar = calendarWith(a, b, c);
    const moved: Shown[] = [
      ['a', 113, 115],
      ['b', 123, 125],
      ['c', 133, 135],
    ];
    calendar.read(30, 'whole', ...moved);
    assert.equal(calendar.state.shrunkSince, null);
    assert.equal(calendar.read(30, 'whole', ...moved), 3);
  });

  test('is none if it was none when they were first missed, whatever is forgotten since', () => {
    const e: Shown = ['e', 150, 152];
    const calendar = calendarWith(['a', 110, 111], ['b', 111, 112], c, d, e);
    const next: Shown[] = [['a', 111, 113], c];
    calendar.read(30, 'whole', ...next);
    assert.equal(calendar.state.shrunkSince, null);
    assert.equal(calendar.read(30, 'whole', ...next), 3);
  });

  test('is one if a channel gives all events one name', () => {
    const one: Shown[] = [110, 120, 130, 140].map((from) => ['same', from, from + 2]);
    const calendar = calendarWith(...one);
    calendar.read(30, 'whole', one[0]!);
    assert.notEqual(calendar.state.shrunkSince, null);
  });

  test('frees at once what staff accept, and what is shown again stays', () => {
    const calendar = calendarWith(a, b, c, d);
    calendar.read(30, 'whole', a);
    calendar.read(1, 'damaged', b);
    assert.equal(calendar.read(1, 'accepted'), 2);
    assert.deepEqual(calendar.shown, ['a 110–112 taken', 'b 120–122 taken']);
    assert.equal(calendar.state.shrunkSince, null);
  });

  test('frees nothing by itself if staff keep the nights, until they accept', () => {
    const calendar = calendarWith(a, b, c, d);
    calendar.read(30, 'whole', a);
    calendar.state.isKept = true;
    assert.equal(calendar.read(600, 'whole', a), 0);
    assert.equal(calendar.read(1, 'accepted'), 3);
  });
});

suite('a file that a person imports', () => {
  // Spec: CHANNEL-8.
  test('replaces at once what it blocked before', () => {
    const calendar = calendarWith(a, b, c, d);
    assert.equal(calendar.import('whole', a), 3);
    assert.deepEqual(calendar.shown, ['a 110–112 taken']);
  });

  test('frees nothing if it is damaged', () => {
    const calendar = calendarWith(a, b);
    assert.equal(calendar.import('damaged', c), 0);
    assert.equal(calendar.known.length, 3);
  });
});

// Spec: CHANNEL-7.
test('other options take effect at once, for the events that are still there', () => {
  const calendar = calendarWith(a, b, c, d);
  calendar.state.hasNewOptions = true;
  const ignored: Shown[] = [a, b, c].map(([uid, from, to]) => [uid, from, to, 'summary']);
  assert.equal(calendar.read(30, 'whole', ...ignored), 3);
  assert.ok(calendar.shown.includes('d 140–142 missing gone'));
  assert.equal(calendar.state.shrunkSince, null);
});

suite('an echo', () => {
  const stay = (from: number, to: number, at = begin): Original => {
    return { from, to, exportedFrom: at, reference: `LK-${from}`, occupancyId: `id-${from}` };
  };
  /** A channel that has read us after everything was taken. */
  function reader(...originals: Original[]): Calendar {
    const calendar = new Calendar();
    calendar.originals = originals;
    calendar.now = begin + hour;
    calendar.state.exportedAt = begin + minute;
    calendar.state.fetchedAt = begin + minute;
    return calendar;
  }

  // Spec: CHANNEL-6.
  test('has exactly the nights of a stay, of several in a row, or of another event', () => {
    const event = { ...stay(150, 155), reference: null, occupancyId: null };
    const calendar = reader(stay(110, 112), stay(120, 123), stay(123, 125), event);
    calendar.read(0, 'whole', a, ['row', 120, 125], ['x', 150, 155], ['own', 120, 124]);
    assert.deepEqual(calendar.shown, [
      'a 110–112 echo copy',
      'own 120–124 taken',
      'row 120–125 echo copy',
      'x 150–155 echo copy',
    ]);
    assert.equal(calendar.known.find(({ uid }) => uid === 'row')!.copyOf, 'LK-120, LK-123');
  });

  test('is found where several chains begin, and only one leads to its end', () => {
    const nights = [stay(120, 121), stay(120, 122), stay(121, 123), stay(122, 124), stay(124, 126)];
    const calendar = reader(...nights);
    calendar.read(0, 'whole', ['row', 120, 126], ['none', 121, 125]);
    assert.deepEqual(calendar.shown, ['row 120–126 echo copy', 'none 121–125 taken']);
  });

  test('stays one after its original has ended, until it vanishes', () => {
    const calendar = reader(stay(110, 112));
    calendar.read(0, 'whole', a, b);
    calendar.originals = [];
    calendar.read(30, 'whole', a, b);
    calendar.read(30, 'damaged', a);
    calendar.read(30, 'unchanged');
    assert.deepEqual(calendar.shown, ['a 110–112 echo copy', 'b 120–122 taken']);
    calendar.read(30, 'whole', b);
    calendar.read(30, 'whole', a, b);
    assert.deepEqual(calendar.shown, ['a 110–112 taken', 'b 120–122 taken']);
  });

  test('with other nights is an event of its own', () => {
    const calendar = reader(stay(110, 112));
    calendar.read(0, 'whole', a);
    calendar.read(30, 'whole', ['a', 110, 113]);
    assert.deepEqual(calendar.shown, ['a 110–113 taken']);
  });

  test('is none before the channel has read the stay, and one afterwards', () => {
    const calendar = reader(stay(110, 112));
    Object.assign(calendar.state, { exportedAt: null, fetchedAt: null });
    calendar.read(0, 'whole', a);
    assert.deepEqual(calendar.shown, ['a 110–112 taken']);
    Object.assign(calendar.state, { exportedAt: calendar.now, fetchedAt: calendar.now });
    calendar.read(30, 'unchanged');
    assert.deepEqual(calendar.shown, ['a 110–112 echo copy']);
  });

  test('is none that was seen before its channel can have read the stay, whatever it reads later', () => {
    const calendar = reader(stay(110, 112, begin + 30 * minute));
    calendar.read(0, 'whole', a);
    assert.deepEqual(calendar.shown, ['a 110–112 taken sale']);
    Object.assign(calendar.state, { exportedAt: calendar.now, fetchedAt: calendar.now });
    calendar.read(30, 'whole', a);
    assert.deepEqual(calendar.shown, ['a 110–112 taken sale']);
  });

  test('is none that was seen before the stay was there', () => {
    const calendar = reader();
    calendar.read(0, 'whole', a);
    calendar.originals = [stay(110, 112, calendar.now + minute)];
    Object.assign(calendar.state, {
      exportedAt: calendar.now + hour,
      fetchedAt: calendar.now + hour,
    });
    calendar.read(120, 'whole', a);
    assert.deepEqual(calendar.shown, ['a 110–112 taken sale']);
  });

  test('may have a name that only we give; without its original it takes its nights', () => {
    const calendar = reader(stay(110, 112));
    Object.assign(calendar.state, { exportedAt: null, fetchedAt: null });
    const named: Shown = ['id-110@ours.latchkey', 110, 112];
    const lost: Shown = ['id-120@ours.latchkey', 120, 122];
    calendar.read(0, 'whole', named, lost);
    assert.deepEqual(calendar.shown, [
      'id-110@ours.latchkey 110–112 echo copy',
      'id-120@ours.latchkey 120–122 taken',
    ]);
  });
});
