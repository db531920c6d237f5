#!/usr/bin/env bash
# Restores a dump of a running portal into a new cluster, of the same or another version of PostgreSQL, and checks it:
#   FROM_URL=postgres://rogatka@db.example/rogatka DATA_DIR=/srv/rogatka PG_BIN=/usr/lib/postgresql/18/bin deploy/drills/dump.sh
# Needs psql, pg_dump and pg_restore of the version of the server or newer.

# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

say drill "dump and restore, $(date -u +%FT%TZ)"
say source "PostgreSQL $(version_of "$FROM_URL"), $(megabytes_of "$FROM_URL") MB"

# The dump and the rows that it has to have are of one snapshot, which a connection keeps.
coproc SESSION { psql -XAtq -d "$FROM_URL"; }
echo 'begin isolation level repeatable read read only; select pg_export_snapshot();' >&"${SESSION[1]}"
read -r snapshot <&"${SESSION[0]}"
expected=$(hashes_of "$FROM_URL" "set transaction snapshot '$snapshot';")

begun=$SECONDS
pg_dump -Fc --snapshot="$snapshot" -f "$SCRATCH/rogatka.dump" "$FROM_URL"
say dump "$(du -sm "$SCRATCH/rogatka.dump" | cut -f1) MB, $((SECONDS - begun)) s"
echo '\q' >&"${SESSION[1]}"
copy_files

"$PG_BIN/initdb" -D "$DATA" --username=postgres --auth=trust --encoding=UTF8 --locale=C >"$SCRATCH/initdb.log"
start_server
psql -XAtq -d "postgres:///postgres?$SOCKET&user=postgres" -c 'create database rogatka'
begun=$SECONDS
pg_restore --no-owner --no-privileges --exit-on-error -d "$RESTORED_URL" "$SCRATCH/rogatka.dump"
took=$((SECONDS - begun))
say restored "PostgreSQL $(version_of "$RESTORED_URL"), $(megabytes_of "$RESTORED_URL") MB, $took s"

if difference=$(diff <(echo "$expected") <(hashes_of "$RESTORED_URL")); then
  say rows "$(awk '{ sum += $2 } END { print sum }' <<<"$expected") in $(wc -l <<<"$expected") tables, all equal by their hashes"
else
  fail rows "$difference"
fi
check_all
end_drill
