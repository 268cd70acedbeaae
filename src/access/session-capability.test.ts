import { dayMs } from '../contract/time.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { suite, test } from 'node:test';
import { newSessionNonce, sessionCapability, sessionRefusal } from './session-capability.ts';
import { openVault } from '../platform/vault.ts';
import { testMasterKey } from '../../test/harness/postgres.ts';

const vault = openVault(testMasterKey);
const now = Date.parse('2026-11-20T12:00:00Z');

const newSession = (at: number) => ({ nonce: newSessionNonce(), expiresAt: at + dayMs });
const newOwner = () => ({ applicationId: randomUUID(), checkoutId: randomUUID() });
const wrong = { refused: 'forbidden', details: { reason: 'session_capability' } };
const expired = { refused: 'forbidden', details: { reason: 'session_expired' } };

suite('session capability', () => {
  test('a session has a nonce of its own', () => {
    const nonces = Array.from({ length: 100 }, newSessionNonce);
    assert.ok(nonces.every((nonce) => nonce.length === 16));
    assert.equal(new Set(nonces.map((nonce) => nonce.toString('hex'))).size, 100);
  });

  test('is 32 bytes in base64url, and deriving it again gives the same', () => {
    const owner = newOwner();
    const session = newSession(now);
    const capability = sessionCapability(vault, owner, session);
    assert.match(capability, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(Buffer.from(capability, 'base64url').length, 32);
    assert.equal(sessionCapability(vault, owner, session), capability);
  });

  test('differs by application, checkout, nonce and server key, and contains none of them', () => {
    const owner = newOwner();
    const session = newSession(now);
    const others = [
      sessionCapability(vault, { ...owner, applicationId: randomUUID() }, session),
      sessionCapability(vault, { ...owner, checkoutId: randomUUID() }, session),
      sessionCapability(vault, owner, newSession(now)),
      sessionCapability(openVault(Buffer.alloc(32, 8)), owner, session),
      // Swapping the two IDs changes the capability.
      sessionCapability(
        vault,
        { applicationId: owner.checkoutId, checkoutId: owner.applicationId },
        session,
      ),
    ];
    assert.equal(new Set([...others, sessionCapability(vault, owner, session)]).size, 6);
  });

  test('is accepted until the last millisecond before it expires', () => {
    const owner = newOwner();
    const session = newSession(now);
    const capability = sessionCapability(vault, owner, session);
    const at = (time: number) => sessionRefusal(vault, owner, session, capability, time);
    assert.equal(at(now), null);
    assert.equal(at(session.expiresAt - 1), null);
    assert.deepEqual(at(session.expiresAt), expired);
    assert.deepEqual(at(session.expiresAt + dayMs), expired);
  });

  test('a missing one, another one and any flipped bit are refused', () => {
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
      'a caller without the capability does not learn whether the session has expired',
    );
  });

  test('another encoding of the last character is refused', () => {
    const owner = newOwner();
    const session = newSession(now);
    const capability = sessionCapability(vault, owner, session);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // 43 characters hold 258 bits: the last two bits are unused.
    const last = letters.indexOf(capability.at(-1)!);
    const same = capability.slice(0, -1) + letters[last ^ 1]!;
    assert.deepEqual(Buffer.from(same, 'base64url'), Buffer.from(capability, 'base64url'));
    assert.deepEqual(sessionRefusal(vault, owner, session, same, now), wrong);
  });
});
