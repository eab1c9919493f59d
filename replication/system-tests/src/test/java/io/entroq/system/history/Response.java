package io.entroq.system.history;

import java.util.List;

/**
 * The end of an operation.
 *
 * @param op the name of the operation
 * @param written of a Modify that happened
 * @param tasks claimed or read
 * @param missing versions that a refused Modify named and that did not exist
 */
public record Response(
    String op,
    long atNs,
    Outcome outcome,
    List<ObservedTask> written,
    List<ObservedTask> tasks,
    List<TaskVersion> missing) {
  public Response {
    written = List.copyOf(written);
    tasks = List.copyOf(tasks);
    missing = List.copyOf(missing);
  }
}
