package io.entroq.junit;

import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.engine.embedded.TestEntroQ;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What happens in a queue from now on. It has no thread and copies nothing: the queue's feed keeps
 * the latest 16 MiB of effects for it, which are read if somebody asks. For one thread.
 */
final class EffectRecorder implements AutoCloseable {
  private static final int LINES_MAX = 200;
  private static final Set<EffectKind> FAILURES = EnumSet.of(EffectKind.FAILED, EffectKind.DIED);

  private final TestEntroQ queue;
  private final Instant start;
  private FeedCursor feed;

  /** The latest ones. */
  private final ArrayDeque<Line> lines = new ArrayDeque<>();

  private long total;

  /** What is missing; empty if nothing is. */
  private String gap = "";

  /**
   * @param subject what it was on
   */
  private record Line(String subject, String text) {}

  EffectRecorder(TestEntroQ queue) {
    this.queue = queue;
    start = queue.now();
    feed = open(FeedQuery.fromNow());
  }

  private FeedCursor open(FeedQuery.Builder query) {
    return queue.openFeed(query.withValues().build());
  }

  /** Reads what has happened since the last call, and tells all of it. */
  TaskHistory history() {
    try {
      read();
    } catch (EntroQException.OutOfRange e) {
      gap = "; earlier effects are not kept";
      readFrom(e.first());
    } catch (EntroQException e) {
      gap = "; others cannot be read: " + e.getMessage();
    }
    return new TaskHistory(text());
  }

  private void readFrom(long firstSequence) {
    feed.close();
    feed = open(FeedQuery.after(FeedPosition.after(firstSequence - 1)));
    try {
      read();
    } catch (EntroQException e) {
      gap += ", and others cannot be read: " + e.getMessage();
    }
  }

  private void read() {
    for (Optional<Effect> next = feed.poll(); next.isPresent(); next = feed.poll()) {
      total++;
      if (lines.size() == LINES_MAX) {
        lines.removeFirst();
      }
      lines.add(new Line(subject(next.get()), text(next.get())));
    }
  }

  private String text() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    lines.forEach(
        line -> groups.computeIfAbsent(line.subject, key -> new ArrayList<>()).add(line.text));
    StringBuilder text = new StringBuilder();
    text.append(
        "%,d %s during this test%s%s. Times are the queue's, since the start of the test"
            .formatted(
                total,
                total == 1 ? "effect" : "effects",
                total > lines.size() ? ", of which these are the latest " + lines.size() : "",
                gap));
    groups.forEach(
        (subject, effects) -> {
          text.append("\n  ").append(subject);
          effects.forEach(effect -> text.append("\n    ").append(effect));
        });
    return text.toString();
  }

  private static String subject(Effect effect) {
    return effect
        .task()
        .map(task -> "task " + task.id().text())
        .or(() -> effect.doc().map(doc -> "doc " + doc.id().id() + " in " + doc.id().namespace()))
        .or(() -> effect.docSet().map(set -> "doc set " + set.key() + " in " + set.namespace()))
        .or(() -> effect.policy().map(policy -> "policy of " + policy.target()))
        .orElse("something unknown");
  }

  private String text(Effect effect) {
    StringBuilder text =
        new StringBuilder("%-17s ".formatted(TaskText.time(start, effect.time())))
            .append(effect.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    effect.task().ifPresent(task -> text.append(" in ").append(task.queue()));
    effect.formerQueue().ifPresent(former -> text.append(", from ").append(former));
    text.append(" by ").append(who(effect));
    effect.task().ifPresent(task -> append(text, effect, task));
    return text.toString();
  }

  /** A claim that waited gets its task from whatever makes it available, such as the time. */
  private static String who(Effect effect) {
    String who =
        effect.kind() == EffectKind.CLAIMED
            ? effect.task().map(Task::claimant).orElse("")
            : effect.requester();
    return who.isEmpty() ? "time" : who;
  }

  private void append(StringBuilder text, Effect effect, Task task) {
    if (effect.kind() == EffectKind.INSERTED && !task.value().isAbsent()) {
      text.append(", value ").append(TaskText.value(task.value()));
    }
    if (task.arrivalTime().isAfter(effect.time()) && effect.kind() != EffectKind.DELETED) {
      text.append(task.isInFlight() ? ", until " : ", due ")
          .append(TaskText.time(start, task.arrivalTime()));
    }
    if (task.attempt() > 0) {
      text.append(", attempt ").append(task.attempt());
    }
    boolean isFailure = FAILURES.contains(effect.kind());
    if (effect.hasFailed() || isFailure) {
      text.append(isFailure ? "" : ", failed").append(TaskText.error(task));
    }
  }

  @Override
  public void close() {
    feed.close();
  }
}
