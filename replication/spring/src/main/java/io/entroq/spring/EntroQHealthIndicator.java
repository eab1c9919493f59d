package io.entroq.spring;

import io.entroq.api.EntroQ;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  protected void doHealthCheck(Health.Builder builder) throws Exception {
    try {
      queue.timeAsync().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      builder.up();
    } catch (TimeoutException e) {
      builder.down().withDetail("error", "no answer within " + timeout.toSeconds() + " s");
    } catch (ExecutionException e) {
      builder.down(e.getCause());
    }
  }
}
