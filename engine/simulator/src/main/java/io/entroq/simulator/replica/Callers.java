package io.entroq.simulator.replica;

import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The callers that a member holds in one of its lives: what was proposed for them under which
 * number, and whose claims wait. One thread.
 */
final class Callers {
  private static final int TRIES_MAX = 10;

  private final Long2ObjectHashMap<Asking> open = new Long2ObjectHashMap<>();
  private final Long2ObjectHashMap<List<Asking>> parked = new Long2ObjectHashMap<>();
  private final Queue<Asking> unsure = new ArrayDeque<>();

  /** A caller, and what was proposed for him. */
  private static final class Asking {
    final Request request;
    final ReplyEnd end;
    final Entry entry;
    long proposedNs;
    int tries = 1;

    Asking(Request request, ReplyEnd end, Entry entry, long proposedNs) {
      this.request = request;
      this.end = end;
      this.entry = entry;
      this.proposedNs = proposedNs;
    }
  }

  /** How many have neither an answer nor a claim that waits. */
  int openCount() {
    return open.size();
  }

  /** Something is proposed for a caller who wants an answer. */
  void add(Entry entry, Request request, ReplyEnd end, long nowNs) {
    Asking asking = new Asking(request, end, entry, nowNs);
    open.put(entry.proposal, asking);
    unsure.add(asking);
  }

  /**
   * Proposes anew what may be, and has not been applied since that time. Of what has been waited
   * for often enough nobody expects an answer any more.
   */
  void proposeAgain(OrderedLog log, long beforeNs, long nowNs) {
    while (!unsure.isEmpty() && unsure.peek().proposedNs < beforeNs) {
      Asking asking = unsure.poll();
      long proposal = asking.entry.proposal;
      if (open.get(proposal) != asking) {
        continue;
      }
      if (asking.tries == TRIES_MAX) {
        open.remove(proposal);
        continue;
      }
      asking.tries++;
      asking.proposedNs = nowNs;
      unsure.add(asking);
      if (asking.entry.isRepeatable) {
        log.propose(asking.entry.again());
      }
    }
  }

  /** A proposal has its answer. */
  void answer(long proposal, Reply reply) {
    Asking asking = open.remove(proposal);
    if (asking != null) {
      asking.end.reply(asking.request, reply);
    }
  }

  /** A proposal is a claim that waits, under this sequence. */
  void park(long proposal, long sequence) {
    Asking asking = open.remove(proposal);
    if (asking != null) {
      parked.computeIfAbsent(sequence, unused -> new ArrayList<>(1)).add(asking);
    }
  }

  boolean isParked(long sequence) {
    return parked.containsKey(sequence);
  }

  /** A claim that waited has its answer. */
  void answerParked(long sequence, Reply reply) {
    for (Asking asking : parked.remove(sequence)) {
      asking.end.reply(asking.request, reply);
    }
  }
}
