package io.entroq.server.demo;

import io.entroq.api.Durability;
import io.entroq.tools.terminal.OptionRange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The settings of a demo run.
 *
 * @param root the directory whose files are counted; if empty, the root of the job in the data
 *     directory, or the current directory for a new job
 * @param data the data directory; if empty, a temporary one
 * @param durability what a reply guarantees
 * @param workers number of workers, from 1 to 1,000
 * @param keep whether to keep a temporary directory after success
 * @param crashPercent percentage of claims after which the worker dies
 * @param hangPercent percentage of claims after which the worker hangs
 * @param poison number of tasks that always fail, from 0 to 1,000
 * @param seed seed of the crashes and hangs; if empty, the seed of the job in the data directory,
 *     or a random one for a new job
 * @param lease duration of a lease that is not renewed
 * @param chunkBytes size of a chunk of a file, from 1 byte to 256 KiB
 * @param progress whether to show progress
 * @param console whether the queue has a console meanwhile
 * @param json whether to print the summary as JSON to the standard output, and the text to the
 *     error output
 * @param givenOptions names of the run options on the command line; a finished job ignores them
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
    boolean console,
    boolean json,
    List<String> givenOptions) {
  /** Limits a chunk so that its word counts fit into the value of a task. */
  public static final int CHUNK_BYTES_MAX = 256 << 10;

  public static final int WORKERS_MAX = 1_000;

  public static final int POISON_MAX = 1_000;

  /**
   * Checks the ranges and copies the list.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  public DemoConfig {
    givenOptions = List.copyOf(givenOptions);
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
