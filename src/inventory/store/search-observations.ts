import type { Party } from '../../pricing/index.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A recorded search. */
export interface SearchObservation {
  observationId: string;
  applicationId: string;
  journeyId: string | null;
  checkIn: string;
  checkOut: string;
  party: Party;
  collectionId: string | null;
  results: number;
}

const insertStatement: Statement = {
  name: 'insert-observation',
  text: `INSERT INTO search_observations (observation_id, application_id, journey_id, check_in,
      check_out, party, collection_id, results) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

/** Records a search. */
export async function insertObservation(
  executor: Executor,
  observation: SearchObservation,
): Promise<void> {
  await executor.query(insertStatement, [
    observation.observationId,
    observation.applicationId,
    observation.journeyId,
    observation.checkIn,
    observation.checkOut,
    JSON.stringify(observation.party),
    observation.collectionId,
    observation.results,
  ]);
}

const existsStatement: Statement = {
  name: 'observation-exists',
  text: `SELECT 1 FROM search_observations WHERE application_id = $1 AND observation_id = $2`,
};

/** Whether the application made this search. */
export async function observationExists(
  executor: Executor,
  applicationId: string,
  observationId: string,
): Promise<boolean> {
  return (await executor.query(existsStatement, [applicationId, observationId])).length > 0;
}
