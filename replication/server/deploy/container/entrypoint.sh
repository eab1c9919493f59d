#!/bin/bash
# The commands of EntroQ's own containers: `mem` of the older, `serve` of the newer one. Without more words the log is
# in the volume; with any, these are what the server is told. Anything else is a command of entroq.
set -eu

JAR=/opt/entroq/entroq.jar

# Whether the server is ready that has been told the same by the environment. Without TLS that takes no JVM. Of a
# member of a cluster only whether it is alive: one that has lost the others is not to be replaced for that.
healthy() {
  local page=/healthz flag=
  if tr '\0' ' ' </proc/1/cmdline | grep -q ' node '; then
    page=/healthz/live flag=--live
  fi
  if [ -n "${ENTROQ_TLS_CERT:-}${ENTROQ_CONFIG:-}" ]; then
    exec java -Xmx32m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$JAR" health $flag
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
      set -- --journal /data/entroq/journal --mkdir --periodic_snapshot 1h --journal_cleanup
    fi
    exec java -jar "$JAR" serve "$@"
    ;;
  -*)
    exec java -jar "$JAR" serve "$@"
    ;;
  *)
    exec java -jar "$JAR" "$@"
    ;;
esac
