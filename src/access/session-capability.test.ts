import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { suite, test } from 'node:test';
import { newSession, sessionCapability, sessionRefusal } from './session-capability.ts';
import { openVault } from '../platform/vault.ts';
import { testMasterKey } from '../../test/harness/postgres.ts';

const vault = openVault(testMasterKey);
const now = Date.parse('2026-11-20T12:00:00Z');
const dayMs = 86_400_000;

const newOwner = () => ({ applicationId: randomUUID(), checkoutId: randomUUID() });
const wrong = { refused: 'forbidden', details: { reason: 'session_capability' } };
const expired = { refused: 'forbidden', details: { reason: 'session_expired' } };

suite('session capability', () => {
  test('a session has a nonce of its own and lasts 24 hours', () => {
    const sessions = Array.from({ length: 100 }, () => newSession(now));
    assert.ok(sessions.every(({ expiresAt }) => expiresAt === now + dayMs));
    assert.ok(sessions.every(({ nonce }) => nonce.length === 16));
    assert.equal(new Set(sessions.map(({ nonce }) => nonce.toString('hex'))).size, 100);
  });

  test('is 32 bytes in base64url, the same each time it is derived', () => {
    const owner = newOwner();
    const session = newSession(now);
    const capability = sessionCapability(vault, owner, session);
    assert.match(capability, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(Buffer.from(capability, 'base64url').length, 32);
    assert.equal(sessionCapability(vault, owner, session), capability);
  });

  test('differs by application, checkout, nonce and server key, and holds none of them', () => {
    const owner = newOwner();
    const session = newSession(now);
    const others = [
      sessionCapability(vault, { ...owner, applicationId: randomUUID() }, session),
      sessionCapability(vault, { ...owner, checkoutId: randomUUID() }, session),
      sessionCapability(vault, owner, newSession(now)),
      sessionCapability(openVault(Buffer.alloc(32, 8)), owner, session),
      // The two IDs are not interchangeable.
      sessionCapability(
        vault,
        { applicationId: owner.checkoutId, checkoutId: owner.applicationId },
        session,
      ),
    ];
    assert.equal(new Set([...others, sessionCapability(vault, owner, session)]).size, 6);
  });

  test('is taken in its time, and until its last millisecond', () => {
    const owner = newOwner();
    const session = newSession(now);
    const capability = sessionCapability(vault, owner, session);
    const at = (time: number) => sessionRefusal(vault, owner, session, capability, time);
    assert.equal(at(now), null);
    assert.equal(at(session.expiresAt - 1), null);
    assert.deepEqual(at(session.expiresAt), expired);
    assert.deepEqual(at(session.expiresAt + dayMs), expired);
  });

  test('none, another and one with any one bit flipped are refused', () => {
    const owner = newOwner();
    const session = newSession(now);
    const capability = sessionCapability(vault, owner, session);
    const refusal = (presented: string | undefined, time = now) =>
      sessionRefusal(vault, owner, session, presented, time);
    for (const presented of [undefined, '', 'x', `${capability}A`, capability.slice(0, -1)]) {
      assert.deepEqual(refusal(presented), wrong);
    }
    fc.assert(
      fc.property(fc.nat(255), (bit) => {
        const bytes = Buffer.from(capability, 'base64url');
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        assert.deepEqual(refusal(bytes.toString('base64url')), wrong);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.deepEqual(refusal(text), wrong);
      }),
    );
    assert.deepEqual(
      refusal('x', session.expiresAt),
      wrong,
      'who has it not learns nothing of time',
    );
  });

  test('the other spelling of the last letter is another text, and refused', () => {
    const owner = newOwner();
    const session = newSession(now);
    const capability = sessionCapability(vault, owner, session);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // 43 letters hold 258 bits: the last two of the last letter say nothing.
    const last = letters.indexOf(capability.at(-1)!);
    const same = capability.slice(0, -1) + letters[last ^ 1]!;
    assert.deepEqual(Buffer.from(same, 'base64url'), Buffer.from(capability, 'base64url'));
    assert.deepEqual(sessionRefusal(vault, owner, session, same, now), wrong);
  });
});
