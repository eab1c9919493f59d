package io.entroq.examples.mapreduce;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A planned word count.
 *
 * @param root the directory whose files are counted
 * @param files how many files there are
 * @param bytes their total size
 * @param chunks how many chunks they have: the number of map and of shuffle tasks
 * @param partitions how many partitions words are divided into: the number of reduce tasks
 * @param poison how many additional map tasks always fail
 * @param seed seed of the injected faults unless a later run sets another
 * @param binaryFiles how many files were skipped because they are not text
 * @param unreadableFiles how many files were skipped because they could not be read
 */
public record Job(
    Path root,
    int files,
    long bytes,
    int chunks,
    int partitions,
    int poison,
    long seed,
    long binaryFiles,
    int unreadableFiles) {
  /** How many tasks of a stage must be committed. */
  public int tasks(Stage stage) {
    return switch (stage) {
      case MAP, SHUFFLE -> chunks;
      case REDUCE -> partitions;
      case COORDINATE -> Coordination.STEPS;
    };
  }

  /** How many tasks must be committed in total. */
  public long tasks() {
    long tasks = 0;
    for (Stage stage : Stage.values()) {
      tasks += tasks(stage);
    }
    return tasks;
  }

  /** Formats the job as the value of a task. */
  String format() {
    return Stream.of(
            files, bytes, chunks, partitions, poison, seed, binaryFiles, unreadableFiles, root)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }

  /** Reads what {@link #format} wrote. */
  static Job parse(String value) {
    String[] fields = value.split(" ", 9);
    return new Job(
        Path.of(fields[8]),
        Integer.parseInt(fields[0]),
        Long.parseLong(fields[1]),
        Integer.parseInt(fields[2]),
        Integer.parseInt(fields[3]),
        Integer.parseInt(fields[4]),
        Long.parseLong(fields[5]),
        Long.parseLong(fields[6]),
        Integer.parseInt(fields[7]));
  }
}
