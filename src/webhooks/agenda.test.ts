import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createAgenda } from './agenda.ts';

const active = (endpointId: string, behind: boolean) => ({
  endpointId,
  applicationId: 'a',
  failing: false,
  behind,
});

/** An agenda with endpoints that had more due deliveries than slots at the last claim. */
function agendaOf(...full: readonly string[]) {
  const agenda = createAgenda();
  agenda.found(full.map((id) => active(id, true)));
  agenda.take(full);
  agenda.examined(full.map((endpointId) => ({ endpointId, more: true, claimAgain: false })));
  return agenda;
}

suite('the agenda of a deliverer', () => {
  test('makes endpoints due together whose slots became free', () => {
    const agenda = agendaOf('one', 'two', 'three');
    assert.deepEqual(['one', 'two', 'one'].map(agenda.ended), [true, true, true]);
    assert.deepEqual([...agenda.due], []);
    agenda.refill();
    assert.deepEqual([...agenda.due], ['one', 'two']);
    agenda.take(['one', 'two']);
    agenda.refill();
    assert.deepEqual([...agenda.due], []);
  });

  test('does not fill the slots of an endpoint that has nothing more to send', () => {
    const agenda = agendaOf('one');
    agenda.examined([{ endpointId: 'one', more: false, claimAgain: false }]);
    assert.equal(agenda.ended('one'), false);
    agenda.refill();
    assert.deepEqual([...agenda.due], []);
  });

  test('does not wait for free slots when something has happened', () => {
    const agenda = agendaOf('one');
    agenda.ended('one');
    agenda.happened('a');
    assert.deepEqual([...agenda.due], ['one']);
    agenda.take(['one']);
    agenda.refill();
    assert.deepEqual([...agenda.due], []);
  });

  test('forgets an endpoint that is no longer active', () => {
    const agenda = agendaOf('one');
    agenda.ended('one');
    agenda.found([]);
    agenda.refill();
    assert.deepEqual([...agenda.due], []);
  });
});
