package io.entroq.perf.peers.embedded;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.perf.peers.peer.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The cycle as a user of the library writes it. */
final class EntroQSession implements Session {
  private static final Duration MAX_WAIT = Duration.ofMillis(200);

  private final EntroQ engine;
  private final String name;
  private final Claim claim;
  private List<Task> claimed = List.of();

  EntroQSession(EntroQ engine, String name) {
    this.engine = engine;
    this.name = name;
    claim = Claim.from(name).withMaxWait(MAX_WAIT);
  }

  @Override
  public void insert(List<byte[]> values) {
    Modification.Builder inserts = Modification.builder();
    values.forEach(value -> inserts.insert(name, Value.wrap(Value.Kind.BYTES, value)));
    engine.modify(inserts.build()).orThrow();
  }

  @Override
  public List<byte[]> claim(int limit) throws InterruptedException {
    claimed = engine.claimMany(claim.withLimit(limit));
    List<byte[]> values = new ArrayList<>(claimed.size());
    claimed.forEach(task -> values.add(task.value().unwrap()));
    return values;
  }

  @Override
  public void commit() {
    Modification.Builder deletes = Modification.builder();
    claimed.forEach(deletes::delete);
    engine.modify(deletes.build()).orThrow();
  }

  @Override
  public void close() {}
}
