package io.entroq.examples.mapreduce;

import io.entroq.examples.mapreduce.text.Chunk;
import io.entroq.examples.mapreduce.text.ListedFile;

/**
 * The value of a map task, as text: six fields separated by spaces. The path is last because it may
 * contain any character.
 *
 * @param ordinal its number
 * @param chunk what to count
 */
record MapTask(int ordinal, Chunk chunk) {
  private static final String POISON = "poison ";

  /** The value of a task that has no chunk and always fails. */
  static String poison(int number) {
    return POISON + number;
  }

  /** Whether the value is that of a task that always fails. */
  static boolean isPoison(String value) {
    return value.startsWith(POISON);
  }

  String format() {
    ListedFile file = chunk.file();
    return ordinal
        + (" " + file.size() + " " + file.modifiedNanos())
        + (" " + chunk.from() + " " + chunk.to())
        + (" " + file.path());
  }

  /** Reads what {@link #format} wrote. */
  static MapTask parse(String value) {
    String[] fields = value.split(" ", 6);
    ListedFile file =
        new ListedFile(fields[5], Long.parseLong(fields[1]), Long.parseLong(fields[2]));
    Chunk chunk = new Chunk(file, Long.parseLong(fields[3]), Long.parseLong(fields[4]));
    return new MapTask(Integer.parseInt(fields[0]), chunk);
  }
}
