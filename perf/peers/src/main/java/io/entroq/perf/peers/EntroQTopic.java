package io.entroq.perf.peers;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.perf.peers.peer.Topic;
import java.time.Duration;
import java.util.List;

/** A topic of EntroQ. A group's member claims tasks and deletes them. */
final class EntroQTopic implements Topic {
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration WAIT = Duration.ofMillis(200);

  private final EntroQ queue;
  private final String name;

  EntroQTopic(EntroQ queue, String name) {
    this.queue = queue;
    this.name = name;
  }

  @Override
  public void send(List<byte[]> values) {
    Insert[] inserts =
        values.stream()
            .map(value -> Insert.into(name).withValue(Value.wrap(Value.Kind.BYTES, value)))
            .toArray(Insert[]::new);
    queue.modify(Modification.insert(inserts)).orThrow();
  }

  @Override
  public Member join(String group) {
    return new Claimant(Claim.from(name + "/" + group).withLease(LEASE).withMaxWait(WAIT));
  }

  @Override
  public void close() {}

  private final class Claimant implements Member {
    private final Claim claim;
    private List<Task> claimed = List.of();

    Claimant(Claim claim) {
      this.claim = claim;
    }

    @Override
    public List<byte[]> receive(int limit) throws InterruptedException {
      claimed = queue.claimMany(claim.withLimit(limit));
      return claimed.stream().map(task -> task.value().unwrap()).toList();
    }

    @Override
    public void commit() {
      queue
          .modify(Modification.delete(claimed.stream().map(Task::ref).toArray(TaskRef[]::new)))
          .orThrow();
    }

    @Override
    public void close() {}
  }
}
