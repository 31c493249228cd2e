#!/usr/bin/env bash
# Settings and functions of the example scripts. Each run.sh sources this file.
set -euo pipefail

CHECKOUT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CREDENTIALS=$CHECKOUT/.ganglion/credentials.json

# `npm start` writes the address and the key of its workspace. Set both variables for another service or workspace.
if [[ -z ${GANGLION_URL:-} || -z ${GANGLION_API_KEY:-} ]]; then
  [[ -f $CREDENTIALS ]] || { echo "Run npm start, or set GANGLION_URL and GANGLION_API_KEY" >&2; exit 1; }
  GANGLION_URL=$(jq -r .base_url "$CREDENTIALS")
  GANGLION_API_KEY=$(jq -r .api_key "$CREDENTIALS")
fi
export GANGLION_URL GANGLION_API_KEY

# The port of the example's own endpoint. The definitions name port 4010.
EXAMPLE_PORT=${EXAMPLE_PORT:-4010}
EXAMPLE_URL=http://127.0.0.1:$EXAMPLE_PORT

command -v ganglion >/dev/null || ganglion() { node "$CHECKOUT/cli/bin/ganglion.mjs" "$@"; }

step() { printf '\n== %s\n' "$*"; }

# Ends the script with a message and the code 3.
fail() {
  echo "$*" >&2
  exit 3
}

# Runs when the script ends. An example that leaves something behind defines at_exit.
cleanup() {
  local code=$?
  [[ -z ${ENDPOINT_PID:-} ]] || kill "$ENDPOINT_PID" 2>/dev/null || true
  ! declare -F at_exit >/dev/null || at_exit
  ((code == 0 || code == 3)) || echo "If the service refused to call the endpoint of the example, restart it:" \
    "OUTBOUND_ALLOW=127.0.0.1:$EXAMPLE_PORT npm start" >&2
  exit "$code"
}
trap cleanup EXIT

# Sends a request to the API and prints the JSON response: api GET /v1/jobs
api() {
  local method=$1 path=$2
  shift 2
  curl -sS --fail-with-body -X "$method" "$GANGLION_URL$path" -H "Authorization: Bearer $GANGLION_API_KEY" \
    -H 'Content-Type: application/json' "$@"
}

# Prints a key of a person: the variable KEY_<NAME> if it is set, otherwise a new key that expires in an hour.
key_for() {
  local name=$1 variable=KEY_${1^^} workspace
  shift
  if [[ -n ${!variable:-} ]]; then
    printf '%s' "${!variable}"
    return
  fi
  [[ -f $CREDENTIALS && $GANGLION_API_KEY == "$(jq -r .api_key "$CREDENTIALS")" ]] ||
    fail "Set $variable to a key of user:$name"
  workspace=$(jq -r .workspace_slug "$CREDENTIALS")
  npm --prefix "$CHECKOUT" run --silent admin -- api-key create --workspace "$workspace" --name "example-$name" \
    --actor "user:$name" --role builder --expires "$(date -u -d '+1 hour' +%FT%TZ)" --json "$@" | jq -r .api_key
}

# Creates or updates the resources of the example.
apply_definitions() {
  sed "s/127.0.0.1:4010/127.0.0.1:$EXAMPLE_PORT/g" definitions.yaml | ganglion apply -f -
}

# Starts server.mjs in the background. It ends with the script.
start_endpoint() {
  ! curl -s -o /dev/null "$EXAMPLE_URL" || fail "Port $EXAMPLE_PORT is in use. Set EXAMPLE_PORT to another one."
  node server.mjs "$EXAMPLE_PORT" "$@" &
  ENDPOINT_PID=$!
  for _ in {1..100}; do
    kill -0 "$ENDPOINT_PID" 2>/dev/null || fail "The endpoint of the example ended"
    curl -sf -o /dev/null "$EXAMPLE_URL/health" && return
    sleep 0.1
  done
  fail "The endpoint of the example did not start"
}

# Calls a command every half second until it prints something, for at most two minutes. Prints that.
wait_for() {
  local value
  for _ in {1..240}; do
    value=$("$@") && [[ -n $value ]] && {
      printf '%s\n' "$value"
      return
    }
    sleep 0.5
  done
  fail "Nothing after two minutes: $*"
}

# Prints the id of the open task of a run, or nothing. A second argument names the node.
open_task() {
  api GET "/v1/interventions?status=open&job_id=$1" |
    jq -r --arg node "${2:-}" '[.data[] | select($node == "" or .node_id == $node)][0].interventionId // empty'
}

wait_for_task() { wait_for open_task "$@"; }

# Prints the status of a run once it has ended.
ended_status() {
  api GET "/v1/jobs/$1" | jq -r '.status | select(. == "completed" or . == "failed")'
}

wait_for_end() { wait_for ended_status "$@"; }
