/** Defects that are planted in a database, each of which the model must see. */
import type { ModelEnvironment } from './world.ts';

const withoutJournal = [
  `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  'CREATE TRIGGER forgets BEFORE INSERT ON checkout_commands FOR EACH ROW EXECUTE FUNCTION nothing()',
];
const withoutUses = [
  `CREATE FUNCTION uncounted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'`,
  'CREATE TRIGGER uncounted BEFORE UPDATE ON promotions FOR EACH ROW EXECUTE FUNCTION uncounted()',
];
const withoutEvent = [
  `CREATE FUNCTION lost() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  `CREATE TRIGGER lost BEFORE INSERT ON events FOR EACH ROW
    WHEN (NEW.type = 'reservation.confirmed') EXECUTE FUNCTION lost()`,
];
const withJumps = [
  `CREATE FUNCTION jumps() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.version := NEW.version + 1; RETURN NEW; END'`,
  `CREATE TRIGGER jumps BEFORE UPDATE ON bookings FOR EACH ROW
    WHEN (NEW.version > OLD.version) EXECUTE FUNCTION jumps()`,
];

const withOverlaps = ['ALTER TABLE occupancies DROP CONSTRAINT occupancies_never_overlap'];
const withoutRelease = [
  `CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  `CREATE TRIGGER kept BEFORE DELETE ON occupancies FOR EACH ROW
    WHEN (OLD.kind = 'block') EXECUTE FUNCTION kept()`,
];
const withoutAdjustment = [
  `CREATE FUNCTION plain() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.adjust_percent := 0; RETURN NEW; END'`,
  'CREATE TRIGGER plain BEFORE INSERT ON applications FOR EACH ROW EXECUTE FUNCTION plain()',
];
const withoutTax = [
  `CREATE FUNCTION untaxed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  'CREATE TRIGGER untaxed BEFORE INSERT ON taxes FOR EACH ROW EXECUTE FUNCTION untaxed()',
];

const preparedOnly = (condition: string) => [
  `CREATE OR REPLACE FUNCTION has_preparation(kind text, source text) RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$ SELECT ${condition} $$`,
];
const unpreparedStays = preparedOnly(`kind = 'block' AND source NOT IN ('file', 'staff')`);
const unpreparedOutside = preparedOnly(`kind <> 'block' OR source = 'channel'`);

const withoutServing = [
  `CREATE FUNCTION unnoted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  'CREATE TRIGGER unnoted BEFORE INSERT ON outside_homes FOR EACH ROW EXECUTE FUNCTION unnoted()',
];

const withoutGaps = [
  `CREATE FUNCTION ungapped() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.members := (NEW.members::jsonb #- '{stayRules,gapMinNights}')::json; RETURN NEW; END $$`,
  'CREATE TRIGGER ungapped BEFORE INSERT OR UPDATE ON listing_members FOR EACH ROW EXECUTE FUNCTION ungapped()',
];
const withOtherPreviews = [
  `CREATE FUNCTION dearer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.preview := jsonb_set(NEW.preview::jsonb, '{difference}',
      to_jsonb(coalesce((NEW.preview->>'difference')::bigint, 0) + 1))::json; RETURN NEW; END $$`,
  'CREATE TRIGGER dearer BEFORE INSERT ON change_requests FOR EACH ROW EXECUTE FUNCTION dearer()',
];
const withoutKeeping = [
  `CREATE OR REPLACE FUNCTION keep_preparation() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
];

/** Damage to a database, and the difference that it causes. */
export const damages = {
  simulation: {
    'a journal that forgets: repeats are not known': withoutJournal,
    'uses that are not counted: promotions without end': withoutUses,
    'an event that is lost': withoutEvent,
    'a version that rises by two': withJumps,
  },
  test: {
    'two stays in one night': withOverlaps,
    'a block that cannot be removed': withoutRelease,
    'a price without the adjustment of the application': withoutAdjustment,
    'a home that has lost its taxes': withoutTax,
    'stays that have no preparation': unpreparedStays,
    'outside stays that have no preparation': unpreparedOutside,
    'outside stays that do not get what becomes free': withoutServing,
    'a home that has lost its gaps': withoutGaps,
    'a preview with another difference': withOtherPreviews,
    'holds that do not keep to preparations': withoutKeeping,
  },
} as const satisfies Record<ModelEnvironment, Record<string, readonly string[]>>;
