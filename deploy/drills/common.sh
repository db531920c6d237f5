# shellcheck shell=bash
# Sourced by dump.sh and point-in-time.sh: a temporary server, and the checks of what was restored in it.
#
#   FROM_URL  database of the portal, as DATABASE_URL, but without its password, which is in ~/.pgpass
#   DATA_DIR    folder of the portal with its images
#   PG_BIN      folder of initdb, pg_ctl and postgres of the version to restore into
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
RESTORED_URL="postgres:///rogatka?host=$SCRATCH&user=postgres"
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

# "table rows" of each table that is not a partition, in the order of names. $2: statements before, such as a snapshot.
rows_of() {
  psql -XAtq -v ON_ERROR_STOP=1 -d "$1" <<SQL
begin isolation level repeatable read read only;
${2:-}
select format('select %L || '' '' || count(*) from public.%I', relname, relname)
from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
order by relname collate "C" \gexec
commit;
SQL
}

start_server() {
  "$PG_BIN/pg_ctl" start -s -w -t 3600 -D "$DATA" -l "$SCRATCH/server.log" \
    -o "-c listen_addresses='' -c unix_socket_directories='$SCRATCH' -c archive_mode=off -c max_wal_size=4GB" || {
    tail -5 "$SCRATCH/server.log" >&2
    exit 1
  }
}

# Images are copied after the database: one without its row is harmless, a row without its image is a lost image.
copy_files() {
  mkdir "$FILES"
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
