#!/bin/bash
# Accepts the commands of EntroQ's containers: `mem` (older) and `serve` (newer). Without arguments the log is in the
# volume /data; arguments replace that. Anything else is a command of entroq.
set -eu

ENTROQ=/opt/entroq/entroq

# Whether the server with the settings of the environment is ready. Without TLS that needs no JVM. A cluster member
# is only asked whether it is alive: one without quorum must not be replaced.
healthy() {
  local page=/healthz flag=
  if tr '\0' ' ' </proc/1/cmdline | grep -q ' node '; then
    page=/healthz/live flag=--live
  fi
  if [ -n "${ENTROQ_TLS_CERT:-}${ENTROQ_CONFIG:-}" ]; then
    JDK_JAVA_OPTIONS=-Xmx32m exec "$ENTROQ" health $flag
  fi
  exec 3<>"/dev/tcp/127.0.0.1/${ENTROQ_HTTP_PORT:-9100}"
  printf 'GET %s HTTP/1.0\r\n\r\n' "$page" >&3
  head -n 1 <&3 | grep -q ' 200 '
}

case "${1:-serve}" in
  healthy)
    healthy
    ;;
  mem | serve)
    [ $# -gt 0 ] && shift
    if [ $# -eq 0 ]; then
      set -- --data /data
      if [ -d /data/entroq ]; then
        # A volume where EntroQ's containers have theirs.
        set -- --journal /data/entroq/journal --mkdir --periodic_snapshot 1h --journal_cleanup
      fi
    fi
    exec "$ENTROQ" serve "$@"
    ;;
  -*)
    exec "$ENTROQ" serve "$@"
    ;;
  *)
    exec "$ENTROQ" "$@"
    ;;
esac
