package io.entroq.server.settings;

import io.entroq.cluster.member.MemberConfig;
import io.entroq.service.limit.LeaseBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Settings of the limits on memory, disk, connections and requests. */
public final class LimitSettings {
  private static final Section IN = Section.LIMITS;
  private static final long TIB = 1L << 40;
  private static final Duration DAY = Duration.ofDays(1);
  private static final String COMMAND_BYTES_DESCRIPTION =
      "Largest Modify, in its encoding in the log.";

  public static final Setting<Long> VALUE_BYTES_MAX =
      IN.setting(
              "value-bytes-max", SettingTypes.bytes(1, 8 << 20), "1MiB", "Largest value of a task.")
          .changeWhen("values are larger; consider storing a reference instead");

  public static final Setting<Long> COMMAND_BYTES_MAX =
      IN.setting(
              "command-bytes-max",
              SettingTypes.bytes(1 << 10, 8 << 20),
              "8MiB",
              COMMAND_BYTES_DESCRIPTION)
          .changeWhen("one caller's large Modify delays the others too long");

  public static final Setting<Long> QUEUE_TASKS_MAX =
      IN.setting(
              "queue-tasks-max",
              SettingTypes.count("N", 1L << 46),
              "0",
              "Most tasks in a queue; 0: no limit. Inserts beyond it are refused.")
          .changeWhen("a producer may outrun its workers for hours");

  public static final Setting<Long> POLICIES_MAX =
      IN.setting(
              "policies-max",
              SettingTypes.count("N", 1L << 24),
              "100000",
              "Most policies of queues and prefixes, and most limiters; 0: no limit. One more is"
                  + " refused.")
          .changeWhen("more queues need rules of their own; a policy of a prefix may do");

  public static final Setting<Long> MEMORY_BYTES_MAX =
      IN.optional(
              "memory-bytes-max",
              SettingTypes.bytes(1 << 20, TIB),
              "5/8 of -XX:MaxDirectMemorySize, or of the heap, minus 64MiB",
              "Most off-heap memory for tasks. Inserts beyond it are refused.")
          .changeWhen("the machine has memory to spare; raise -XX:MaxDirectMemorySize with it");

  public static final Setting<Long> REPLAY_BYTES_MAX =
      IN.optional(
              "replay-bytes-max",
              SettingTypes.bytes(0, TIB),
              "1/4 of -XX:MaxDirectMemorySize, or of the heap; at most what --memory-bytes-max leaves"
                  + " of 7/8",
              "Most off-heap memory for callers that read history. Two feeds read at a time, and calls"
                  + " as of two points; each state may take half of it. A state takes twice the size of"
                  + " its snapshot. 0 refuses these callers.")
          .changeWhen("history is refused for lack of memory, or nobody reads it (0)");

  public static final Setting<Long> DISK_LOW_BYTES =
      IN.setting(
              "disk-low-bytes",
              SettingTypes.bytes(0, TIB),
              "256MiB",
              "Refuse inserts while less than this is free on the disk.")
          .changeWhen("the disk fills faster than you can react");

  public static final Setting<Long> DISK_FULL_BYTES =
      IN.setting(
              "disk-full-bytes",
              SettingTypes.bytes(0, TIB),
              "64MiB",
              "Refuse everything but reads while less than this is free on the disk.")
          .changeWhen("you change `--disk-low-bytes`");

  public static final Setting<Integer> CONNECTIONS_MAX =
      IN.setting(
              "connections-max",
              SettingTypes.integer("N", 1, 1 << 20),
              "16384",
              "Most connections per port; more are closed at once. One address may use at most"
                  + " three quarters of what others leave. Over HTTP every waiting claim holds a"
                  + " connection.")
          .changeWhen("all callers come through one proxy: set 4/3 of what you expect");

  public static final Setting<Integer> CONNECTION_CALLS_MAX =
      IN.setting(
              "connection-calls-max",
              SettingTypes.integer("N", 1, 1 << 20),
              "16384",
              "Most concurrent gRPC calls per connection; the client queues more.")
          .changeWhen("one process runs more workers than that");

