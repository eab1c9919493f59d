package io.entroq.spring;

import java.time.Duration;
import java.util.List;

/**
 * A listener with its settings, placeholders replaced and defaults applied.
 *
 * @param quarantine exceptions after which a task is not retried
 */
record ListenerDefinition(
    String name,
    List<String> queues,
    int concurrency,
    Duration lease,
    int attempts,
    List<Class<? extends Throwable>> quarantine,
    ListenerMethod method) {
  ListenerDefinition {
    queues = List.copyOf(queues);
    quarantine = List.copyOf(quarantine);
  }
}
