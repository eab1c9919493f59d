package io.entroq.system.history;

import java.util.List;

/**
 * What a caller was told.
 *
 * @param op which operation this is the end of
 * @param atNs when
 * @param written what was written, of a Modify that was done
 * @param tasks what was claimed or read
 * @param missing what a refused Modify named that was missing or had another version
 */
public record Told(
    String op,
    long atNs,
    Outcome outcome,
    List<Seen> written,
    List<Seen> tasks,
    List<TaskVersion> missing) {
  /** Copies the lists. */
  public Told {
    written = List.copyOf(written);
    tasks = List.copyOf(tasks);
    missing = List.copyOf(missing);
  }
}
