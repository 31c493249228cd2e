#!/bin/sh
# Registers the namespace that runs live in. Reads TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and RETENTION.
set -eu

temporal operator namespace describe -n "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create -n "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
