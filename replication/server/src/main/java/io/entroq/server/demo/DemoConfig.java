package io.entroq.server.demo;

import io.entroq.api.Durability;
import io.entroq.tools.terminal.OptionRange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the demo is to do.
 *
 * @param root the directory whose files are counted; empty: the one that the data directory was
 *     begun with, or else the current one
 * @param data where the log is; empty: in a temporary directory
 * @param durability what a reply promises
 * @param workers how many there are, from 1 to 1,000
 * @param keep whether to keep a temporary directory after success
 * @param crashPercent share of the tasks handed out whose worker dies
 * @param hangPercent share of the tasks handed out whose worker hangs
 * @param poison how many tasks there are that can never be done, from 0 to 1,000
 * @param seed what chaos is drawn from; empty: what the data directory was begun with, or else a
 *     new one
 * @param lease how long a task is a worker's without a word from it
 * @param chunkBytes how large the chunks of files are, from 1 to 256 KiB
 * @param progress whether to show progress
 * @param json whether to print the summary as JSON, and what is for people beside it
 * @param given which of the options that shape a run were given, by name
 */
public record DemoConfig(
    Optional<Path> root,
    Optional<Path> data,
    Durability durability,
    int workers,
    boolean keep,
    double crashPercent,
    double hangPercent,
    int poison,
    OptionalLong seed,
    Duration lease,
    int chunkBytes,
    boolean progress,
    boolean json,
    List<String> given) {
  /** How large a chunk may be, so that the counts of its words fit into the value of a task. */
  public static final int CHUNK_BYTES_MAX = 256 << 10;

  /** How many workers there may be. */
  public static final int WORKERS_MAX = 1_000;

  /** How many poisoned tasks there may be. */
  public static final int POISON_MAX = 1_000;

  /**
   * Checks the ranges, and copies the list.
   *
   * @throws IllegalArgumentException with a line for people
   */
  public DemoConfig {
    given = List.copyOf(given);
    OptionRange.require("--workers", workers, 1, WORKERS_MAX);
    OptionRange.require("--crash-percent", crashPercent, 0, 100);
    OptionRange.require("--hang-percent", hangPercent, 0, 100);
    OptionRange.require(
        "--crash-percent and --hang-percent together", crashPercent + hangPercent, 0, 100);
    OptionRange.require("--poison", poison, 0, POISON_MAX);
    OptionRange.require("--lease-ms", (double) lease.toMillis(), 50, 600_000);
    OptionRange.require("--chunk-bytes", chunkBytes, 1, CHUNK_BYTES_MAX);
  }
}
