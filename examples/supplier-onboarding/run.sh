#!/usr/bin/env bash
# Onboards a large supplier: a delegated form, an escalation, and an approval by management.
cd "$(dirname "$0")"
source ../common.sh

step "Start the CRM, set the working calendar and apply the definitions"
start_endpoint
admin=$(key_for admin --role admin --permission access:manage --permission interventions:read)
GANGLION_API_KEY=$admin ganglion calendars set office --zone Europe/Berlin \
  --hours mon=09:00-17:00 --hours tue=09:00-17:00 --hours wed=09:00-17:00 --hours thu=09:00-17:00 \
  --hours fri=09:00-15:00 --holiday 2026-12-25 --holiday 2027-01-01
apply_definitions
ann=$(key_for ann)
bob=$(key_for bob)
carol=$(key_for carol --group group:management)

step "Start the run. Management may decide after three seconds instead of four working hours."
job=$(ganglion run onboard-supplier -i company="Arden & Vale" -i buyer=user:ann \
  -i escalate_after="$(date -u -d '+3 seconds' +%FT%TZ)" --detach)
echo "$job"

step "Ann delegates the form to Bob"
form=$(wait_for_task "$job" details)
api GET "/v1/interventions/$form" | jq -r '"Due at \(.due_at), three working days from now"'
GANGLION_API_KEY=$ann ganglion inbox delegate "$form" --to user:bob --comment "Bob visited the supplier"

step "The form rejects a VAT number that does not match its schema"
details='{"legal_name": "Arden & Vale Systems Ltd", "country": "GB", "vat_number": "unknown",
  "contact_email": "accounts@arden-vale.example", "yearly_spend": 120000}'
if GANGLION_API_KEY=$bob ganglion inbox answer "$form" --data "$details"; then fail "The form accepted the VAT number"; fi

step "Bob submits the form"
GANGLION_API_KEY=$bob ganglion inbox answer "$form" --data "$(jq '.vat_number = "GB123456789"' <<<"$details")"

step "Compliance does not answer, so the task is escalated to management"
review=$(wait_for_task "$job" review)
escalated() { api GET "/v1/interventions/$review" | jq -r 'select(.assignees | index("group:management")) | .title'; }
wait_for escalated

step "Carol approves for management, with payment terms"
workspace=$(ganglion whoami --json | jq -r .workspace.id)
decision=$(jq -n --arg workspace "$workspace" --arg id "$review" '{workspace_id: $workspace, input: {
  type: "intervention_response", interventionId: $id, action: "approve", data: {payment_terms: "30 days"}}}')
GANGLION_API_KEY=$carol api POST "/v1/jobs/$job/input" --data "$decision" | jq -c '{action, by, decided}'
ganglion jobs result "$job"

step "History of the two tasks"
for task in "$form" "$review"; do
  api GET "/v1/interventions/$task" | jq -r '.title, (.history[] | "  \(.at)  \(.change)  \(.by // "")")'
done
