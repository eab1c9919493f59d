package io.entroq.tools.importing;

import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.importing.source.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Compares each place of the source with that of the target: how much there is, and of all that can
 * be carried whether it is the same. What the target has elsewhere is nobody's business. Used once.
 */
public final class ImportVerification {
  /** Of so many places it is said how they stand, though they are equal. */
  private static final int EQUAL_SHOWN_MAX = 50;

  private static final int DIFFERENT_SHOWN_MAX = 1_000;

  private final ImportSides places;
  private final RetryLoop retry;
  private final int differencesMax;
  private final ImportView view;
  private final List<UnitDifference> equal = new ArrayList<>();
  private final List<UnitDifference> different = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();
  private final Map<Kind, Long> items = new EnumMap<>(Kind.class);
  private final Map<Kind, Long> unitsSeen = new EnumMap<>(Kind.class);
  private long differentUnits;

  /**
   * Prepares it.
   *
   * @param retry how long one of the sides may be away
   * @param differencesMax how many differences to tell of
   */
  public ImportVerification(
      ImportSides places, Duration retry, int differencesMax, ImportView view) {
    this.places = places;
    this.retry = new RetryLoop(retry, places.interruption(), places.targetName());
    this.differencesMax = differencesMax;
    this.view = view;
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
    view.at("comparing", 0, total);
    for (Map.Entry<UnitName, Long> place : inventory.sizes().entrySet()) {
      compare(places.place(place.getKey()), done, total);
      done += place.getValue();
      view.at("comparing", Math.min(done, total), total);
    }
  }

  private <T extends Item> void compare(ImportUnit<T> place, long doneBefore, long total) {
    UnitComparison<T> comparison =
        new UnitComparison<>(
            place,
            retry,
            places.interruption(),
            seen -> view.at("comparing", Math.min(doneBefore + seen, total), total),
            differencesMax - differences.size());
    UnitDifference compared = comparison.run();
    differences.addAll(comparison.shown());
    Kind kind = place.name().kind();
    items.merge(kind, compared.atSource(), Long::sum);
    unitsSeen.merge(kind, 1L, Long::sum);
    if (compared.isEqual()) {
      addUpTo(EQUAL_SHOWN_MAX, equal, compared);
    } else {
      differentUnits++;
      addUpTo(DIFFERENT_SHOWN_MAX, different, compared);
    }
  }

  private static void addUpTo(int most, List<UnitDifference> list, UnitDifference compared) {
    if (list.size() < most) {
      list.add(compared);
    }
  }

  /** Whether everything is the same. */
  public boolean isEqual() {
    return differentUnits == 0;
  }

  /** How many places are not the same. */
  public long differentUnits() {
    return differentUnits;
  }

  /** How many queues, or namespaces, were compared. */
  public long units(Kind kind) {
    return unitsSeen.getOrDefault(kind, 0L);
  }

  /** How many tasks, or docs, the source has. */
  public long items(Kind kind) {
    return items.getOrDefault(kind, 0L);
  }

  /** The places to show: first those that differ, then some of those that do not. */
  public List<UnitDifference> reportedUnits() {
    List<UnitDifference> shown = new ArrayList<>(different);
    shown.addAll(equal);
    return shown;
  }

  /** The first differences, in words. */
  public List<String> differences() {
    return List.copyOf(differences);
  }
}
