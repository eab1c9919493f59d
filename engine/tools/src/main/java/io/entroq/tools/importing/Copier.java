package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import java.time.Duration;
import java.util.Map;

/** Copies what is at the source and not yet at the target. Used once. */
public final class Copier {
  private final ImportSides places;
  private final ImportState state;
  private final RetryLoop retry;
  private final ImportView view;
  private final CopyStats stats = new CopyStats();

  /**
   * Prepares it.
   *
   * @param state spares what is done already
   * @param retry how long one of the sides may be away
   */
  public Copier(ImportSides places, ImportState state, Duration retry, ImportView view) {
    this.places = places;
    this.state = state;
    this.retry = new RetryLoop(retry, places.interruption(), places.targetName());
    this.view = view;
  }

  /** What it has done, also after an exception. */
  public CopyStats stats() {
    return stats;
  }

  /**
   * Does it.
   *
   * @throws ImportInterruptedException if it is interrupted
   * @throws io.entroq.tools.terminal.CommandException if it cannot go on
   */
  public void run(Inventory inventory) {
    long total = inventory.total();
    long done = 0;
    view.at("copying", 0, total);
    for (Map.Entry<UnitName, Long> place : inventory.sizes().entrySet()) {
      if (!state.isDone(place.getKey())) {
        copy(places.place(place.getKey()), done, total);
      }
      done += place.getValue();
      view.at("copying", Math.min(done, total), total);
    }
  }

  private <T extends Item> void copy(ImportUnit<T> place, long doneBefore, long total) {
    long refusedBefore = stats.refused();
    new UnitCopy<>(
            place,
            retry,
            places.interruption(),
            stats,
            seen -> view.at("copying", Math.min(doneBefore + seen, total), total))
        .run();
    if (stats.refused() == refusedBefore) {
      state.done(place.name());
    }
  }
}
