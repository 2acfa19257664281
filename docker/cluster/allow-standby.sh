#!/usr/bin/env bash
# Run once by PostgreSQL's image when the primary's folder is made: the standby may copy it, and from the next start on
# nothing is acknowledged that the standby does not have.
set -euo pipefail
echo "host replication triquetra all scram-sha-256" >> "$PGDATA/pg_hba.conf"
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --command "ALTER SYSTEM SET synchronous_standby_names = '*'"
