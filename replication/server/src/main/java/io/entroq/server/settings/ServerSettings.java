package io.entroq.server.settings;

import io.entroq.api.Durability;
import io.entroq.server.logging.LogFormat;
import io.entroq.server.logging.LogLevel;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * All settings of a server. What is not said otherwise stands here in the order in which the help
 * has it.
 */
public final class ServerSettings {
  private static final int PORT_MAX = 65_535;
  private static final long TIB = 1L << 40;
  private static final Duration DAY = Duration.ofDays(1);

  // ---- Where it listens.

  public static final Setting<String> HOST =
      optional(
          Section.LISTENING,
          "host",
          Kinds.text("ADDRESS"),
          "all",
          "The address of this machine to listen on.");

  public static final Setting<Integer> PORT =
      standard(
          Section.LISTENING,
          "port",
          Kinds.number("PORT", 0, PORT_MAX),
          "37706",
          "Where gRPC listens; 0: any free port.");

  public static final Setting<Integer> HTTP_PORT =
      standard(
          Section.LISTENING,
          "http-port",
          Kinds.number("PORT", 0, PORT_MAX),
          "9100",
          "Where HTTP listens: REST, Connect, /metrics, /healthz; 0: any free port.");

  public static final Setting<Integer> MAX_SIZE_MB =
      standard(
          Section.LISTENING,
          "max-size-mb",
          Kinds.number("MIB", 1, 256),
          "10",
          "How long a request may be, and an answer, in MiB.");

  // ---- What it keeps, and where.

  public static final Setting<Path> DATA =
      optional(
          Section.STORE,
          "data",
          Kinds.path("DIR"),
          "none, the queue is kept in memory and is gone when the process ends",
          "The data directory, which is made if need be.");

  public static final Setting<Path> JOURNAL =
      optional(
          Section.STORE,
          "journal",
          Kinds.path("DIR"),
          "none",
          "The same by EntroQ's name. As there, it has to exist, or to be made by --mkdir.");

  public static final Setting<Boolean> MKDIR =
      off(Section.STORE, "mkdir", "Makes the directory of --journal if it does not exist.");

  public static final Setting<Durability> DURABILITY =
      optional(
          Section.STORE,
          "durability",
          Kinds.choice("LEVEL", Durability.class),
          "disk with a directory, else none",
          "What is true before a caller is told that something is done: none; os: it survives a"
              + " crash of the process; disk: it survives loss of power.");

  public static final Setting<Duration> SNAPSHOT_INTERVAL =
      standard(
          Section.STORE,
          "snapshot-interval",
          Kinds.span(Duration.ofSeconds(1), Duration.ofDays(366)),
          "10m",
          "After which time a log that has grown gets a snapshot. What that replaces is deleted.");

  public static final Setting<Duration> PERIODIC_SNAPSHOT =
      optional(
          Section.STORE,
          "periodic-snapshot",
          Kinds.span(Duration.ZERO, Duration.ofDays(366)),
          "none",
          "The same by EntroQ's name; less than a minute counts as a minute.");

  public static final Setting<Boolean> SNAPSHOT_AND_QUIT =
      off(
          Section.STORE,
          "snapshot-and-quit",
          "Takes a snapshot and ends, without serving anybody.");

  public static final Setting<Long> SNAPSHOT_LOG_BYTES =
      standard(
          Section.STORE,
          "snapshot-log-bytes",
          Kinds.bytes(64 << 10, TIB),
          "256MiB",
          "By how much the log grows between two snapshots, or by half of the live data if that is"
              + " more.");

  public static final Setting<Long> READER_BYTES_MAX =
      standard(
          Section.STORE,
          "reader-bytes-max",
          Kinds.bytes(0, TIB),
          "1GiB",
          "How much of the log a backup that is being taken may keep from being deleted.");

  public static final Setting<Long> SEGMENT_BYTES =
      standard(
          Section.STORE,
          "segment-bytes",
          Kinds.bytes(64 << 10, 1 << 30),
          "64MiB",
          "How large a file of the log becomes.");

  public static final Setting<Boolean> ACCEPT_CLOCK =
      off(
          Section.STORE,
          "accept-clock",
          "Starts though the clock is more than a minute behind the newest record.");

