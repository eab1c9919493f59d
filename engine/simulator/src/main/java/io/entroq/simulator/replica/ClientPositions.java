package io.entroq.simulator.replica;

import org.agrona.collections.Int2ObjectHashMap;

/**
 * How far each client has seen the log, by its replies: the position that it brings to a member
 * that may be behind. One thread.
 */
final class ClientPositions {
  private final Int2ObjectHashMap<long[]> byClient = new Int2ObjectHashMap<>();

  /** A client is told of a record. */
  void note(int client, long sequence) {
    long[] newest = byClient.computeIfAbsent(client, unused -> new long[1]);
    newest[0] = Math.max(newest[0], sequence);
  }

  /** The newest record that a client has been told of; 0: none. */
  long of(int client) {
    long[] newest = byClient.get(client);
    return newest == null ? 0 : newest[0];
  }
}
