package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import java.time.Duration;
import java.util.Map;

/** Copies what the target does not have yet. Single use. */
public final class Copier {
  private final ImportSides sides;
  private final ImportState state;
  private final RetryLoop retry;
  private final ImportView view;
  private final CopyStats stats = new CopyStats();

  /**
   * Creates a copier.
   *
   * @param state knows which units are complete
   * @param retry how long a side may be unavailable
   */
  public Copier(ImportSides sides, ImportState state, Duration retry, ImportView view) {
    this.sides = sides;
    this.state = state;
    this.retry = new RetryLoop(retry, sides.interruption(), sides.targetName());
    this.view = view;
  }

  /** Statistics, valid even after an exception. */
  public CopyStats stats() {
    return stats;
  }

  /**
   * Copies everything in the inventory.
   *
   * @throws ImportInterruptedException if it is interrupted
   * @throws io.entroq.tools.terminal.CommandException if it fails
   */
  public void run(Inventory inventory) {
    long total = inventory.total();
    long done = 0;
    view.at("copying", 0, total);
    for (Map.Entry<UnitName, Long> unit : inventory.sizes().entrySet()) {
      if (!state.isDone(unit.getKey())) {
        copy(sides.unit(unit.getKey()), done, total);
      }
      done += unit.getValue();
      view.at("copying", Math.min(done, total), total);
    }
  }

  private <T extends Item> void copy(ImportUnit<T> unit, long doneBefore, long total) {
    long refusedBefore = stats.refused();
    new UnitCopy<>(
            unit,
            retry,
            sides.interruption(),
            stats,
            seen -> view.at("copying", Math.min(doneBefore + seen, total), total))
        .run();
    if (stats.refused() == refusedBefore) {
      state.done(unit.name());
    }
  }
}
