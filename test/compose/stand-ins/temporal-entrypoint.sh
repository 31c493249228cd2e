#!/bin/sh
set -eu
TEMPORAL_BROADCAST_ADDRESS=$(getent hosts "$(hostname)" | awk '{ print $1; exit }')
export TEMPORAL_BROADCAST_ADDRESS
exec temporal-server start
