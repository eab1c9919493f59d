package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import io.entroq.tools.importing.source.SourceException;
import io.entroq.tools.terminal.Interruption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Compares one unit: looks up all items of the source at the target; if the target has more, also
 * looks for its extra items.
 *
 * @param <T> the type of the items
 */
final class UnitComparison<T extends Item> {
  private final ImportUnit<T> unit;
  private final RetryLoop retry;
  private final Interruption interruption;
  private final LongConsumer onSeen;
  private final int shownMax;
  private final Batch<T> batch = new Batch<>(this::compare);
  private final List<String> shown = new ArrayList<>();
  private long atSource;
  private long found;
  private long missing;
  private long different;

  /**
   * @param onSeen receives the number of items processed
   * @param shownMax how many differences to report
   */
  UnitComparison(
      ImportUnit<T> unit,
      RetryLoop retry,
      Interruption interruption,
      LongConsumer onSeen,
      int shownMax) {
    this.unit = unit;
    this.retry = retry;
    this.interruption = interruption;
    this.onSeen = onSeen;
    this.shownMax = shownMax;
  }

  UnitDifference run() {
    while (true) {
      begin();
      try {
        unit.forEach(batch);
        batch.flush();
        long atTarget = retry.ofTarget(unit::targetSize);
        long extra = Math.max(0, atTarget - found);
        if (extra > 0) {
          new ExtraSearch<>(unit, retry, interruption, shownMax - shown.size())
              .run()
              .forEach(id -> show(id, "is only at the target"));
        }
        return new UnitDifference(unit.name(), atSource, atTarget, missing, different, extra);
      } catch (SourceException e) {
        retry.failed(unit.name(), e);
      }
    }
  }

  private void begin() {
    batch.clear();
    shown.clear();
    atSource = 0;
    found = 0;
    missing = 0;
    different = 0;
  }

  /** Descriptions of the first differences. */
  List<String> shown() {
    return List.copyOf(shown);
  }

  private void compare(List<T> items) {
    if (interruption.isRequested()) {
      throw new ImportInterruptedException();
    }
    Map<String, T> there =
        retry.ofTarget(() -> unit.atTarget(items.stream().map(Item::id).toList()));
    for (T item : items) {
      compare(item, there.get(item.id()));
    }
    atSource += items.size();
    onSeen.accept(atSource);
  }

  private void compare(T item, T there) {
    if (there == null) {
      missing++;
      show(item.id(), "is not at the target");
      return;
    }
    if (unit.isOf(there)) {
      found++;
    }
    List<String> differences = unit.differences(item, there);
    if (!differences.isEmpty()) {
      different++;
      show(item.id(), String.join("; ", differences));
    }
  }

  private void show(String id, String what) {
    if (shown.size() < shownMax) {
      UnitName name = unit.name();
      shown.add("%s: %s %s %s".formatted(name, name.kind().item(), id, what));
    }
  }
}
