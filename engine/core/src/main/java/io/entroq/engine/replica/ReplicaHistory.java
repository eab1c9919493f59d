package io.entroq.engine.replica;

import java.util.function.LongSupplier;

/**
 * The files in which a replica's history is, which others write and may replace. Any thread.
 *
 * @param written the last record that is in the files
 * @param generation 0 while the files cannot be read, else a number that changes when they are
 *     replaced
 */
public record ReplicaHistory(LongSupplier written, LongSupplier generation) {}