  public static final Setting<Integer> CALLS_MAX =
      IN.setting(
              "calls-max",
              SettingTypes.integer("N", 1, 1 << 20),
              "32768",
              "Most concurrent gRPC calls over all connections, waiting ones included; more are"
                  + " refused.")
          .changeWhen("you raise `--waiting-claims-max` or `--turn-requests-max`");

  public static final Setting<Duration> HTTP_IDLE_MAX =
      IN.setting(
              "http-idle-max",
              SettingTypes.duration(Duration.ofSeconds(1), DAY),
              "2m",
              "Close an HTTP connection that has been idle for this long. A proxy in front of the"
                  + " server must close its connections earlier.")
          .changeWhen("a proxy keeps idle connections longer");

  public static final Setting<Long> CALL_BYTES_MAX =
      IN.optional(
              "call-bytes-max",
              SettingTypes.bytes(1 << 20, TIB),
              "half of the heap",
              "Most memory for requests and responses. Incoming gRPC requests, running requests,"
                  + " listings and HTTP get a quarter each. Calls beyond it wait or are refused.")
          .changeWhen("callers see RESOURCE_EXHAUSTED while much of the heap is free");

  public static final Setting<Long> HEADER_BYTES_MAX =
      IN.setting(
              "header-bytes-max",
              SettingTypes.bytes(1 << 10, 1 << 20),
              "8KiB",
              "Largest request headers.")
          .changeWhen("callers send large tokens");

  public static final Setting<Integer> REQUESTS_MAX =
      IN.setting(
              "requests-max",
              SettingTypes.integer("N", 1, 1 << 18),
              "4096",
              "Most running requests, not counting claims that wait for a task; more wait in the"
                  + " queue.")
          .changeWhen("latency is high and the CPU is not busy");

  public static final Setting<Integer> WAITING_CLAIMS_MAX =
      IN.setting(
              "waiting-claims-max",
              SettingTypes.integer("N", 1, 24_576),
              "16384",
              "Most claims that wait for a task; more wait in the queue.")
          .changeWhen("you run more idle workers than that");

  public static final Setting<Duration> CLAIM_LEASE_DEFAULT =
      IN.setting(
              "claim-lease-default",
              SettingTypes.duration(Duration.ofMillis(1), LeaseBounds.MAX),
              "45s",
              "Lease of a claim that asks for none; at least the floor and at most the ceiling. The"
                  + " claim-lease settings do not apply to the v0 API.")
          .changeWhen("callers that ask for none need more time for a task, or less");

  public static final Setting<Duration> CLAIM_LEASE_FLOOR =
      IN.setting(
              "claim-lease-floor",
              SettingTypes.duration(Duration.ofMillis(1), LeaseBounds.MAX),
              "45s",
              "Shortest lease of a claim; a shorter one is raised to it. Renewals may be shorter.")
          .changeWhen("tasks of workers that die must be available again sooner");

  public static final Setting<Duration> CLAIM_LEASE_CEILING =
      IN.setting(
              "claim-lease-ceiling",
              SettingTypes.duration(Duration.ofMillis(1), LeaseBounds.MAX),
              "1h",
              "Longest lease of a claim; a longer one is lowered to it. Renewals may be longer.")
          .changeWhen("callers cannot renew their leases");

  public static final Setting<Integer> TURN_REQUESTS_MAX =
      IN.setting(
              "turn-requests-max",
              SettingTypes.integer("N", 0, 1 << 20),
              "8192",
              "Most requests in the queue; more are refused.")
          .changeWhen("the server refuses bursts that it could soon run");

  public static final Setting<Long> TURN_BYTES_MAX =
      IN.setting(
              "turn-bytes-max",
              SettingTypes.bytes(0, TIB),
              "16MiB",
              "Most bytes of requests in the queue; more are refused.")
          .changeWhen("you raise `--turn-requests-max`");

  public static final Setting<Duration> TURN_WAIT_MAX =
      IN.setting(
              "turn-wait-max",
              SettingTypes.duration(Duration.ZERO, DAY),
              "10s",
              "How long a request waits in the queue, or until its deadline, before it is refused.")
          .changeWhen("callers should fail sooner under overload");

