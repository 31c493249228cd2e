#!/usr/bin/env bash
# A visitor without an account chats with the agent, answers a question, and is handed over to a person.
cd "$(dirname "$0")"
source ../common.sh

# Sends a request with the share token instead of the API key.
visitor() { GANGLION_API_KEY=$token api "$@"; }

step "Start the shop and apply the definitions"
start_endpoint
apply_definitions
sam=$(key_for sam --group group:support)

step "Create a share token for the website"
shared=$(ganglion share-tokens create website --target receptor/support --rights read,write --max-uses 20 --json)
token=$(jq -r .share_token <<<"$shared")
token_id=$(jq -r .id <<<"$shared")
at_exit() { ganglion share-tokens revoke "$token_id" --yes; }
jq -r '"Token \(.id), valid until \(.expires_at)"' <<<"$shared"
slug=$(ganglion whoami --json | jq -r .workspace.slug)

step "The visitor writes: Where is my order?"
run=$(visitor POST "/v1/public/receptors/$slug/support/invoke" --data '{"message": "Where is my order?"}')
job=$(jq -r .job_id <<<"$run")
trace=$(jq -r .trace_id <<<"$run")

step "The workflow asks the visitor for the order number"
question() { visitor GET "/v1/public/traces/$trace" | jq -c '[.tasks[] | select(.status == "open")][0] // empty'; }
task=$(wait_for question)
jq -r '.questions[].text' <<<"$task"
answer=$(jq -n --arg trace "$trace" --arg id "$(jq -r .interventionId <<<"$task")" '{trace: $trace, input: {
  type: "intervention_response", interventionId: $id, action: "answer_questions", answers: {order: "A-1042"}}}')
visitor POST "/v1/public/jobs/$job/input" --data "$answer" | jq -c '{action, decided}'

step "The agent looks up the order and answers"
replies() { visitor GET "/v1/public/traces/$trace" | jq -r --arg count "$1" \
  '[.messages[] | select(.role == "assistant")] | select(length >= ($count | tonumber)) | .[-1].text'; }
reply=$(wait_for replies 1)
echo "$reply"
[[ $reply == *December* ]] || fail "The agent did not find the order"

step "The visitor writes: I want to talk to a person."
second=$(visitor POST "/v1/public/traces/$trace" --data '{"message": "I want to talk to a person."}')

step "Sam of the support team replies"
GANGLION_API_KEY=$sam ganglion inbox answer "$(wait_for_task "$(jq -r .job_id <<<"$second")")" \
  --data '{"reply": "Hello, this is Sam. What can I do for you?"}'
wait_for replies 2

step "Revoke the share token"
