#!/bin/sh
# Fills the empty secrets in .env with random values. Keeps all other values, so you can run it again after an upgrade.
#
#   sh generate-env.sh [--files] [FOLDER]
#
# FOLDER (default: the current folder) contains .env, or .env.example if there is no .env yet. --files then moves the
# secrets of the API and the worker from .env to files in FOLDER/secrets, for deploy/docker-compose.secrets.yml.
set -eu
umask 077

files=false
if [ "${1:-}" = --files ]; then
  files=true
  shift
fi
cd "${1:-.}"

if [ ! -e .env ]; then
  [ -e .env.example ] || { echo "There is neither .env nor .env.example in $(pwd)" >&2; exit 1; }
  cp .env.example .env
fi
chmod 600 .env

random() { head -c 32 /dev/urandom; }
hex() { random | od -An -v -tx1 | tr -d ' \n'; }
key_set() { printf '%s' "'{\"1\": \"$(random | base64 | tr -d '\n')\"}'"; }

# replace_line NAME LINE: replaces the line of a setting.
replace_line() {
  NAME=$1 LINE=$2 awk 'index($0, ENVIRON["NAME"] "=") == 1 { $0 = ENVIRON["LINE"] } 1' .env > .env.new
  mv .env.new .env
}

fill() {
  grep -q "^$1=\$" .env || return 0
  replace_line "$1" "$1=$($2)"
  echo "generated $1"
}

for name in API_KEY_SECRET POSTGRES_PASSWORD OWNER_DATABASE_PASSWORD APP_DATABASE_PASSWORD TEMPORAL_DATABASE_PASSWORD \
  REDIS_PASSWORD ELASTIC_PASSWORD; do
  fill "$name" hex
done
for name in SECRETS_ENCRYPTION_KEYS EVIDENCE_KEYS TEMPORAL_ENCRYPTION_KEYS; do
  fill "$name" key_set
done

if $files; then
  mkdir -p secrets
  # Other values may contain spaces.
  eval "$(grep -E '^[A-Z_]*(SECRET|KEYS|PASSWORD|URL)=' .env)"
  # Containers read the files as another user. The folder keeps other users of this host out.
  umask 022
  for name in API_KEY_SECRET SECRETS_ENCRYPTION_KEYS EVIDENCE_KEYS TEMPORAL_ENCRYPTION_KEYS \
    DATABASE_URL DATABASE_ADMIN_URL REDIS_URL ELASTICSEARCH_URL; do
    eval "value=\${$name:-}"
    [ -n "$value" ] || continue
    file=secrets/$(printf '%s' "$name" | tr '[:upper:]' '[:lower:]')
    printf '%s' "$value" > "$file"
    replace_line "$name" "#$name="
    echo "moved $name to $file"
  done
  chmod 600 .env
fi
