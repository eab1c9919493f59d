package io.entroq.system.history;

import java.util.List;

/**
 * What a caller asked.
 *
 * @param op its name, which no other operation has
 * @param caller asks one thing at a time
 * @param atNs when, by the clock of {@link System#nanoTime} that all processes of a machine share
 * @param writes of a Modify
 * @param deletes of a Modify
 * @param queues from which it claims; none: it does not
 * @param leaseMs of what it claims
 * @param patienceMs within which it has to end, one way or another
 * @param ids of a read
 */
public record Asked(
    String op,
    String caller,
    Kind kind,
    long atNs,
    List<Written> writes,
    List<TaskVersion> deletes,
    List<String> queues,
    long leaseMs,
    long patienceMs,
    List<String> ids) {
  /** Copies the lists. */
  public Asked {
    writes = List.copyOf(writes);
    deletes = List.copyOf(deletes);
    queues = List.copyOf(queues);
    ids = List.copyOf(ids);
  }
}
