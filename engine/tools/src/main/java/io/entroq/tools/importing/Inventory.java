package io.entroq.tools.importing;

import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.importing.source.SourceException;
import io.entroq.tools.importing.source.SourceException.Reason;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The contents of a source. Immutable.
 *
 * @param sizes number of items in each unit: first queues, then namespaces, by name
 */
public record Inventory(Map<UnitName, Long> sizes) {
  public Inventory {
    sizes = new LinkedHashMap<>(sizes);
  }

  /**
   * Reads the inventory of a source.
   *
   * @param retry how long it may be unavailable
   * @throws ImportInterruptedException if it is interrupted
   * @throws CommandException if the source does not answer or cannot list its contents
   */
  public static Inventory of(
      SourceServer source, DocSelection docs, Duration retry, Interruption interruption) {
    return new RetryLoop(retry, interruption, "")
        .ofSource("which queues and namespaces it has", () -> of(source, docs));
  }

  private static Inventory of(SourceServer source, DocSelection docs) {
    Map<UnitName, Long> sizes = new LinkedHashMap<>();
    source.queues().forEach((name, size) -> sizes.put(new UnitName(Kind.QUEUE, name), size));
    if (!docs.isNone()) {
      Map<String, Long> namespaces = namespaces(source, docs);
      namespaces.forEach((name, size) -> sizes.put(new UnitName(Kind.NAMESPACE, name), size));
    }
    return new Inventory(sizes);
  }

  private static Map<String, Long> namespaces(SourceServer source, DocSelection docs) {
    Map<String, Long> there;
    try {
      there = source.namespaces();
    } catch (SourceException e) {
      if (e.reason() != Reason.UNKNOWN_METHOD) {
        throw e;
      }
      if (docs.namespaces().isEmpty()) {
        throw new CommandException(
            "the source %s cannot list its namespaces, like EntroQ before 1.1:"
                    .formatted(source.where())
                + " name them with --namespace, or leave docs out with --no-docs",
            e);
      }
      there = Map.of();
    }
    if (docs.namespaces().isEmpty()) {
      return there;
    }
    Map<String, Long> chosen = new LinkedHashMap<>();
    for (String name : docs.namespaces()) {
      chosen.put(name, there.getOrDefault(name, 0L));
    }
    return chosen;
  }

  /** Number of tasks or docs. */
  public long items(Kind kind) {
    return sizes.entrySet().stream()
        .filter(entry -> entry.getKey().kind() == kind)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Number of queues or namespaces. */
  public long units(Kind kind) {
    return sizes.keySet().stream().filter(name -> name.kind() == kind).count();
  }

  /** Total number of items. */
  long total() {
    return items(Kind.QUEUE) + items(Kind.NAMESPACE);
  }
}
