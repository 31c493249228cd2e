#!/usr/bin/env bash
# Reviews a clause: hybrid search, an agent that cites, two approvals, and evidence that verifies without the service.
cd "$(dirname "$0")"
source ../common.sh
output=$(mktemp -d)
at_exit() { rm -rf "$output"; }

step "Apply the definitions and ingest the documents"
apply_definitions
ganglion docs ingest contracts --path /legal/contracts --wait --json | jq -r '.[] | "\(.status)\t\(.file)"'
ganglion docs ingest policies --path /legal/policies --wait --json | jq -r '.[] | "\(.status)\t\(.file)"'
searchable() {
  ganglion search "liability" --path /legal --type assets --json | jq -r '.matches | select(length >= 3) | length'
}
wait_for searchable >/dev/null
bob=$(key_for bob --group group:legal)
carol=$(key_for carol --group group:legal)

step "Start the review"
question="Is the liability of Clear Sky limited to the fees of six months?"
job=$(ganglion run review-contract -i question="$question" --detach)
task=$(wait_for_task "$job")
ganglion inbox show "$task"

step "The requester may not decide"
if ganglion inbox answer "$task" --approve; then fail "The requester could approve"; fi

step "Two members of Legal approve"
GANGLION_API_KEY=$bob ganglion inbox answer "$task" --approve --comment "The cap is below the policy. Fees are low."
GANGLION_API_KEY=$carol ganglion inbox answer "$task" --approve --comment "Agreed. Backups are ours."
ganglion jobs result "$job"

step "Export the evidence and the public keys"
ganglion inbox evidence "$task" --json >"$output/evidence.json"
api GET /v1/evidence-keys | jq -r '.data[].public_key' >"$output/keys.pem"
jq '.document | {decision: .decision.action, votes: (.votes | length), signed: .is_signed}' "$output/evidence.json"

step "Verify the evidence without a connection"
GANGLION_URL=http://127.0.0.1:9 ganglion inbox verify-evidence "$output/evidence.json" --key "$output/keys.pem"

step "A changed comment is detected"
sed 's/Backups are ours/Backups are theirs/' "$output/evidence.json" >"$output/changed.json"
if ganglion inbox verify-evidence "$output/changed.json" --key "$output/keys.pem"; then
  fail "The change was not detected"
fi
