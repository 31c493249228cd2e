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

# read_setting NAME: prints the value of a setting as Compose reads it. Fails at a $ that Compose would replace with nothing.
read_setting() {
  NAME=$1 awk '
    { end = index($0, "="); if (end > 1) values[substr($0, 1, end - 1)] = substr($0, end + 1) }
    END { value = expand(values[ENVIRON["NAME"]], 0); if (failed) exit 1; printf "%s", value }
    function expand(text, depth,    quote, at, rest, result) {
      quote = substr(text, 1, 1)
      if (length(text) > 1 && quote == substr(text, length(text)) && (quote == "\"" || quote == "\047")) {
        text = substr(text, 2, length(text) - 2)
        if (quote == "\047") return text
      }
      while (at = index(text, "$")) {
        rest = substr(text, at + 1)
        result = result substr(text, 1, at - 1)
        if (substr(rest, 1, 1) == "$") { result = result "$"; text = substr(rest, 2) }
        else if (depth < 5 && match(rest, /^[{][A-Z_]+[}]/) && substr(rest, 2, RLENGTH - 2) in values) {
          text = substr(rest, RLENGTH + 1)
          result = result expand(values[substr(rest, 2, RLENGTH - 2)], depth + 1)
        } else { failed = 1; return "" }
      }
      return result text
    }' .env
}

if $files; then
  mkdir -p secrets
  for name in API_KEY_SECRET SECRETS_ENCRYPTION_KEYS EVIDENCE_KEYS TEMPORAL_ENCRYPTION_KEYS \
    DATABASE_URL DATABASE_ADMIN_URL REDIS_URL ELASTICSEARCH_URL; do
    file=secrets/$(printf '%s' "$name" | tr '[:upper:]' '[:lower:]')
    value=$(read_setting "$name") || { echo "$name in .env contains a \$ that isn't part of \${NAME}. Write \$\$" >&2; exit 1; }
    if [ -n "$value" ]; then
      # Containers read the files as another user. The folder keeps other users of this host out.
      (umask 022 && printf '%s' "$value" > "$file")
      replace_line "$name" "#$name="
      echo "moved $name to $file"
    elif [ ! -e "$file" ]; then
      echo "$name is empty. Remove its entries from deploy/docker-compose.secrets.yml" >&2
    fi
  done
fi
