package io.entroq.load;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.spi.ForwardingQueue;
import io.entroq.api.spi.TimeLimitedQueue;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine in memory, of which tests override what is to go wrong, and a clock that each claim
 * moves by a millisecond.
 */
class QueueDouble extends ForwardingQueue {
  final EntroQ engine = queue();
  final ManualClock clock = new ManualClock();
  final AtomicInteger claims = new AtomicInteger();

  QueueDouble() {
    super(EmbeddedEntroQ.inMemory());
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new TimeLimitedQueue(this, timeout);
  }

  @Override
  public List<Task> tryClaimMany(Claim claim) {
    claims.incrementAndGet();
    clock.advance(Duration.ofMillis(1));
    return engine.tryClaimMany(claim);
  }

  @Override
  public ModifyResult modify(Modification modification) {
    return engine.modify(modification);
  }
}
