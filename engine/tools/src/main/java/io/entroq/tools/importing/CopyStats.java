package io.entroq.tools.importing;

import io.entroq.tools.importing.UnitName.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Statistics of a copy. */
public final class CopyStats {
  /** How many refusals are reported with their reasons. */
  private static final int SHOWN_MAX = 20;

  private final Map<Kind, Long> inserted = new EnumMap<>(Kind.class);
  private final List<String> refusals = new ArrayList<>();
  private long refused;

  CopyStats() {}

  void inserted(UnitName unit, int items) {
    inserted.merge(unit.kind(), (long) items, Long::sum);
  }

  void refused(UnitName unit, String id, String why) {
    refused++;
    if (refusals.size() < SHOWN_MAX) {
      refusals.add("%s %s of %s: %s".formatted(unit.kind().item(), id, unit, why));
    }
  }

  /** Number of inserted tasks or docs. */
  public long inserted(Kind kind) {
    return inserted.getOrDefault(kind, 0L);
  }

  /** Number of items that the target refused. */
  public long refused() {
    return refused;
  }

  /** The first refusals with reasons. */
  public List<String> refusals() {
    return List.copyOf(refusals);
  }
}
