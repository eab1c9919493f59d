package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import java.time.Duration;
import java.util.Map;

/** Copies what is at the source and not yet at the target. Used once. */
public final class Copier {
  private final Places places;
  private final ImportState state;
  private final Patience patience;
  private final ImportView view;
  private final CopyTally tally = new CopyTally();

  /**
   * Prepares it.
   *
   * @param state spares what is done already
   * @param patience how long one of the sides may be away
   */
  public Copier(Places places, ImportState state, Duration patience, ImportView view) {
    this.places = places;
    this.state = state;
    this.patience = new Patience(patience, places.interruption(), places.targetName());
    this.view = view;
  }

  /** What it has done, also after an exception. */
  public CopyTally tally() {
    return tally;
  }

  /**
   * Does it.
   *
   * @throws EndedException if it is interrupted
   * @throws io.entroq.tools.terminal.CommandException if it cannot go on
   */
  public void run(Inventory inventory) {
    long total = inventory.total();
    long done = 0;
    view.at("copying", 0, total);
    for (Map.Entry<PlaceName, Long> place : inventory.sizes().entrySet()) {
      if (!state.isDone(place.getKey())) {
        copy(places.place(place.getKey()), done, total);
      }
      done += place.getValue();
      view.at("copying", Math.min(done, total), total);
    }
  }

  private <T extends Item> void copy(Place<T> place, long doneBefore, long total) {
    long refusedBefore = tally.refused();
    new PlaceCopy<>(
            place,
            patience,
            places.interruption(),
            tally,
            seen -> view.at("copying", Math.min(doneBefore + seen, total), total))
        .run();
    if (tally.refused() == refusedBefore) {
      state.done(place.name());
    }
  }
}
