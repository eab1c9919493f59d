package io.entroq.server.settings;

import io.entroq.api.Durability;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.service.SkippedCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Settings of a cluster member. */
public final class MembershipSettings {
  private static final Section IN = Section.MEMBERSHIP;
  private static final Section FAILOVER = Section.FAILOVER;
  private static final Section STORAGE = Section.STORAGE;
  private static final int MEMBERS_MAX = 7;
  private static final Duration TIMEOUT_MIN = Duration.ofMillis(10);
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<Integer> ID =
      IN.optional(
              "id",
              SettingTypes.integer("N", 0, MEMBERS_MAX - 1),
              "none, required",
              "This member's position in --members; the first is 0.")
          .changeWhen("always: it differs on each member");

  public static final Setting<List<MemberAddress>> MEMBERS =
      IN.optional(
              "members",
              MemberSettingTypes.addresses("HOST:PORT,..."),
              "none, required",
              "All members, this one included: the host of each and the first of its five"
                  + " consecutive UDP ports. The same list in the same order on every member, at"
                  + " every start.")
          .changeWhen("always");

  public static final Setting<Path> DATA =
      IN.optional(
              "data",
              SettingTypes.path("DIR"),
              "none, required",
              "This member's data directory. No other process may use it.")
          .changeWhen("always");

  public static final Setting<Boolean> BOOTSTRAP =
      IN.off(
              "bootstrap",
              "Start a new cluster: use an empty data directory. No effect if the directory is"
                  + " already this member's. Never set it for a member that has lost its disk.")
          .changeWhen("the cluster starts for the first time, and only then");

  public static final Setting<Durability> DURABILITY =
      IN.setting(
              "durability",
              SettingTypes.choice("LEVEL", List.of(Durability.OS, Durability.DISK)),
              "disk",
              "What a member does before it acknowledges a command. A caller gets its reply when a"
                  + " majority has acknowledged. os: written to the page cache, survives a power"
                  + " failure of a minority; disk: forced to the disk, survives a power failure of"
                  + " all.")
          .changeWhen("members have independent power supplies and latency matters");

  public static final Setting<Path> DRIVER_DIRECTORY =
      IN.optional(
              "driver-directory",
              SettingTypes.path("DIR"),
              "in /dev/shm if it has 1 GiB free, else in --data",
              "Directory for temporary files of the network driver, about 100 MiB. Best in"
                  + " memory.")
          .changeWhen("/dev/shm is small or not writable");

  public static final Setting<Duration> HEARTBEAT_TIMEOUT =
      FAILOVER
          .setting(
              "heartbeat-timeout",
              SettingTypes.duration(TIMEOUT_MIN, DAY),
              "600ms",
              "How long a member goes without hearing from its leader before it starts an election."
                  + " A failover takes about 1.4 times this. The same on all members, like all"
                  + " settings of this section.")
          .changeWhen("pauses or network delays cause needless elections (longer)");

  public static final Setting<Duration> HEARTBEAT_INTERVAL =
      FAILOVER.optional(
          "heartbeat-interval",
          SettingTypes.duration(Duration.ofMillis(1), DAY),
          "1/20 of --heartbeat-timeout",
          "How often the leader sends a heartbeat; at most half of --heartbeat-timeout.");

  public static final Setting<Duration> ELECTION_TIMEOUT =
      FAILOVER.optional(
          "election-timeout",
          SettingTypes.duration(TIMEOUT_MIN, DAY),
          "1/8 of --heartbeat-timeout",
          "How long a candidate waits for all votes before a majority is enough.");

  public static final Setting<Duration> CANVASS_TIMEOUT =
      FAILOVER
          .optional(
              "canvass-timeout",
              SettingTypes.duration(TIMEOUT_MIN, DAY),
              "3 times --heartbeat-timeout",
              "How long a starting member waits for all others before a majority is enough; at"
                  + " least twice --heartbeat-timeout.")
          .changeWhen("members start at very different times");

  public static final Setting<Duration> SESSION_TIMEOUT =
      FAILOVER
          .setting(
              "session-timeout",
              SettingTypes.duration(TIMEOUT_MIN, DAY),
              "10s",
              "How long a member may be unreachable before the cluster treats its callers as gone.")
          .changeWhen("claims of a lost member should be released sooner");

  public static final Setting<Duration> PROCESS_TIMEOUT =
      FAILOVER
          .setting(
              "process-timeout",
              SettingTypes.duration(Duration.ofSeconds(1), DAY),
              "10s",
              "How long this process may stall before it exits.")
          .changeWhen("the machine is suspended or paused for longer");

  public static final Setting<Path> SECRET_FILE =
      IN.optional(
              "secret-file",
              SettingTypes.path("FILE"),
              "none, members trust whoever can reach their ports",
              "File with a secret of at least 16 bytes, the same on all members, for sessions with"
                  + " the leader and, from behavior level 10 on, archives. It encrypts nothing,"
                  + " stops no forged packets, and protects no elections or replication: use"
                  + " WireGuard.")
          .changeWhen("always, unless all members share one machine");

  public static final Setting<Boolean> ALLOW_PUBLIC_MEMBERS =
      IN.off(
              "allow-public-members",
              "Start although a member has a public address that is not reached through WireGuard."
                  + " Traffic between members is not encrypted.")
          .changeWhen("something else protects the members' ports, such as IPsec or a firewall");

  public static final Setting<Boolean> MIRROR =
      STORAGE
          .on(
              "mirror",
              "Also write what the member applies as an engine's log and snapshots, which every"
                  + " command for data directories can read.")
          .changeWhen("disk bandwidth is short and you need neither backup nor log tools");

  public static final Setting<SkippedCommand> SKIP_COMMAND =
      STORAGE
          .optional(
              "skip-command",
              MemberSettingTypes.command("POSITION:CRC"),
              "none",
              "Skip this one command because it crashes every member that applies it. Set the same"
                  + " value on all members, for as long as a log that contains it may be replayed."
                  + " The member logs both numbers when it stops.")
          .changeWhen("every member stops at the same command");

  public static final Setting<Long> SNAPSHOT_LOG_BYTES =
      STORAGE
          .setting(
              "snapshot-log-bytes",
              SettingTypes.bytes(64 << 10, 1L << 50),
              "128MiB",
              "Take a snapshot when the log has grown by this much, or by half of the last snapshot"
                  + " if that is more. The same on all members, like --snapshot-interval and"
                  + " --log-bytes-max.")
          .changeWhen("restarts take too long, or the disk is small");

  public static final Setting<Duration> SNAPSHOT_INTERVAL =
      STORAGE
          .setting(
              "snapshot-interval",
              SettingTypes.duration(Duration.ofSeconds(1), Duration.ofDays(365)),
              "10m",
              "Take a snapshot after this time if anything was written.")
          .changeWhen("restarts take too long (shorter), or snapshots cost too much I/O (longer)");

  public static final Setting<Long> LOG_BYTES_MAX =
      STORAGE
          .setting(
              "log-bytes-max",
              SettingTypes.bytes(256 << 10, 1L << 50),
              "16GiB",
              "How much log to keep for absent members. A member that misses more must be replaced."
                  + " At least four times --snapshot-log-bytes.")
          .changeWhen("members may be down for long (more), or the disk is small (less)");

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
        ALLOW_PUBLIC_MEMBERS,
        MIRROR,
        SKIP_COMMAND,
        SNAPSHOT_LOG_BYTES,
        SNAPSHOT_INTERVAL,
        LOG_BYTES_MAX);
  }
}
