package io.entroq.simulator.replica;

import org.agrona.collections.Int2ObjectHashMap;

/**
 * How far the replies to each client have shown the log: the position that it passes to a member
 * that may be behind. One thread.
 */
final class ClientPositions {
  private final Int2ObjectHashMap<long[]> byClient = new Int2ObjectHashMap<>();

  /** A reply to a client shows a record. */
  void note(int client, long sequence) {
    long[] newest = byClient.computeIfAbsent(client, unused -> new long[1]);
    newest[0] = Math.max(newest[0], sequence);
  }

  /** The newest record that a client has seen; 0: none. */
  long of(int client) {
    long[] newest = byClient.get(client);
    return newest == null ? 0 : newest[0];
  }
}
