package io.entroq.server.settings;

import io.entroq.api.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a server keeps, and where. */
public final class StoreSettings {
  private static final Declaring IN = new Declaring(Section.STORE);
  private static final long TIB = 1L << 40;

  public static final Setting<Path> DATA =
      IN.optional(
          "data",
          Kinds.path("DIR"),
          "none, the queue is kept in memory and is gone when the process ends",
          "The data directory, which is made if need be.");

  public static final Setting<Path> JOURNAL =
      IN.optional(
          "journal",
          Kinds.path("DIR"),
          "none",
          "The same by EntroQ's name. As there, it has to exist, or to be made by --mkdir.");

  public static final Setting<Boolean> MKDIR =
      IN.off("mkdir", "Makes the directory of --journal if it does not exist.");

  public static final Setting<Durability> DURABILITY =
      IN.optional(
          "durability",
          Kinds.choice("LEVEL", Durability.class),
          "disk with a directory, else none",
          "What is true before a caller is told that something is done: none; os: it survives a"
              + " crash of the process; disk: it survives loss of power.");

  public static final Setting<Duration> SNAPSHOT_INTERVAL =
      IN.standard(
          "snapshot-interval",
          Kinds.span(Duration.ofSeconds(1), Duration.ofDays(366)),
          "10m",
          "After which time a log that has grown gets a snapshot. What that replaces is deleted.");

  public static final Setting<Duration> PERIODIC_SNAPSHOT =
      IN.optional(
          "periodic-snapshot",
          Kinds.span(Duration.ZERO, Duration.ofDays(366)),
          "none",
          "The same by EntroQ's name; less than a minute counts as a minute.");

  public static final Setting<Boolean> SNAPSHOT_AND_QUIT =
      IN.off("snapshot-and-quit", "Takes a snapshot and ends, without serving anybody.");

  public static final Setting<Long> SNAPSHOT_LOG_BYTES =
      IN.standard(
          "snapshot-log-bytes",
          Kinds.bytes(64 << 10, TIB),
          "256MiB",
          "By how much the log grows between two snapshots, or by half of the live data if that is"
              + " more.");

  public static final Setting<Long> READER_BYTES_MAX =
      IN.standard(
          "reader-bytes-max",
          Kinds.bytes(0, TIB),
          "1GiB",
          "How much of the log a backup that is being taken may keep from being deleted.");

  public static final Setting<Long> SEGMENT_BYTES =
      IN.standard(
          "segment-bytes",
          Kinds.bytes(64 << 10, 1 << 30),
          "64MiB",
          "How large a file of the log becomes.");

  public static final Setting<Boolean> ACCEPT_CLOCK =
      IN.off(
          "accept-clock",
          "Starts though the clock is more than a minute behind the newest record.");

  public static final Setting<Boolean> JOURNAL_CLEANUP =
      IN.off(
          "journal-cleanup",
          "EntroQ's; without effect, as what a snapshot replaces is always deleted.");

  public static final Setting<Long> JOURNAL_MAX_ITEMS =
      IN.standard(
          "journal-max-items",
          Kinds.count("N", Long.MAX_VALUE),
          "0",
          "EntroQ's; without effect, as files of the log end by --segment-bytes.");

  public static final Setting<Long> JOURNAL_MAX_BYTES =
      IN.standard(
          "journal-max-bytes",
          Kinds.count("N", Long.MAX_VALUE),
          "0",
          "EntroQ's; without effect, as files of the log end by --segment-bytes.");

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
        SEGMENT_BYTES,
        ACCEPT_CLOCK,
        JOURNAL_CLEANUP,
        JOURNAL_MAX_ITEMS,
        JOURNAL_MAX_BYTES);
  }
}
