package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import java.time.Duration;
import java.time.Instant;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Whether the queue answers. */
final class EntroQHealthIndicator extends AbstractHealthIndicator {
  private final EntroQ queue;
  private final Duration timeout;

  EntroQHealthIndicator(EntroQ queue, Duration timeout) {
    super("The queue does not answer");
    this.queue = queue;
    this.timeout = timeout;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    try {
      Instant unused = queue.withTimeout(timeout).time();
      builder.up();
    } catch (EntroQException e) {
      builder.down(e);
    }
  }
}
