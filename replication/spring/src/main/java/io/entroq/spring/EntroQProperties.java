package io.entroq.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which queue the application uses, and the defaults of its listeners. Without address and data,
 * the queue is in memory.
 *
 * @param address Server or cluster, as HOST:PORT; members of a cluster are separated by commas.
 *     Excludes 'entroq.data'.
 * @param data Directory of an engine in this process, created if needed. Excludes 'entroq.address'.
 * @param listener defaults for methods with {@link QueueListener}
 */
@ConfigurationProperties("entroq")
public record EntroQProperties(
    @Nullable String address, @Nullable String data, @DefaultValue Listener listener) {
  /**
   * Defaults for methods with {@link QueueListener}.
   *
   * @param autoStartup Whether listeners start with the application.
   * @param concurrency How many tasks a listener handles at once, each on its own thread; from 1 to
   *     100,000.
   * @param lease How long a task stays claimed if the application dies; at least 1 ms. Renewed
   *     while its listener runs.
   * @param attempts After how many failures a task goes to the error queue; 0 for never.
   */
  public record Listener(
      @DefaultValue("true") boolean autoStartup,
      @DefaultValue("1") int concurrency,
      @DefaultValue("45s") Duration lease,
      @DefaultValue("20") int attempts) {}
}
