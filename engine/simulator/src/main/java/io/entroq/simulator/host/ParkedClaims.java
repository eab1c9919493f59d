package io.entroq.simulator.host;

import io.entroq.simulator.call.PendingRequest;
import io.entroq.simulator.call.Reply;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The requests of waiting claims. A request repeated while its claim waits gets the same answer.
 * One thread.
 */
final class ParkedClaims {
  private final Long2ObjectHashMap<Queue<PendingRequest>> bySequence = new Long2ObjectHashMap<>();

  /**
   * A claim waits, or is repeated while it waits.
   *
   * @param sequence under which its answer will come
   */
  void add(long sequence, PendingRequest pending) {
    bySequence.computeIfAbsent(sequence, unused -> new ArrayDeque<>(1)).add(pending);
  }

  /** A claim has its answer, for every request that asked for it. */
  void answer(long sequence, Consumer<PendingRequest> answerer) {
    Queue<PendingRequest> pending = bySequence.remove(sequence);
    if (pending != null) {
      pending.forEach(answerer);
    }
  }

  /** Ends all claims, the oldest first. */
  void endAll(Reply with) {
    long[] sequences = bySequence.keySet().stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sequences);
    for (long sequence : sequences) {
      answer(sequence, pending -> pending.reply(with));
    }
  }
}
