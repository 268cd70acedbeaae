/** What staff note about a reservation. It can be about the guest, so the text is sealed. */
import { randomUUID } from 'node:crypto';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, oneRow } from '../../platform/postgres/statement-functions.ts';
import type { SealedColumn } from '../../platform/postgres/sealed-columns.ts';

const contextOf = (noteId: string): string => `note ${noteId}`;

const insertStatement: Statement = {
  name: 'insert-reservation-note',
  text: `WITH named AS (
      SELECT reference, application_id FROM reservations WHERE reference = $2
    ), added AS (
      INSERT INTO reservation_notes (note_id, reference, author, text_sealed)
      SELECT $1, reference, $3, $4 FROM named
      WHERE (SELECT count(*) FROM reservation_notes n WHERE n.reference = $2) < ${operatorLimits.notesOfReservation}
      RETURNING created_at
    )
    SELECT named.application_id AS "applicationId", added.created_at AS at
    FROM named LEFT JOIN added ON true`,
};

/** A note that was just stored. */
export interface StoredNote {
  noteId: string;
  applicationId: string;
  /** Null: the reservation has too many notes, and nothing was stored. */
  at: EpochMs | null;
}

/** Stores a note. Undefined: there is no such reservation. */
export async function insertNote(
  executor: Executor,
  { reference, author, text }: { reference: string; author: string; text: string },
): Promise<StoredNote | undefined> {
  const noteId = randomUUID();
  const sealed = executor.vault.seal('guest', text, contextOf(noteId));
  const values = [noteId, reference, author, sealed];
  const [row] = await executor.query<Omit<StoredNote, 'noteId'>>(insertStatement, values);
  return row && { noteId, ...row };
}

/** Removes a note. Undefined: the reservation has none with this ID. */
export const deleteNote = oneRow<
  [of: { reference: string; noteId: string }],
  { applicationId: string; author: string }
>({
  name: 'delete-reservation-note',
  text: `DELETE FROM reservation_notes n USING reservations r
    WHERE n.note_id = $1 AND n.reference = $2 AND r.reference = n.reference
    RETURNING r.application_id AS "applicationId", n.author`,
  values: ({ reference, noteId }) => [noteId, reference],
});

/** A note of a reservation. */
export interface ListedNote {
  noteId: string;
  author: string;
  text: string;
  at: EpochMs;
}

/** Lists the notes of a reservation, oldest first. */
export const listNotes = manyRows<
  [reference: string],
  Omit<ListedNote, 'text'> & { sealed: Buffer },
  ListedNote
>({
  name: 'list-reservation-notes',
  text: `SELECT note_id AS "noteId", author, text_sealed AS sealed, created_at AS at
    FROM reservation_notes WHERE reference = $1 ORDER BY created_at, note_id`,
  result: ({ sealed, ...note }, { vault }) => ({
    ...note,
    text: vault.open('guest', sealed, contextOf(note.noteId)),
  }),
});

const listOfManyStatement: Statement = {
  name: 'list-notes-of-reservations',
  text: `SELECT note_id AS "noteId", reference, text_sealed AS sealed FROM unnest($1::text[]) named
    CROSS JOIN LATERAL (
      SELECT * FROM reservation_notes WHERE reference = named ORDER BY created_at, note_id OFFSET 0) n`,
};

/** The texts of the notes of each reservation that has some, oldest first. */
export async function listNotesOf(
  executor: Executor,
  references: readonly string[],
): Promise<Map<string, string[]>> {
  type Row = { noteId: string; reference: string; sealed: Buffer };
  const rows = await executor.query<Row>(listOfManyStatement, [references]);
  const notes = Map.groupBy(rows, ({ reference }) => reference);
  // If one note cannot be decrypted, staff still see the others.
  const textsOf = ({ noteId, sealed }: Row): string[] => {
    try {
      return [executor.vault.open('guest', sealed, contextOf(noteId))];
    } catch {
      return [];
    }
  };
  return new Map([...notes].map(([reference, found]) => [reference, found.flatMap(textsOf)]));
}

/** The texts of notes. */
export const sealedNotes: readonly SealedColumn[] = [
  {
    table: 'reservation_notes',
    column: 'text_sealed',
    purpose: 'guest',
    key: { note_id: 'uuid' },
    context: ([noteId]) => contextOf(noteId!),
  },
];
