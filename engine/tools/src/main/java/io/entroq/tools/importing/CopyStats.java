package io.entroq.tools.importing;

import io.entroq.tools.importing.UnitName.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a copy has done so far. */
public final class CopyStats {
  /** Of so many it is said why. */
  private static final int SHOWN_MAX = 20;

  private final Map<Kind, Long> inserted = new EnumMap<>(Kind.class);
  private final List<String> refusals = new ArrayList<>();
  private long refused;

  CopyStats() {}

  void inserted(UnitName place, int items) {
    inserted.merge(place.kind(), (long) items, Long::sum);
  }

  void refused(UnitName place, String id, String why) {
    refused++;
    if (refusals.size() < SHOWN_MAX) {
      refusals.add("%s %s of %s: %s".formatted(place.kind().item(), id, place, why));
    }
  }

  /** How many tasks, or docs, were inserted. */
  public long inserted(Kind kind) {
    return inserted.getOrDefault(kind, 0L);
  }

  /** How many the target does not take. */
  public long refused() {
    return refused;
  }

  /** The first of these, and why. */
  public List<String> refusals() {
    return List.copyOf(refusals);
  }
}
