#!/bin/bash
# Health check of a container: succeeds if its process, the API or the worker, is ready. Starts no Node process.

# Succeeds if a port of this host answers GET with status 200.
answers() {
  exec 3<>"/dev/tcp/127.0.0.1/$1" || return 1
  printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" >&3
  IFS=' ' read -r -t 4 _ status _ <&3
  [ "$status" = 200 ]
}

{ answers "${WORKER_HEALTH_PORT:-8081}" /ready || answers "${PORT:-8080}" /v1/health/ready; } 2>/dev/null
