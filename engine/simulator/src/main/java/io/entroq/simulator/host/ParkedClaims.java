package io.entroq.simulator.host;

import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Who waits for the answers of waiting claims. A request repeated while its claim waits gets the
 * same answer. One thread.
 */
final class ParkedClaims {
  private final Long2ObjectHashMap<Queue<Asking>> bySequence = new Long2ObjectHashMap<>();

  private record Asking(Request request, ReplyEnd end) {}

  /** Answers someone who waits. */
  @FunctionalInterface
  interface Answerer {
    void answer(Request request, ReplyEnd end);
  }

  /**
   * A claim waits, or comes once more while it does.
   *
   * @param sequence under which its answer will come
   */
  void add(long sequence, Request request, ReplyEnd end) {
    Queue<Asking> asking = bySequence.get(sequence);
    if (asking == null) {
      asking = new ArrayDeque<>(1);
      bySequence.put(sequence, asking);
    }
    asking.add(new Asking(request, end));
  }

  /** A claim has its answer, for all who have asked for it. */
  void answer(long sequence, Answerer answerer) {
    Queue<Asking> asking = bySequence.remove(sequence);
    if (asking != null) {
      asking.forEach(each -> answerer.answer(each.request, each.end));
    }
  }

  /** Ends all, the oldest first. */
  void endAll(Reply with) {
    long[] sequences = bySequence.keySet().stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sequences);
    for (long each : sequences) {
      answer(each, (request, end) -> end.reply(request, with));
    }
  }
}