  public static final Setting<Boolean> JOURNAL_CLEANUP =
      off(
          Section.STORE,
          "journal-cleanup",
          "EntroQ's; without effect, as what a snapshot replaces is always deleted.");

  public static final Setting<Long> JOURNAL_MAX_ITEMS =
      standard(
          Section.STORE,
          "journal-max-items",
          Kinds.count("N", Long.MAX_VALUE),
          "0",
          "EntroQ's; without effect, as files of the log end by --segment-bytes.");

  public static final Setting<Long> JOURNAL_MAX_BYTES =
      standard(
          Section.STORE,
          "journal-max-bytes",
          Kinds.count("N", Long.MAX_VALUE),
          "0",
          "EntroQ's; without effect, as files of the log end by --segment-bytes.");

  // ---- Encryption.

  public static final Setting<Path> TLS_CERT =
      optional(
          Section.TLS,
          "tls-cert",
          Kinds.path("FILE"),
          "none, no TLS",
          "The server's certificate and those above it, PEM. Both ports speak TLS only then. A file"
              + " that has changed is taken within half a minute.");

  public static final Setting<Path> TLS_KEY =
      optional(
          Section.TLS,
          "tls-key",
          Kinds.path("FILE"),
          "none",
          "The key of that certificate, PEM, PKCS #8, without a password.");

  public static final Setting<Path> TLS_CLIENT_CA =
      optional(
          Section.TLS,
          "tls-client-ca",
          Kinds.path("FILE"),
          "none, callers need no certificate",
          "Certificates, PEM. Callers have to show one that is signed by one of these.");

  // ---- Who may do what.

  public static final Setting<AuthorizerName> AUTHZ =
      standard(
          Section.AUTHORIZATION,
          "authz",
          Kinds.choice("NAME", AuthorizerName.class),
          "none",
          "Who is asked whether a caller may do something: none; opahttp: an Open Policy Agent.");

  public static final Setting<URI> OPA_URL =
      standard(
          Section.AUTHORIZATION,
          "opa-url",
          Kinds.url("URL"),
          "http://localhost:8181",
          "Where that agent is.");

  public static final Setting<String> OPA_PATH =
      standard(
          Section.AUTHORIZATION,
          "opa-path",
          Kinds.text("PATH"),
          "/v1/data/entroq/authz",
          "Where its policy is.");

  public static final Setting<Duration> OPA_TIMEOUT =
      standard(
          Section.AUTHORIZATION,
          "opa-timeout",
          Kinds.span(Duration.ofMillis(1), DAY),
          "5s",
          "After which time no answer of that agent is a no.");

  public static final Setting<Boolean> OPA_FORWARD =
      on(
          Section.AUTHORIZATION,
          "opa-forward",
          "Whether the agent gets the caller's Authorization header as its own.");

  public static final Setting<Boolean> AUTHZ_ALL =
      off(
          Section.AUTHORIZATION,
          "authz-all",
          "Asks about docs and statistics too, which EntroQ's own server lets everybody have.");

  // ---- How much at a time.

  public static final Setting<Long> VALUE_BYTES_MAX =
      standard(
          Section.BOUNDS,
          "value-bytes-max",
          Kinds.bytes(1, 8 << 20),
          "1MiB",
          "How long the value of a task may be.");

  public static final Setting<Long> COMMAND_BYTES_MAX =
      standard(
          Section.BOUNDS,
          "command-bytes-max",
          Kinds.bytes(1 << 10, 8 << 20),
          "8MiB",
          "How long a Modify may be, as the log has it.");

  public static final Setting<Long> QUEUE_TASKS_MAX =
      standard(
          Section.BOUNDS,
          "queue-tasks-max",
          Kinds.count("N", 1L << 46),
          "0",
          "How many tasks a queue may have; 0: any number.");

  public static final Setting<Long> MEMORY_BYTES_MAX =
      optional(
          Section.BOUNDS,
          "memory-bytes-max",
          Kinds.bytes(1 << 20, TIB),
          "seven eighths of -XX:MaxDirectMemorySize, or of the heap",
          "How much memory outside the heap tasks may take. Past it, inserts are refused.");

  public static final Setting<Long> DISK_LOW_BYTES =
      standard(
          Section.BOUNDS,
          "disk-low-bytes",
          Kinds.bytes(0, TIB),
          "256MiB",
          "With less free on the disk, inserts are refused.");

