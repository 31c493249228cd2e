#!/usr/bin/env bash
# Pays two invoices: a small one without an approval, and a large one after it.
cd "$(dirname "$0")"
source ../common.sh

step "Start the payment endpoint and apply the definitions"
start_endpoint
apply_definitions

step "Ingest the invoices"
documents=$(ganglion docs ingest invoices --path /invoices --wait --json)
jq -r '.[] | "\(.status)\t\(.file)"' <<<"$documents"
document() { jq -r --arg name "$1" '.[] | select(.file | endswith($name)).asset_id' <<<"$documents"; }

step "Run the workflow for the small invoice"
ganglion run pay-invoice -i document="$(document paper.txt)" --quiet

step "Run it for the large invoice, twice with the same idempotency key"
message_id=mail-$(date +%s%N)
job=$(ganglion run pay-invoice -i document="$(document servers.txt)" --idempotency-key "$message_id" --detach)
again=$(ganglion run pay-invoice -i document="$(document servers.txt)" --idempotency-key "$message_id" --detach)
[[ $job == "$again" ]] || fail "The repeated request started a second run"
echo "Both requests returned $job"

step "Approve the payment"
task=$(wait_for_task "$job")
ganglion inbox show "$task"
ganglion inbox answer "$task" --approve --comment "matches the purchase order"
ganglion jobs result "$job"

step "Run it again for the same invoice, as a second upload would"
second=$(ganglion run pay-invoice -i document="$(document servers.txt)" --detach)
ganglion inbox answer "$(wait_for_task "$second")" --approve
ganglion jobs result "$second"

step "Payments at the endpoint"
curl -s "$EXAMPLE_URL/payments" | jq -r '.payments[] | "\(.id)\t\(.invoice_number)\t\(.amount) \(.currency)"'
