#!/usr/bin/env bash
# The website of a museum embeds the chat. In a terminal, the website runs until you press Enter.
cd "$(dirname "$0")"
source ../common.sh

# Sends a request as a page of an origin does: visitor https://www.example.com POST /v1/public/...
visitor() {
  local origin=$1
  shift
  GANGLION_API_KEY=$token api "$@" -H "Origin: $origin"
}

step "Apply the definitions"
apply_definitions

step "Create a share token for pages of $EXAMPLE_URL"
shared=$(ganglion share-tokens create museum --target receptor/museum --max-uses 100 --allowed-origins "$EXAMPLE_URL" --json)
token=$(jq -r .share_token <<<"$shared")
token_id=$(jq -r .id <<<"$shared")
at_exit() { ganglion share-tokens revoke "$token_id" --yes; }
slug=$(ganglion whoami --json | jq -r .workspace.slug)

step "Start the website, which embeds the chat"
start_endpoint "$GANGLION_URL" "$slug/museum" "$token"
curl -sf "$EXAMPLE_URL" | grep -q "widget.js" || fail "The page does not embed the chat"
curl -sf -o /dev/null "$GANGLION_URL/v1/public/widget.js" || fail "The service does not serve the chat"

step "A page of the website asks when the museum opens"
run=$(visitor "$EXAMPLE_URL" POST "/v1/public/receptors/$slug/museum/invoke" --data '{"message": "When do you open?"}')
trace=$(jq -r .trace_id <<<"$run")
replies() { visitor "$EXAMPLE_URL" GET "/v1/public/traces/$trace" | jq -r '.messages[] | select(.role == "assistant") | .text'; }
wait_for replies

step "A page of another website is rejected"
{ visitor https://evil.example GET "/v1/public/traces/$trace" || true; } 2>/dev/null | jq -r .message

if [[ -t 0 ]]; then
  step "Open $EXAMPLE_URL in a browser. Press Enter to stop the website."
  read -r
fi

step "Revoke the share token"