  public static final Setting<Long> DISK_FULL_BYTES =
      standard(
          Section.BOUNDS,
          "disk-full-bytes",
          Kinds.bytes(0, TIB),
          "64MiB",
          "With less free on the disk, everything but reads is refused.");

  public static final Setting<Integer> CONNECTIONS_MAX =
      standard(
          Section.BOUNDS,
          "connections-max",
          Kinds.number("N", 1, 1 << 20),
          "4096",
          "How many connections each of the two ports has. One more is cut at once.");

  public static final Setting<Integer> CONNECTION_CALLS_MAX =
      standard(
          Section.BOUNDS,
          "connection-calls-max",
          Kinds.number("N", 1, 1 << 20),
          "16384",
          "How many calls of gRPC a connection carries at a time. More wait at the client.");

  public static final Setting<Integer> CALLS_MAX =
      standard(
          Section.BOUNDS,
          "calls-max",
          Kinds.number("N", 1, 1 << 20),
          "32768",
          "How many calls of gRPC there are at a time over all connections, whether they wait, ask"
              + " or are answered. One more is refused.");

  public static final Setting<Long> CALL_BYTES_MAX =
      optional(
          Section.BOUNDS,
          "call-bytes-max",
          Kinds.bytes(1 << 20, TIB),
          "half of the heap",
          "How long all requests and answers may be that are in memory at a time: a quarter of this is"
              + " for requests that come in, one for those under way, one for listings, one for HTTP."
              + " What would be more waits, or is refused.");

  public static final Setting<Long> HEADER_BYTES_MAX =
      standard(
          Section.BOUNDS,
          "header-bytes-max",
          Kinds.bytes(1 << 10, 1 << 20),
          "8KiB",
          "How long the headers of a request may be.");

  public static final Setting<Integer> REQUESTS_MAX =
      standard(
          Section.BOUNDS,
          "requests-max",
          Kinds.number("N", 1, 1 << 18),
          "4096",
          "How many requests are under way at a time, claims that wait for a task left out. More"
              + " wait for their turn.");

  public static final Setting<Integer> WAITING_CLAIMS_MAX =
      standard(
          Section.BOUNDS,
          "waiting-claims-max",
          Kinds.number("N", 1, 24_576),
          "16384",
          "How many claims wait for a task at a time. More wait for their turn.");

  public static final Setting<Integer> TURN_REQUESTS_MAX =
      standard(
          Section.BOUNDS,
          "turn-requests-max",
          Kinds.number("N", 0, 1 << 20),
          "8192",
          "How many requests wait for their turn. One more is refused.");

  public static final Setting<Long> TURN_BYTES_MAX =
      standard(
          Section.BOUNDS,
          "turn-bytes-max",
          Kinds.bytes(0, TIB),
          "16MiB",
          "How long these may be in all. What would be more is refused.");

  public static final Setting<Duration> TURN_WAIT_MAX =
      standard(
          Section.BOUNDS,
          "turn-wait-max",
          Kinds.span(Duration.ZERO, DAY),
          "10s",
          "How long a request waits for its turn, or until its deadline, before it is refused.");

  public static final Setting<Long> UNFORCED_BYTES_MAX =
      standard(
          Section.BOUNDS,
          "unforced-bytes-max",
          Kinds.bytes(4 << 10, 1L << 38),
          "16MiB",
          "At durability disk: how much of the log may be unforced before requests wait.");

  public static final Setting<Duration> IDLE_YIELD =
      standard(
          Section.BOUNDS,
          "idle-yield",
          Kinds.span(Duration.ZERO, DAY),
          "300us",
          "How long the engine looks for more requests before it sleeps: longer answers sooner and"
              + " takes processor time.");

  public static final Setting<Integer> METRICS_QUEUES_MAX =
      standard(
          Section.BOUNDS,
          "metrics-queues-max",
          Kinds.number("N", 0, 1 << 20),
          "1000",
          "How many queues /metrics tells of by name, the largest; of the rest it tells together.");

  // ---- As EntroQ's own server does it.

