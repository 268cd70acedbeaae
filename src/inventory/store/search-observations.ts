import type { Party } from '../../pricing/index.ts';
import { hasRow, noRows } from '../../platform/postgres/statement-functions.ts';

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

/** Records a search. */
export const insertObservation = noRows<[observation: SearchObservation]>({
  name: 'insert-observation',
  text: `INSERT INTO search_observations (observation_id, application_id, journey_id, check_in,
      check_out, party, collection_id, results) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  values: (observation) => [
    observation.observationId,
    observation.applicationId,
    observation.journeyId,
    observation.checkIn,
    observation.checkOut,
    JSON.stringify(observation.party),
    observation.collectionId,
    observation.results,
  ],
});

/** Whether the application made this search. */
export const observationExists = hasRow<[applicationId: string, observationId: string]>({
  name: 'observation-exists',
  text: `SELECT 1 FROM search_observations WHERE application_id = $1 AND observation_id = $2`,
});
