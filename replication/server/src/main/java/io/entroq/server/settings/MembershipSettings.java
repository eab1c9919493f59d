package io.entroq.server.settings;

import io.entroq.api.Durability;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.service.SkippedCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Which member of which cluster a node is, what it keeps, and when it gives others up. */
public final class MembershipSettings {
  private static final Declaring IN = new Declaring(Section.MEMBERSHIP);
  private static final Declaring PATIENCE = new Declaring(Section.PATIENCE);
  private static final Declaring KEEPING = new Declaring(Section.STORE);
  private static final int MEMBERS_MAX = 7;
  private static final Duration LEAST = Duration.ofMillis(10);
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<Integer> ID =
      IN.optional(
          "id",
          Kinds.number("N", 0, MEMBERS_MAX - 1),
          "none, it has to be given",
          "Which of the members this one is: its place among them, the first is 0.");

  public static final Setting<List<MemberAddress>> MEMBERS =
      IN.optional(
          "members",
          MemberKinds.addresses("HOST:PORT,..."),
          "none, it has to be given",
          "All members, this one too, each by its host and the first of five ports, from PORT on, at"
              + " which the others reach it by UDP. The same, in the same order, for every member"
              + " and at every start.");

  public static final Setting<Path> DATA =
      IN.optional(
          "data",
          Kinds.path("DIR"),
          "none, it has to be given",
          "The directory of this member, which nobody else may have.");

  public static final Setting<Boolean> BOOTSTRAP =
      IN.off(
          "bootstrap",
          "The cluster starts for the first time: an empty directory becomes this member's. Never to"
              + " be said of a member that has lost its disk. Without effect on a directory that is"
              + " its own already.");

  public static final Setting<Durability> DURABILITY =
      IN.standard(
          "durability",
          Kinds.choice("LEVEL", List.of(Durability.OS, Durability.DISK)),
          "disk",
          "What a member has done before it says that it has a command; a caller is told when a"
              + " majority has said so. os: given it to the page cache, so loss of power of a"
              + " minority is survived; disk: forced it, so loss of power of all is.");

  public static final Setting<Path> DRIVER_DIRECTORY =
      IN.optional(
          "driver-directory",
          Kinds.path("DIR"),
          "in /dev/shm if that has a gigabyte free, else in --data",
          "Where files are that only have to last as long as the process, about a hundred"
              + " megabytes; on memory rather than on a disk.");

  public static final Setting<Duration> HEARTBEAT_TIMEOUT =
      PATIENCE.standard(
          "heartbeat-timeout",
          Kinds.span(LEAST, DAY),
          "600ms",
          "How long a member waits for word of its leader before it wants another one. From the loss"
              + " of a leader to the next answer takes about one and a half times this. The same for"
              + " all members, as all of these.");

  public static final Setting<Duration> HEARTBEAT_INTERVAL =
      PATIENCE.optional(
          "heartbeat-interval",
          Kinds.span(Duration.ofMillis(1), DAY),
          "a tenth of --heartbeat-timeout",
          "How often a leader says that it is there; at most half of that time-out.");

  public static final Setting<Duration> ELECTION_TIMEOUT =
      PATIENCE.optional(
          "election-timeout",
          Kinds.span(LEAST, DAY),
          "a quarter of --heartbeat-timeout",
          "How long a candidate waits for the votes of all before those of a majority are enough.");

  public static final Setting<Duration> CANVASS_TIMEOUT =
      PATIENCE.optional(
          "canvass-timeout",
          Kinds.span(LEAST, DAY),
          "three times --heartbeat-timeout",
          "How long a member that starts waits for all others before a majority is enough; at least"
              + " twice that time-out.");

  public static final Setting<Duration> SESSION_TIMEOUT =
      PATIENCE.standard(
          "session-timeout",
          Kinds.span(LEAST, DAY),
          "10s",
          "How long a member may be out of reach before its callers are taken to be gone.");

  public static final Setting<Duration> PROCESS_TIMEOUT =
      PATIENCE.standard(
          "process-timeout",
          Kinds.span(Duration.ofSeconds(1), DAY),
          "10s",
          "How long this process may stand still before it ends by itself.");

  public static final Setting<Path> SECRET_FILE =
      IN.optional(
          "secret-file",
          Kinds.path("FILE"),
          "none, whoever reaches a member's ports is believed",
          "A file with a text of at least 16 bytes that all members have alike and nobody else has."
              + " A session by which a member sends commands is opened only to whoever knows it. It"
              + " encrypts nothing, and votes and log are as open as without it.");

  public static final Setting<Boolean> MIRROR =
      KEEPING.on(
          "mirror",
          "Whether the member writes what it applies once more, as the log and the snapshots of an"
              + " engine, which all commands for directories can read.");

  public static final Setting<SkippedCommand> SKIP_COMMAND =
      KEEPING.optional(
          "skip-command",
          MemberKinds.command("POSITION:CRC"),
          "none",
          "The one command that is passed over, because it ends every member that applies it. All"
              + " members have to be told the same, and as long as a log with it may be replayed."
              + " The member says both numbers when it ends.");

  public static final Setting<Long> SNAPSHOT_LOG_BYTES =
      KEEPING.standard(
          "snapshot-log-bytes",
          Kinds.bytes(64 << 10, 1L << 50),
          "128MiB",
          "A snapshot is taken when the log has grown by this, or by half of what the last snapshot"
              + " takes if that is more. The same for all members, as all of these.");

  public static final Setting<Duration> SNAPSHOT_INTERVAL =
      KEEPING.standard(
          "snapshot-interval",
          Kinds.span(Duration.ofSeconds(1), Duration.ofDays(365)),
          "10m",
          "And when this has passed, if something has been written.");

  public static final Setting<Long> LOG_BYTES_MAX =
      KEEPING.standard(
          "log-bytes-max",
          Kinds.bytes(256 << 10, 1L << 50),
          "16GiB",
          "How much log is kept for members that are away. One that was away for longer has to be"
              + " replaced. At least four times --snapshot-log-bytes.");

  private MembershipSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(
        ID,
        MEMBERS,
        DATA,
        BOOTSTRAP,
        DURABILITY,
        DRIVER_DIRECTORY,
        HEARTBEAT_TIMEOUT,
        HEARTBEAT_INTERVAL,
        ELECTION_TIMEOUT,
        CANVASS_TIMEOUT,
        SESSION_TIMEOUT,
        PROCESS_TIMEOUT,
        SECRET_FILE,
        MIRROR,
        SKIP_COMMAND,
        SNAPSHOT_LOG_BYTES,
        SNAPSHOT_INTERVAL,
        LOG_BYTES_MAX);
  }
}
