package io.entroq.simulator.replica;

import org.agrona.collections.Int2ObjectHashMap;

/**
 * How far each client has seen the log, by its replies: the position that it brings to a member
 * that may be behind. One thread.
 */
final class ClientPositions {
  private final Int2ObjectHashMap<long[]> told = new Int2ObjectHashMap<>();

  /** A client is told of a record. */
  void note(int client, long sequence) {
    long[] newest = told.computeIfAbsent(client, unused -> new long[1]);
    newest[0] = Math.max(newest[0], sequence);
  }

  /** The newest record that a client has been told of; 0: none. */
  long of(int client) {
    long[] newest = told.get(client);
    return newest == null ? 0 : newest[0];
  }
}
