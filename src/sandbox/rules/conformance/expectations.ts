/** What a scenario that runs still waits for. */
import { scenarioFacts, type ScenarioId } from '../../../contract/sandbox/scenarios.ts';
import { judgings } from './judge.ts';
import { type Play, plans } from './plays.ts';
import type { Calls } from './seen.ts';

const places: Readonly<Record<Play['at'], string>> = {
  site: 'The first read of the site, at which something is played.',
  quote: 'The first quote, at which something is played.',
  create: 'The first create of a checkout or request, at which something is played.',
  submission: 'The first submission, at which something is played.',
  read: 'The first read after the submission, at which something is played.',
  search: 'The first search, at which something is played.',
};

/** The rules that the calls of a booking have not kept yet. */
function openRules(scenario: ScenarioId, calls: Calls): string[] {
  const { rules } = scenarioFacts(scenario);
  const { awaits, judge } = judgings[scenario];
  const said = { ended: awaits[0]! };
  const found = judge({
    calls,
    said,
    book: null,
    reservations: [],
    listings: [],
    events: [],
    known: {},
    isEarly: false,
  });
  return [...new Set(found.map(({ rule, message }) => `${message} ${rules[rule] ?? rules[0]}`))];
}

/** What the judge waits for next, by the calls until now: the call at which it plays, what must follow, the outcome. */
export function expectationsOf(scenario: ScenarioId, calls: Calls): string[] {
  const { task, rules, sayWithinSeconds } = scenarioFacts(scenario);
  const { play } = plans[scenario];
  const endings = judgings[scenario].awaits.map((one) => `\`${one}\``).join(' or ');
  const outcome = `The outcome ${endings}, within ${sayWithinSeconds} seconds of the start.`;
  if (task !== 'book' || !play) return [...rules, outcome];
  const isReached = calls.some(({ isPlayed }) => isPlayed);
  return [...(isReached ? openRules(scenario, calls) : [places[play.at]]), outcome];
}
