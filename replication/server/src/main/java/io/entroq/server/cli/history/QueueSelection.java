package io.entroq.server.cli.history;

import io.entroq.api.feed.FeedQuery;
import io.entroq.codec.effect.EffectReader;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that selects effects on tasks by queue. */
final class QueueSelection {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      description =
          "Only effects on tasks of this queue, or with a * at its end of all queues that start"
              + " with this, also those that leave it; repeatable. Default: all effects.")
  private List<String> queues = List.of();

  boolean selects(EffectReader effect) {
    if (queues.isEmpty()) {
      return true;
    }
    String queue = EffectFields.queue(effect);
    String former = EffectFields.formerQueue(effect);
    return queues.stream().anyMatch(each -> isOf(each, queue) || isOf(each, former));
  }

  /** Makes a feed select the same. */
  void addTo(FeedQuery.Builder feed) {
    for (String queue : queues) {
      if (queue.endsWith("*")) {
        feed.prefixes(queue.substring(0, queue.length() - 1));
      } else {
        feed.queues(queue);
      }
    }
  }

  private static boolean isOf(String selected, String queue) {
    return selected.endsWith("*")
        ? !queue.isEmpty() && queue.startsWith(selected.substring(0, selected.length() - 1))
        : queue.equals(selected);
  }
}
