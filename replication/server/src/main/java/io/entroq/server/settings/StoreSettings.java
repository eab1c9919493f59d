package io.entroq.server.settings;

import io.entroq.api.Durability;
import io.entroq.engine.maintenance.HistoryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Settings of the log and its snapshots. */
public final class StoreSettings {
  private static final Section IN = Section.STORAGE;
  private static final long TIB = 1L << 40;

  public static final Setting<Path> DATA =
      IN.optional(
              "data",
              SettingTypes.path("DIR"),
              "none, in memory: all tasks are lost when the process ends",
              "Data directory; created if missing.")
          .changeWhen("tasks must survive a restart: always in production");

  public static final Setting<Path> JOURNAL =
      IN.optional(
              "journal",
              SettingTypes.path("DIR"),
              "none",
              "EntroQ's name for --data. The directory must exist unless --mkdir is set.")
          .changeWhen("you reuse a command line of EntroQ");

  public static final Setting<Boolean> MKDIR =
      IN.off("mkdir", "Create the directory of --journal if it does not exist.")
          .changeWhen("you set `--journal`");

  public static final Setting<Durability> DURABILITY =
      IN.optional(
              "durability",
              SettingTypes.choice("LEVEL", Durability.class),
              "disk with a data directory, else none",
              "What a reply guarantees. none: nothing; os: the write survives a crash of the"
                  + " process; disk: it survives a power failure.")
          .changeWhen("losing the last writes in a power failure is acceptable; os is faster");

  public static final Setting<Duration> SNAPSHOT_INTERVAL =
      IN.setting(
              "snapshot-interval",
              SettingTypes.duration(Duration.ofSeconds(1), Duration.ofDays(366)),
              "10m",
              "How often to take a snapshot if the log has grown. Log that a snapshot replaces is"
                  + " deleted.")
          .changeWhen("restarts take too long (shorter), or snapshots cost too much I/O (longer)");

  public static final Setting<Duration> PERIODIC_SNAPSHOT =
      IN.optional(
              "periodic-snapshot",
              SettingTypes.duration(Duration.ZERO, Duration.ofDays(366)),
              "none",
              "EntroQ's name for --snapshot-interval. At least a minute.")
          .changeWhen("you reuse a command line of EntroQ");

  public static final Setting<Boolean> SNAPSHOT_AND_QUIT =
      IN.off("snapshot-and-quit", "Take a snapshot and exit without serving.")
          .changeWhen("you want the next start to be fast");

  public static final Setting<Long> SNAPSHOT_LOG_BYTES =
      IN.setting(
              "snapshot-log-bytes",
              SettingTypes.bytes(64 << 10, TIB),
              "256MiB",
              "Take a snapshot when the log has grown by this much, or by half of the live data if"
                  + " that is more.")
          .changeWhen("restarts take too long, or the disk is small");

  public static final Setting<Long> READER_BYTES_MAX =
      IN.setting(
              "reader-bytes-max",
              SettingTypes.bytes(0, TIB),
              "1GiB",
              "How much log a running backup may keep from being deleted.")
          .changeWhen("backups fail because the log moved on");

  public static final Setting<HistoryPolicy> HISTORY =
      IN.optional(
              "history",
              SettingTypes.history(),
              "an hour or 1 GiB, whichever is less, where the console is on; else off",
              "How much of the past to keep on the disk besides what a restart needs: a time such as"
                  + " 7d, a size such as 50GiB, or off. It is removed, oldest first, when less than"
                  + " four times --disk-low-bytes is free, or less than 1GiB at a member.")
          .changeWhen("you want to look back, or consumers of the feed may be away for long");

  public static final Setting<Long> SEGMENT_BYTES =
      IN.setting(
          "segment-bytes", SettingTypes.bytes(64 << 10, 1 << 30), "64MiB", "Size of one log file.");

  public static final Setting<Boolean> ACCEPT_CLOCK =
      IN.off(
              "accept-clock",
              "Start even if the system clock is more than a minute behind the newest record.")
          .changeWhen("the clock was wrong before and is right now");

  public static final Setting<Boolean> JOURNAL_CLEANUP =
      IN.off(
          "journal-cleanup",
          "For EntroQ's command lines; no effect, since log that a snapshot replaces is always"
              + " deleted.");

  public static final Setting<Long> JOURNAL_MAX_ITEMS =
      IN.setting(
          "journal-max-items",
          SettingTypes.count("N", Long.MAX_VALUE),
          "0",
          "For EntroQ's command lines; no effect, use --segment-bytes.");

  public static final Setting<Long> JOURNAL_MAX_BYTES =
      IN.setting(
          "journal-max-bytes",
          SettingTypes.count("N", Long.MAX_VALUE),
          "0",
          "For EntroQ's command lines; no effect, use --segment-bytes.");

  private StoreSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(
        DATA,
        JOURNAL,
        MKDIR,
        DURABILITY,
        SNAPSHOT_INTERVAL,
        PERIODIC_SNAPSHOT,
        SNAPSHOT_AND_QUIT,
        SNAPSHOT_LOG_BYTES,
        READER_BYTES_MAX,
        HISTORY,
        SEGMENT_BYTES,
        ACCEPT_CLOCK,
        JOURNAL_CLEANUP,
        JOURNAL_MAX_ITEMS,
        JOURNAL_MAX_BYTES);
  }
}
