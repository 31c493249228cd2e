#!/usr/bin/env bash
# Fires the nightly sync twice for one day: the second run fails at its last step, and its earlier steps are undone.
cd "$(dirname "$0")"
source ../common.sh

step "Start the endpoints and apply the definitions"
start_endpoint
apply_definitions

step "Times of the schedule once it is not paused"
ganglion triggers preview nightly-sync --json | jq -r ".times[:3][]"

# Fires the trigger as if it were its time, and prints the run.
fire() {
  api POST /v1/triggers/nightly-sync/fire --data '{"event": {"scheduled_at": "2026-03-14T01:30:00.000Z"}}' | jq -r .job_id
}

step "First run: the shop fails once, and the call is retried"
job=$(fire)
ganglion jobs result "$job"
api GET "/v1/jobs/$job" | jq -r '.nodes[] | select(.status == "completed") | "\(.key)\tattempts: \(.attempt)"'

step "Second run for the same day: the ledger refuses it"
second=$(fire)
echo "The run has $(wait_for_end "$second")"
api GET "/v1/jobs/$second" | jq -r .failedReason

step "Receipt: what was undone, last step first"
api GET "/v1/jobs/$second" | jq -r '.receipt[] | "\(.outcome)\t\(.key)\t\(.message // "")"'

step "Left at the endpoints: the reservation and the labels of the first run only"
curl -s "$EXAMPLE_URL/state" | jq -c .
