package io.entroq.load;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** One caller of an EntroQ, which uses its queues in turn. For one thread. */
public final class EntroQSession implements LoadSession {
  /** Longer than any call: an expired lease would duplicate a task. */
  private static final Duration LEASE = Duration.ofHours(1);

  private final EntroQ queue;
  private final List<String> names;
  private final IntConsumer unanswered;
  private Modification insertion;
  private List<Task> claimed = List.of();
  private Modification deletion;
  private Claim claim;
  private int next;

  public EntroQSession(EntroQ queue, String name) {
    this(queue, List.of(name), tasks -> {});
  }

  /**
   * @param names the queues, one for each cycle
   * @param unanswered receives the number of tasks whose deletion has an unknown outcome
   */
  EntroQSession(EntroQ queue, List<String> names, IntConsumer unanswered) {
    this.queue = queue;
    this.names = names;
    this.unanswered = unanswered;
  }

  @Override
  public void prepareInsert(List<byte[]> values) {
    String name = names.get(next);
    next = next + 1 < names.size() ? next + 1 : 0;
    Insert[] inserts = new Insert[values.size()];
    for (int i = 0; i < inserts.length; i++) {
      inserts[i] = EntroQTarget.insert(name, values.get(i));
    }
    insertion = Modification.insert(inserts);
    if (claim == null || names.size() > 1) {
      claim = Claim.from(name).withLease(LEASE);
    }
  }

  @Override
  public void insert(List<byte[]> values) {
    insert(queue, insertion);
  }

  /** Inserts, and checks the number of tasks in the answer. */
  static void insert(EntroQ queue, Modification insertion) {
    ModifyResult.Committed committed = queue.modify(insertion).orThrow();
    if (committed.inserted().size() != insertion.inserts().size()) {
      throw new IllegalStateException(
          "inserted %,d tasks, but the answer contains %,d"
              .formatted(insertion.inserts().size(), committed.inserted().size()));
    }
  }

  @Override
  public List<byte[]> claim(int limit) {
    claimed = queue.tryClaimMany(claim.limit() == limit ? claim : claim.withLimit(limit));
    if (claimed.size() == 1) {
      return List.of(claimed.get(0).value().unwrap());
    }
    List<byte[]> values = new ArrayList<>(claimed.size());
    for (Task task : claimed) {
      values.add(task.value().unwrap());
    }
    return values;
  }

  @Override
  public void prepareCommit() {
    if (claimed.size() == 1) {
      deletion = Modification.delete(claimed.get(0));
    } else {
      TaskRef[] refs = new TaskRef[claimed.size()];
      for (int i = 0; i < refs.length; i++) {
        refs[i] = claimed.get(i).ref();
      }
      deletion = Modification.delete(refs);
    }
  }

  @Override
  public void commit() {
    boolean isAnswered = false;
    try {
      ModifyResult result = queue.modify(deletion);
      isAnswered = !(result instanceof ModifyResult.OutcomeUnknown);
      result.orThrow();
    } finally {
      if (!isAnswered) {
        unanswered.accept(claimed.size());
      }
    }
  }

  @Override
  public void close() {}
}
