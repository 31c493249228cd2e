#!/bin/sh
# Makes or updates Temporal's two databases in the Postgres of docker-compose.yml. Repeatable: each step says what is
# there already and goes on. Reads POSTGRES_SEEDS, POSTGRES_USER and SQL_PASSWORD.
set -eu

schema() {
  database=$1
  versions=$2
  tool="temporal-sql-tool --plugin postgres12 --ep $POSTGRES_SEEDS -p 5432 -u $POSTGRES_USER --db $database"
  $tool create
  # Refused when the schema is already there; the update below then finds it.
  $tool setup-schema -v 0.0 || true
  $tool update-schema -d "/etc/temporal/schema/postgresql/v12/$versions/versioned"
}

schema temporal temporal
schema temporal_visibility visibility