  public static final Setting<Duration> STALL_MAX =
      IN.setting(
              "stall-max",
              SettingTypes.duration(Duration.ofSeconds(1), DAY),
              "1m",
              "Disconnect a caller that reads none of its response for this long, or whose HTTP"
                  + " request takes longer to arrive.")
          .changeWhen("callers are on slow or unreliable networks");

  public static final Setting<Long> UNFORCED_BYTES_MAX =
      IN.setting(
              "unforced-bytes-max",
              SettingTypes.bytes(4 << 10, 1L << 38),
              "16MiB",
              "With durability disk: requests wait while more log than this has not reached the"
                  + " disk.")
          .changeWhen("the disk has high throughput and high latency");

  public static final Setting<Duration> IDLE_YIELD =
      IN.setting(
              "idle-yield",
              SettingTypes.duration(Duration.ZERO, DAY),
              "300us",
              "How long the idle engine polls for requests before it sleeps.")
          .changeWhen("latency matters more than CPU time (longer), or the reverse (0)");

  public static final Setting<Integer> METRICS_QUEUES_MAX =
      IN.setting(
              "metrics-queues-max",
              SettingTypes.integer("N", 0, 1 << 20),
              "1000",
              "How many queues /metrics lists by name, largest first; the others are summed.")
          .changeWhen("you alert on small queues");

  public static final Setting<Boolean> RATES =
      IN.off(
              "rates",
              "Count what happens to each queue also where there is no console, for entroq.v1.Insight"
                  + " and /metrics. A member counts what it applies.")
          .changeWhen("you turn the console off and want rates, failures and workers of queues");

  /** Limited by what the log of a cluster accepts. */
  public static final Setting<Long> NODE_COMMAND_BYTES_MAX =
      IN.setting(
              "command-bytes-max",
              SettingTypes.bytes(1 << 10, MemberConfig.COMMAND_BYTES_MAX),
              "2047KiB",
              COMMAND_BYTES_DESCRIPTION)
          .changeWhen(COMMAND_BYTES_MAX.advice());

  public static final Setting<Long> NODE_MEMORY_BYTES_MAX =
      IN.optional(
              "memory-bytes-max",
              SettingTypes.bytes(1 << 20, TIB),
              MEMORY_BYTES_MAX.defaultDescription(),
              "Most off-heap memory for tasks. This member refuses inserts beyond it. Use the same"
                  + " value and as much memory on all members: each holds every task.")
          .changeWhen(MEMORY_BYTES_MAX.advice());

  public static final Setting<Long> NODE_DISK_LOW_BYTES =
      IN.setting(
              "disk-low-bytes",
              SettingTypes.bytes(0, TIB),
              DISK_LOW_BYTES.defaultDescription(),
              "While less than this is free on its disk, a member refuses inserts and asks for"
                  + " snapshots, which free log.")
          .changeWhen(DISK_LOW_BYTES.advice());

  public static final Setting<Long> NODE_DISK_FULL_BYTES =
      IN.setting(
              "disk-full-bytes",
              SettingTypes.bytes(0, TIB),
              DISK_FULL_BYTES.defaultDescription(),
              "While less than this is free on its disk, a member refuses everything but reads.")
          .changeWhen(DISK_FULL_BYTES.advice());

  private LimitSettings() {}

  /** All limits of a server, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(
        VALUE_BYTES_MAX,
        COMMAND_BYTES_MAX,
        QUEUE_TASKS_MAX,
        POLICIES_MAX,
        MEMORY_BYTES_MAX,
        REPLAY_BYTES_MAX,
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
        CLAIM_LEASE_DEFAULT,
        CLAIM_LEASE_FLOOR,
        CLAIM_LEASE_CEILING,
        TURN_REQUESTS_MAX,
        TURN_BYTES_MAX,
        TURN_WAIT_MAX,
        STALL_MAX,
        UNFORCED_BYTES_MAX,
        IDLE_YIELD,
        METRICS_QUEUES_MAX,
        RATES);
  }

  /** All limits of a cluster member, in the order of the help. */
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
