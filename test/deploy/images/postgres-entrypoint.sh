# As the image of PostgreSQL: makes the database at the first start, with a server that only its own socket reaches, then serves.
set -eu
[ $# -eq 0 ] || exec "$@"
data=/var/lib/postgresql/18/docker
if [ ! -d "$data" ]; then
  mkdir -p "${data%/*}"
  printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
  initdb --pgdata "$data.new" --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 --auth-local trust >/dev/null
  echo 'host all all all scram-sha-256' >>"$data.new/pg_hba.conf"
  pg_ctl --pgdata "$data.new" --options "-c listen_addresses='' -c unix_socket_directories=/tmp" --wait start >/dev/null
  createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
  # As slow as a small machine: longer than the interval of the health check.
  sleep 6
  pg_ctl --pgdata "$data.new" --mode fast --wait stop >/dev/null
  mv "$data.new" "$data"
fi
exec postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp
