package io.entroq.server.settings;

import io.entroq.cluster.member.MemberConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How much goes on at a time. */
public final class BoundSettings {
  private static final Declaring IN = new Declaring(Section.BOUNDS);
  private static final long TIB = 1L << 40;
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<Long> VALUE_BYTES_MAX =
      IN.standard(
          "value-bytes-max",
          Kinds.bytes(1, 8 << 20),
          "1MiB",
          "How long the value of a task may be.");

  public static final Setting<Long> COMMAND_BYTES_MAX =
      IN.standard(
          "command-bytes-max",
          Kinds.bytes(1 << 10, 8 << 20),
          "8MiB",
          "How long a Modify may be, as the log has it.");

  public static final Setting<Long> QUEUE_TASKS_MAX =
      IN.standard(
          "queue-tasks-max",
          Kinds.count("N", 1L << 46),
          "0",
          "How many tasks a queue may have; 0: any number.");

  public static final Setting<Long> MEMORY_BYTES_MAX =
      IN.optional(
          "memory-bytes-max",
          Kinds.bytes(1 << 20, TIB),
          "seven eighths of -XX:MaxDirectMemorySize, or of the heap",
          "How much memory outside the heap tasks may take. Past it, inserts are refused.");

  public static final Setting<Long> DISK_LOW_BYTES =
      IN.standard(
          "disk-low-bytes",
          Kinds.bytes(0, TIB),
          "256MiB",
          "With less free on the disk, inserts are refused.");

  public static final Setting<Long> DISK_FULL_BYTES =
      IN.standard(
          "disk-full-bytes",
          Kinds.bytes(0, TIB),
          "64MiB",
          "With less free on the disk, everything but reads is refused.");

  public static final Setting<Integer> CONNECTIONS_MAX =
      IN.standard(
          "connections-max",
          Kinds.number("N", 1, 1 << 20),
          "16384",
          "How many connections each of the two ports has; of these one address has at most three"
              + " quarters of what others leave. One more is cut at once. Over HTTP each claim that"
              + " waits has one.");

  public static final Setting<Integer> CONNECTION_CALLS_MAX =
      IN.standard(
          "connection-calls-max",
          Kinds.number("N", 1, 1 << 20),
          "16384",
          "How many calls of gRPC a connection carries at a time. More wait at the client.");

  public static final Setting<Integer> CALLS_MAX =
      IN.standard(
          "calls-max",
          Kinds.number("N", 1, 1 << 20),
          "32768",
          "How many calls of gRPC there are at a time over all connections, whether they wait, ask"
              + " or are answered. One more is refused.");

  public static final Setting<Duration> HTTP_IDLE_MAX =
      IN.standard(
          "http-idle-max",
          Kinds.span(Duration.ofSeconds(1), DAY),
          "2m",
          "After which time a connection of HTTP is closed on which nothing is asked. A proxy"
              + " before the server has to close its own earlier.");

  public static final Setting<Long> CALL_BYTES_MAX =
      IN.optional(
          "call-bytes-max",
          Kinds.bytes(1 << 20, TIB),
          "half of the heap",
          "How long all requests and answers may be that are in memory at a time: a quarter of this"
              + " is for requests that come in, one for those under way, one for listings, one for"
              + " HTTP. What would be more waits, or is refused.");

  public static final Setting<Long> HEADER_BYTES_MAX =
      IN.standard(
          "header-bytes-max",
          Kinds.bytes(1 << 10, 1 << 20),
          "8KiB",
          "How long the headers of a request may be.");

  public static final Setting<Integer> REQUESTS_MAX =
      IN.standard(
          "requests-max",
          Kinds.number("N", 1, 1 << 18),
          "4096",
          "How many requests are under way at a time, claims that wait for a task left out. More"
              + " wait for their turn.");

  public static final Setting<Integer> WAITING_CLAIMS_MAX =
      IN.standard(
          "waiting-claims-max",
          Kinds.number("N", 1, 24_576),
          "16384",
          "How many claims wait for a task at a time. More wait for their turn.");

  public static final Setting<Integer> TURN_REQUESTS_MAX =
      IN.standard(
          "turn-requests-max",
          Kinds.number("N", 0, 1 << 20),
          "8192",
          "How many requests wait for their turn. One more is refused.");

  public static final Setting<Long> TURN_BYTES_MAX =
      IN.standard(
          "turn-bytes-max",
          Kinds.bytes(0, TIB),
          "16MiB",
          "How long these may be in all. What would be more is refused.");

  public static final Setting<Duration> TURN_WAIT_MAX =
      IN.standard(
          "turn-wait-max",
          Kinds.span(Duration.ZERO, DAY),
          "10s",
          "How long a request waits for its turn, or until its deadline, before it is refused.");

  public static final Setting<Duration> STALL_MAX =
      IN.standard(
          "stall-max",
          Kinds.span(Duration.ofSeconds(1), DAY),
          "1m",
          "How long the reader of an answer may take nothing of it before he is cut, and how long a"
              + " request over HTTP may take to come in.");

  public static final Setting<Long> UNFORCED_BYTES_MAX =
      IN.standard(
          "unforced-bytes-max",
          Kinds.bytes(4 << 10, 1L << 38),
          "16MiB",
          "At durability disk: how much of the log may be unforced before requests wait.");

  public static final Setting<Duration> IDLE_YIELD =
      IN.standard(
          "idle-yield",
          Kinds.span(Duration.ZERO, DAY),
          "300us",
          "How long the engine looks for more requests before it sleeps: longer answers sooner and"
              + " takes processor time.");

  public static final Setting<Integer> METRICS_QUEUES_MAX =
      IN.standard(
          "metrics-queues-max",
          Kinds.number("N", 0, 1 << 20),
          "1000",
          "How many queues /metrics tells of by name, the largest; of the rest it tells together.");

  /** As long as the log of a cluster takes them. */
  public static final Setting<Long> NODE_COMMAND_BYTES_MAX =
      IN.standard(
          "command-bytes-max",
          Kinds.bytes(1 << 10, MemberConfig.COMMAND_BYTES_MAX),
          "2047KiB",
          COMMAND_BYTES_MAX.effect());

  public static final Setting<Long> NODE_MEMORY_BYTES_MAX =
      IN.optional(
          "memory-bytes-max",
          Kinds.bytes(1 << 20, TIB),
          MEMORY_BYTES_MAX.standardSaid(),
          "How much memory outside the heap tasks may take. Past it, inserts are refused by the"
              + " member that is asked. All members should have the same, and as much memory: what"
              + " one lets in, all have to hold.");

  public static final Setting<Long> NODE_DISK_LOW_BYTES =
      IN.standard(
          "disk-low-bytes",
          Kinds.bytes(0, TIB),
          DISK_LOW_BYTES.standardSaid(),
          "With less free on its own disk, a member refuses inserts, and has snapshots taken, which"
              + " let go of log.");

  public static final Setting<Long> NODE_DISK_FULL_BYTES =
      IN.standard(
          "disk-full-bytes",
          Kinds.bytes(0, TIB),
          DISK_FULL_BYTES.standardSaid(),
          "With less free on its own disk, a member refuses everything but reads.");

  private BoundSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(
        VALUE_BYTES_MAX,
        COMMAND_BYTES_MAX,
        QUEUE_TASKS_MAX,
        MEMORY_BYTES_MAX,
        DISK_LOW_BYTES,
        DISK_FULL_BYTES,
        CONNECTIONS_MAX,
        CONNECTION_CALLS_MAX,
        CALLS_MAX,
        HTTP_IDLE_MAX,
        CALL_BYTES_MAX,
        HEADER_BYTES_MAX,
        REQUESTS_MAX,
        WAITING_CLAIMS_MAX,
        TURN_REQUESTS_MAX,
        TURN_BYTES_MAX,
        TURN_WAIT_MAX,
        STALL_MAX,
        UNFORCED_BYTES_MAX,
        IDLE_YIELD,
        METRICS_QUEUES_MAX);
  }

  /** Those of them that a member of a cluster has. */
  static List<Setting<?>> ofNode() {
    List<Setting<?>> settings = new ArrayList<>(all());
    settings.set(settings.indexOf(COMMAND_BYTES_MAX), NODE_COMMAND_BYTES_MAX);
    settings.set(settings.indexOf(MEMORY_BYTES_MAX), NODE_MEMORY_BYTES_MAX);
    settings.set(settings.indexOf(DISK_LOW_BYTES), NODE_DISK_LOW_BYTES);
    settings.set(settings.indexOf(DISK_FULL_BYTES), NODE_DISK_FULL_BYTES);
    settings.removeAll(List.of(UNFORCED_BYTES_MAX, IDLE_YIELD));
    return settings;
  }
}
