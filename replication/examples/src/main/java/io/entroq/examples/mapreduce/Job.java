package io.entroq.examples.mapreduce;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A planned word count.
 *
 * @param root the directory whose files are counted
 * @param files how many there are
 * @param bytes how many bytes they have together
 * @param chunks how many chunks they make, and so how many map and shuffle tasks there are
 * @param partitions by how many partitions words are parted, and so how many reduce tasks there are
 * @param poison how many map tasks there are besides that can never be done
 * @param seed what chaos is drawn from unless a later run says otherwise
 * @param binaryFiles how many files were left out because they are not text
 * @param unreadableFiles how many were left out because they could not be read
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
  /** How many tasks of a stage have to be committed. */
  public int tasks(Stage stage) {
    return switch (stage) {
      case MAP, SHUFFLE -> chunks;
      case REDUCE -> partitions;
      case COORDINATE -> Coordination.STEPS;
    };
  }

  /** How many tasks have to be committed in all. */
  public long tasks() {
    long tasks = 0;
    for (Stage stage : Stage.values()) {
      tasks += tasks(stage);
    }
    return tasks;
  }

  /** As the value of a task. */
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
