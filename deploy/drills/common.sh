# shellcheck shell=bash
# Sourced by dump.sh and point-in-time.sh: a temporary server, and the checks of what was restored in it.
#
#   FROM_URL    database of the portal, as DATABASE_URL, but without its password, which is in ~/.pgpass
#   DATA_DIR    folder of the portal with its images
#   PG_BIN      folder of initdb, pg_ctl and postgres of the version to restore into
#   S3_URL, RETENTION_DAYS, IMAGE_RETENTION_DAYS   as the portal has them, if it does; images in a bucket are read there
#   DRILL_DIR   where the temporary server and copies are put, by default below /tmp; removed at the end

set -euo pipefail

: "${FROM_URL:?is needed: the database of the portal}" "${DATA_DIR:?is needed: the folder of its images}"
: "${PG_BIN:?is needed: the folder of initdb and pg_ctl}"
if [ "$(id -u)" -eq 0 ]; then
  echo 'Run it as another user: PostgreSQL refuses to run as root.' >&2
  exit 2
fi

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
NODE=$ROOT/node_modules/.bin/node
umask 077
SCRATCH=$(mktemp -d "${DRILL_DIR:-/tmp}/drill-XXXXXX")
DATA=$SCRATCH/data
FILES=$SCRATCH/portal
# A socket in the folder, which nobody else enters.
SOCKET="host=$("$NODE" -p 'encodeURIComponent(process.argv[1])' "$SCRATCH")&port=5432"
RESTORED_URL="postgres:///rogatka?$SOCKET&user=postgres"
FAILED=0

clean_up() {
  if [ -f "$DATA/postmaster.pid" ]; then "$PG_BIN/pg_ctl" stop -s -m immediate -D "$DATA" || true; fi
  rm -rf "$SCRATCH"
}
trap clean_up EXIT

say() { printf '%-16s %s\n' "$1:" "$2"; }

fail() {
  FAILED=1
  say "$1" "FAILED: $2"
}

# Values of a statement, one row a line.
ask() { psql -XAtq -v ON_ERROR_STOP=1 -d "$1" -c "$2"; }

version_of() { ask "$1" "select split_part(current_setting('server_version'), ' ', 1)"; }

megabytes_of() { ask "$1" "select round(pg_database_size(current_database()) / 1048576.0, 1)"; }

# "table rows" of each table that is neither a partition nor of an extension, in the order of names; those outside of
# public have their schema.
# $2: more to print of a table, an aggregate over its rows, "entry". $3: statements before, such as a snapshot. $4: a regular
# expression of the names of the tables, by default all.
rows_of() {
  psql -XAtq -v ON_ERROR_STOP=1 -d "$1" <<SQL
begin isolation level repeatable read read only;
${3:-}
set local search_path = public;
set local timezone = 'UTC';
set local datestyle = 'ISO';
set local intervalstyle = 'postgres';
set local bytea_output = 'hex';
set local extra_float_digits = 1;
select format('select concat_ws('' '', %L, count(*)${2:+, $2}) from %s entry', oid::regclass, oid::regclass)
from pg_class where relkind in ('r', 'p') and not relispartition and oid::regclass::text ~ '${4:-}'
and relnamespace::regnamespace::text !~ '^(pg_|information_schema$)'
and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
order by oid::regclass::text collate "C" \gexec
commit;
SQL
}

# "table rows hash": the sum of the hashes of all rows, so their order does not matter, and equal ones count. $2: as $3 above.
hashes_of() { rows_of "$1" 'coalesce(sum(hashtextextended((entry.*)::text, 0)), 0)' "${2:-}"; }

# Shows why the server ended or does not get ready, and ends the drill.
give_up() {
  tail -5 "$SCRATCH/server.log" >&2
  exit 1
}

# The command line wins over the configuration of the portal's server where that was copied: nothing of that server is
# listened on, written or run.
start_server() {
  local options="-c data_directory='$DATA' -c hba_file='$DATA/pg_hba.conf' -c ident_file='$DATA/pg_ident.conf'"
  options+=" -c listen_addresses='' -c port=5432 -c unix_socket_directories='$SCRATCH' -c ssl=off"
  options+=" -c external_pid_file='' -c logging_collector=off -c log_destination=stderr"
  options+=" -c archive_mode=off -c archive_cleanup_command='' -c recovery_end_command='' -c max_wal_size=4GB"
  "$PG_BIN/pg_ctl" start -s -w -t 3600 -D "$DATA" -l "$SCRATCH/server.log" -o "$options" || give_up
}

# Images are copied after the database: one without its row is harmless, a row without its image is a lost image.
copy_files() {
  mkdir "$FILES"
  if [ -n "${S3_URL:-}" ]; then
    say images 'in the bucket, read there'
    return
  fi
  if [ -d "$DATA_DIR/files" ]; then cp -a "$DATA_DIR/files" "$FILES/files"; fi
  say images "$(find "$FILES" -type f | wc -l) files, $(du -sm "$FILES" | cut -f1) MB"
}

# Runs a command of `npm run manage` on what was restored.
check() {
  local begun=$SECONDS output
  if output=$(cd "$ROOT" && DATABASE_URL=$RESTORED_URL DATA_DIR=$FILES "$NODE" api/src/manage.ts "$@" 2>&1); then
    say "$*" "holds, $((SECONDS - begun)) s; $(tail -1 <<<"$output")"
  else
    fail "$*" "$output"
  fi
}

check_all() {
  check verify
  check verify-log
  check verify evidence
}

end_drill() {
  if [ "$FAILED" -ne 0 ]; then
    say result FAILED
    exit 1
  fi
  say result passed
}