  public static final Setting<Duration> HTTP_CLAIM_WAIT =
      standard(
          Section.COMPATIBILITY,
          "http-claim-wait",
          Kinds.span(Duration.ofMillis(1), DAY),
          "60s",
          "After which time a claim that waits is answered {} over HTTP.");

  public static final Setting<Boolean> HTTP_FLAT_ERRORS =
      off(
          Section.COMPATIBILITY,
          "http-flat-errors",
          "Answers every error over HTTP with status 500, code 2 and no details, as EntroQ does.");

  public static final Setting<Boolean> DROP_ARRIVAL_TIMES =
      off(
          Section.COMPATIBILITY,
          "drop-arrival-times",
          "Makes every changed task available at once, as EntroQ does: leases cannot be renewed."
              + " For comparisons only.");

  // ---- What it tells.

  public static final Setting<LogLevel> LOG_LEVEL =
      standard(
          Section.TELLING,
          "log-level",
          Kinds.choice("LEVEL", LogLevel.class),
          "info",
          "What the log tells of, on standard error. Of libraries it tells what is wrong.");

  public static final Setting<LogFormat> LOG_FORMAT =
      standard(
          Section.TELLING,
          "log-format",
          Kinds.choice("FORMAT", LogFormat.class),
          "text",
          "What its lines look like; json: for machines.");

  // ---- How it ends.

  public static final Setting<Duration> DRAIN_TIMEOUT =
      standard(
          Section.ENDING,
          "drain-timeout",
          Kinds.span(Duration.ZERO, DAY),
          "15s",
          "How long requests may take that are under way when it is to end. A second signal cuts"
              + " them.");

  private static final List<Setting<?>> ALL =
      List.of(
          HOST,
          PORT,
          HTTP_PORT,
          MAX_SIZE_MB,
          DATA,
          JOURNAL,
          MKDIR,
          DURABILITY,
          SNAPSHOT_INTERVAL,
          PERIODIC_SNAPSHOT,
          SNAPSHOT_AND_QUIT,
          SNAPSHOT_LOG_BYTES,
          READER_BYTES_MAX,
          SEGMENT_BYTES,
          ACCEPT_CLOCK,
          JOURNAL_CLEANUP,
          JOURNAL_MAX_ITEMS,
          JOURNAL_MAX_BYTES,
          TLS_CERT,
          TLS_KEY,
          TLS_CLIENT_CA,
          AUTHZ,
          OPA_URL,
          OPA_PATH,
          OPA_TIMEOUT,
          OPA_FORWARD,
          AUTHZ_ALL,
          VALUE_BYTES_MAX,
          COMMAND_BYTES_MAX,
          QUEUE_TASKS_MAX,
          MEMORY_BYTES_MAX,
          DISK_LOW_BYTES,
          DISK_FULL_BYTES,
          CONNECTIONS_MAX,
          CONNECTION_CALLS_MAX,
          CALLS_MAX,
          CALL_BYTES_MAX,
          HEADER_BYTES_MAX,
          REQUESTS_MAX,
          WAITING_CLAIMS_MAX,
          TURN_REQUESTS_MAX,
          TURN_BYTES_MAX,
          TURN_WAIT_MAX,
          UNFORCED_BYTES_MAX,
          IDLE_YIELD,
          METRICS_QUEUES_MAX,
          HTTP_CLAIM_WAIT,
          HTTP_FLAT_ERRORS,
          DROP_ARRIVAL_TIMES,
          LOG_LEVEL,
          LOG_FORMAT,
          DRAIN_TIMEOUT);

  private ServerSettings() {}

  /** The table. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  private static <T> Setting<T> standard(
      Section section, String name, Kind<T> kind, String standard, String effect) {
    return new Setting<>(section, name, kind, Optional.of(standard), standard, effect);
  }

  private static <T> Setting<T> optional(
      Section section, String name, Kind<T> kind, String standardSaid, String effect) {
    return new Setting<>(section, name, kind, Optional.empty(), standardSaid, effect);
  }

  private static Setting<Boolean> off(Section section, String name, String effect) {
    return new Setting<>(section, name, Kinds.onOff(), Optional.of("false"), "off", effect);
  }

  private static Setting<Boolean> on(Section section, String name, String effect) {
    return new Setting<>(section, name, Kinds.onOff(), Optional.of("true"), "on", effect);
  }
}
