#!/usr/bin/env bash
# The topology of compose.yaml without containers, on this machine: HAProxy, Redis, PostgreSQL, two api and two
# worker processes of the simulation. It runs the demo and a kill test through HAProxy.
#   deploy/try.sh [--seconds 20] [--seed N] [--keep]
# HAProxy and Redis are Debian's: apt-get install haproxy redis-server. PostgreSQL is the one from npm.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node_modules/.bin/node test/fleet/main.ts "$@"
