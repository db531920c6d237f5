#!/usr/bin/env bash
# Makes a base backup of a running portal, restores it to a later point by the archive of the write-ahead log, and checks
# it. The portal writes meanwhile; what it wrote after the point must not be restored.
#   FROM_URL=postgres://postgres@db.example/rogatka DATA_DIR=/srv/rogatka ARCHIVE=/srv/wal PG_BIN=/usr/lib/postgresql/18/bin deploy/drills/point-in-time.sh
# FROM_URL is that of a superuser. ARCHIVE is where archive_command puts the log. Needs psql, and pg_basebackup of the version of the server.

# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

: "${ARCHIVE:?is needed: the folder of the archived log}"

# Rows are only added to these, except by retention: a point between two counts has a number between them.
ADDED='^(access_trail|audit|evidence_anchor|log_seal|passage_seal|traffic_hour|vehicle|vehicle_detail|vehicle_image)$'
added_rows() { rows_of "$1" '' '' "$ADDED"; }

# Vehicles that were ever stored, by the statistics of the server: counting a hundred million each second would slow the portal.
stored_vehicles() {
  ask "$FROM_URL" "select coalesce(sum(n_tup_ins), 0) from pg_stat_user_tables where schemaname = 'public' and relname ~ '^vehicle(_[0-9]|$)'"
}

say drill "point-in-time recovery, $(date -u +%FT%TZ)"
say source "PostgreSQL $(version_of "$FROM_URL"), $(megabytes_of "$FROM_URL") MB"

begun=$SECONDS
pg_basebackup -d "$FROM_URL" -D "$DATA" -X none --checkpoint=fast --no-manifest 2>"$SCRATCH/backup.log" || {
  cat "$SCRATCH/backup.log" >&2
  exit 1
}
say 'base backup' "$(du -sm "$DATA" | cut -f1) MB, $((SECONDS - begun)) s"
in_backup=$(stored_vehicles)

# The point is after vehicles that only the log has, and before others.
wait_for_vehicles() {
  local from=$1 limit=$((SECONDS + 300)) vehicles
  while vehicles=$(stored_vehicles) && [ "$vehicles" -le "$from" ]; do
    if [ "$SECONDS" -gt "$limit" ]; then
      echo 'No vehicle has arrived for 5 minutes: the drill needs a portal that stations send to.' >&2
      exit 1
    fi
    sleep 1
  done
  [ -n "$vehicles" ]
}
wait_for_vehicles "$in_backup"
before=$(added_rows "$FROM_URL")
point="drill_$(date -u +%Y%m%d_%H%M%S)"
ask "$FROM_URL" "select pg_create_restore_point('$point')" >"$SCRATCH/point"
after=$(added_rows "$FROM_URL")
wait_for_vehicles "$(stored_vehicles)"
copy_files
segment=$(ask "$FROM_URL" 'select pg_walfile_name(pg_switch_wal())')
limit=$((SECONDS + 300))
until [ -f "$ARCHIVE/$segment" ]; do
  if [ "$SECONDS" -gt "$limit" ]; then
    echo "$segment was not archived: see pg_stat_archiver." >&2
    exit 1
  fi
  sleep 1
done

# The configuration is not in the backup if it is outside of the data folder, as in Debian. Recovery stops where these
# settings are lower than those of the portal's server, which its command line may have set.
touch "$DATA/postgresql.conf"
# What an earlier recovery has left there would contradict this one, or follow the portal's server.
touch "$DATA/postgresql.auto.conf"
sed -i -E '/^(recovery_|restore_command|primary_)/d' "$DATA/postgresql.auto.conf"
ask "$FROM_URL" "select format('%s = %s', name, setting) from pg_settings where name in
  ('max_connections', 'max_worker_processes', 'max_wal_senders', 'max_prepared_transactions', 'max_locks_per_transaction')" >>"$DATA/postgresql.auto.conf"
cat >>"$DATA/postgresql.auto.conf" <<CONF
restore_command = 'cp "$ARCHIVE/%f" "%p"'
recovery_target_name = '$point'
recovery_target_action = 'promote'
CONF
touch "$DATA/recovery.signal"
echo 'local all all trust' >"$DATA/pg_hba.conf"
: >"$DATA/pg_ident.conf"
database=$(ask "$FROM_URL" 'select current_database()')
user=$(ask "$FROM_URL" 'select current_user')
RESTORED_URL="postgres:///$database?$SOCKET&user=$user"
begun=$SECONDS
start_server
limit=$((SECONDS + 3600))
until [ "$(ask "$RESTORED_URL" 'select pg_is_in_recovery()')" = f ]; do
  if [ "$SECONDS" -gt "$limit" ] || ! "$PG_BIN/pg_ctl" status -D "$DATA" >"$SCRATCH/status"; then
    echo 'The restore point was not reached:' >&2
    give_up
  fi
  sleep 1
done
say restored "PostgreSQL $(version_of "$RESTORED_URL"), $(megabytes_of "$RESTORED_URL") MB, $((SECONDS - begun)) s"

restored=$(added_rows "$RESTORED_URL")
if paste -d ' ' <(echo "$before") <(echo "$restored") <(echo "$after") | awk '$4 < $2 || $4 > $6 { print; bad = 1 } END { exit bad }' >"$SCRATCH/rows"; then
  say rows "$(wc -l <<<"$restored") tables with numbers of rows between those right before and right after the point; vehicles: $(awk '$1 == "vehicle" { print $2 }' <<<"$restored"), $(($(stored_vehicles) - in_backup)) stored since the base backup"
else
  fail rows "$(cat "$SCRATCH/rows")"
fi
check_all
end_drill
