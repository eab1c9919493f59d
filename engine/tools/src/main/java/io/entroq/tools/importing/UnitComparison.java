package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import io.entroq.tools.importing.source.SourceException;
import io.entroq.tools.terminal.Interruption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Compares one place: everything at the source is looked for at the target; if the target has more
 * then, what that is is looked for at the source.
 *
 * @param <T> what is in it
 */
final class UnitComparison<T extends Item> {
  private final ImportUnit<T> place;
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
   * @param onSeen told how much of the place has been looked at
   * @param shownMax how many differences to tell of
   */
  UnitComparison(
      ImportUnit<T> place,
      RetryLoop retry,
      Interruption interruption,
      LongConsumer onSeen,
      int shownMax) {
    this.place = place;
    this.retry = retry;
    this.interruption = interruption;
    this.onSeen = onSeen;
    this.shownMax = shownMax;
  }

  /** Does it. */
  UnitDifference run() {
    while (true) {
      begin();
      try {
        place.forEach(batch);
        batch.flush();
        long atTarget = retry.ofTarget(place::targetSize);
        long extra = Math.max(0, atTarget - found);
        if (extra > 0) {
          new ExtraSearch<>(place, retry, interruption, shownMax - shown.size())
              .run()
              .forEach(id -> show(id, "is at the target alone"));
        }
        return new UnitDifference(place.name(), atSource, atTarget, missing, different, extra);
      } catch (SourceException e) {
        retry.failed(place.name(), e);
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

  /** The first differences, in words. */
  List<String> shown() {
    return List.copyOf(shown);
  }

  private void compare(List<T> items) {
    if (interruption.isRequested()) {
      throw new ImportInterruptedException();
    }
    Map<String, T> there = retry.ofTarget(() -> place.there(items.stream().map(Item::id).toList()));
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
    if (place.isOf(there)) {
      found++;
    }
    List<String> differences = place.differences(item, there);
    if (!differences.isEmpty()) {
      different++;
      show(item.id(), String.join("; ", differences));
    }
  }

  private void show(String id, String what) {
    if (shown.size() < shownMax) {
      UnitName name = place.name();
      shown.add("%s: %s %s %s".formatted(name, name.kind().item(), id, what));
    }
  }
}
