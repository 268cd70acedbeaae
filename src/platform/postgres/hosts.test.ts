import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readServers, Servers } from './hosts.ts';

describe('servers of a database URL', () => {
  it('one server is passed on unchanged', () => {
    for (const url of [
      'postgres://ada:pw@db.example:5432/latchkey?sslmode=require',
      'postgresql:///latchkey?host=/run/postgresql&port=5433&user=ada',
      'postgres://[::1]/latchkey',
      'postgres://',
    ]) {
      assert.deepEqual(readServers(url), { urls: [url], mustWrite: false });
    }
  });

  it('several servers share user, name and parameters', () => {
    const url =
      'postgres://ada:p%40w@one:5432,[::1]:5433/latchkey?sslmode=require&target_session_attrs=read-write';
    assert.deepEqual(readServers(url), {
      urls: [
        'postgres://ada:p%40w@one:5432/latchkey?sslmode=require',
        'postgres://ada:p%40w@[::1]:5433/latchkey?sslmode=require',
      ],
      mustWrite: true,
    });
  });

  it('several sockets are lists in the parameters; one port is for all', () => {
    const path = (host: string, port: number) =>
      `postgres:///latchkey?host=${encodeURIComponent(host)}&port=${port}`;
    assert.deepEqual(readServers('postgres:///latchkey?host=/a,/b&port=1,2'), {
      urls: [path('/a', 1), path('/b', 2)],
      mustWrite: true,
    });
    assert.deepEqual(readServers('postgres:///latchkey?host=/a,/b&port=1')?.urls, [
      path('/a', 1),
      path('/b', 1),
    ]);
  });

  it('one server that must accept writes', () => {
    assert.deepEqual(readServers('postgres://one/latchkey?target_session_attrs=primary'), {
      urls: ['postgres://one/latchkey'],
      mustWrite: true,
    });
  });

  it('lists that do not fit, and servers that cannot be used, are refused', () => {
    assert.equal(readServers('postgres:///latchkey?host=/a,/b,/c&port=1,2'), null);
    assert.equal(readServers('postgres://one,other/latchkey?target_session_attrs=standby'), null);
  });
});

describe('the servers of a pool', () => {
  it('move on once for all that have tried the same server, and start again after the last', () => {
    const servers = new Servers(['one', 'other'], true);
    servers.failed('one');
    servers.failed('one');
    assert.equal(servers.current, 'other');
    servers.failed('other');
    assert.equal(servers.current, 'one');
  });
});
