package io.entroq.system.history;

import java.util.List;

/**
 * The start of an operation.
 *
 * @param op its unique name
 * @param caller runs one operation at a time
 * @param atNs when it started, by {@link System#nanoTime}, which all processes of a machine share
 * @param writes of a Modify
 * @param deletes of a Modify
 * @param queues that a claim reads; empty: no claim
 * @param leaseMs of the claim
 * @param limitMs within which the operation must end
 * @param ids of a read
 */
public record Invocation(
    String op,
    String caller,
    OperationKind kind,
    long atNs,
    List<TaskWrite> writes,
    List<TaskVersion> deletes,
    List<String> queues,
    long leaseMs,
    long limitMs,
    List<String> ids) {
  public Invocation {
    writes = List.copyOf(writes);
    deletes = List.copyOf(deletes);
    queues = List.copyOf(queues);
    ids = List.copyOf(ids);
  }
}
