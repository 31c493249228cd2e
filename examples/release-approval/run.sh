#!/usr/bin/env bash
# A signed request asks for a release. A message in Teams tells the managers. One of them sees the checks and the plan, and
# approves. A webhook reports the outcome.
cd "$(dirname "$0")"
source ../common.sh

step "Apply the definitions"
apply_definitions
bob=$(key_for bob --group group:release-managers)
admin=$(key_for admin --role admin --permission access:manage --permission interventions:read)

step "Create the outbound webhook, or enable the one of an earlier run"
webhook=$(api GET /v1/webhooks | jq -r --arg url "$EXAMPLE_URL/events" '[.data[] | select(.url == $url)][0].id // empty')
if [[ -z $webhook ]]; then
  created=$(ganglion webhooks create "$EXAMPLE_URL/events" --type job.completed --description "Release example" --json)
  webhook=$(jq -r .id <<<"$created")
  webhook_secret=$(jq -r .secret <<<"$created")
else
  webhook_secret=$(ganglion webhooks rotate "$webhook" --overlap 0 --quiet)
  ganglion webhooks update "$webhook" --enable --quiet >/dev/null
fi
at_exit() {
  ganglion webhooks update "$webhook" --disable --quiet >/dev/null
  GANGLION_API_KEY=$admin api DELETE /v1/channels/release-managers >/dev/null || true
}
start_endpoint <(printf %s "$webhook_secret")
echo "Webhook $webhook delivers job.completed to $EXAMPLE_URL/events"

step "Create the address and the secret of the inbound hook"
hook=$(ganglion triggers hook rotate-token release-requested --overlap 0 --quiet)
secret=$(ganglion triggers hook rotate-secret release-requested --overlap 0 --quiet)

step "Connect Teams, which the endpoint plays here, and send it the tasks of the release managers"
channel=$(jq -nc --arg url "$EXAMPLE_URL/teams" '{name: "release-managers", type: "teams", webhook_url: $url}')
GANGLION_API_KEY=$admin api PUT /v1/channels --data "$channel" | jq -c '{name, type, status}'
rule='{"subject": "group:release-managers", "channel": "release-managers"}'
GANGLION_API_KEY=$admin api PUT /v1/notification-rules --data "$rule" >/dev/null

step "Dry run: play the workflow with a failed check. Nothing is called."
ganglion pathways dry-run approve-release \
  --input '{"service": "billing", "version": "2.4.0", "commit": "bad1234"}' \
  --outputs '{"checks": {"status": 200, "headers": {}, "body": {"checks": [{"name": "licenses", "passed": false}]}}}' \
  --json | jq -c '{status, result, steps: [.steps[] | select(.status == "completed") | .key]}'

# Sends a signed request as a build system does, and prints the response.
request() {
  local time signature
  time=$(date +%s)
  signature=$(printf '%s.%s' "$time" "$1" | openssl dgst -sha256 -hmac "${2:-$secret}" -r | cut -d' ' -f1)
  curl -sS "$hook" -H 'Content-Type: application/json' -H "X-Time: $time" -H "X-Signature: $signature" --data "$1"
}
build=$(date +%s%N)
body=$(jq -nc --arg build "$build" '{service: "billing", version: "2.4.0", commit: "4f2a9c1", build: $build}')

step "A request with another secret is refused"
request "$body" wrong-secret | jq -c .

step "A signed request starts a run, and its copy starts none"
job=$(request "$body" | jq -r .job_id)
copy=$(request "$body" | jq -c .)
echo "$copy"
[[ $(jq -r .job_id <<<"$copy") == "$job" ]] || fail "The copy started a second run"

step "Teams shows the new task"
task=$(wait_for_task "$job")
# Prints the texts and the link of a card.
card() {
  curl -s "$EXAMPLE_URL/teams" |
    jq -c '.cards[] | [.body[].inlines[].text] + [.actions[].url] | select(.[0] | startswith("New task"))'
}
wait_for card

step "A release manager sees the checks and the plan, and approves"
ganglion inbox show "$task"
GANGLION_API_KEY=$bob ganglion inbox answer "$task" --approve --comment "after the freeze"
ganglion jobs result "$job"

step "The webhook reports the outcome"
reported() { curl -s "$EXAMPLE_URL/events" | jq -c --arg job "$job" '.events[] | select(.job.id == $job)'; }
wait_for reported

step "A commit with a failed check does not reach the manager"
bad=$(jq -nc --arg build "$build" '{service: "billing", version: "2.4.1", commit: "bad1234", build: $build}')
ganglion jobs result "$(request "$bad" | jq -r .job_id)"

step "Disable the outbound webhook, and disconnect Teams"
