package io.entroq.tools.importing;

import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.importing.source.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Compares each unit of the source with the target: number and content of items. Other units of the
 * target are ignored. Single use.
 */
public final class ImportVerification {
  /** How many equal units are reported. */
  private static final int EQUAL_SHOWN_MAX = 50;

  private static final int DIFFERENT_SHOWN_MAX = 1_000;

  private final ImportSides sides;
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
   * Creates a verification.
   *
   * @param retry how long a side may be unavailable
   * @param differencesMax how many differences to report
   */
  public ImportVerification(
      ImportSides sides, Duration retry, int differencesMax, ImportView view) {
    this.sides = sides;
    this.retry = new RetryLoop(retry, sides.interruption(), sides.targetName());
    this.differencesMax = differencesMax;
    this.view = view;
  }

  /**
   * Compares everything in the inventory.
   *
   * @throws ImportInterruptedException if it is interrupted
   * @throws io.entroq.tools.terminal.CommandException if it fails
   */
  public void run(Inventory inventory) {
    long total = inventory.total();
    long done = 0;
    view.at("comparing", 0, total);
    for (Map.Entry<UnitName, Long> unit : inventory.sizes().entrySet()) {
      compare(sides.unit(unit.getKey()), done, total);
      done += unit.getValue();
      view.at("comparing", Math.min(done, total), total);
    }
  }

  private <T extends Item> void compare(ImportUnit<T> unit, long doneBefore, long total) {
    UnitComparison<T> comparison =
        new UnitComparison<>(
            unit,
            retry,
            sides.interruption(),
            seen -> view.at("comparing", Math.min(doneBefore + seen, total), total),
            differencesMax - differences.size());
    UnitDifference compared = comparison.run();
    differences.addAll(comparison.shown());
    Kind kind = unit.name().kind();
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

  /** Whether all units are equal. */
  public boolean isEqual() {
    return differentUnits == 0;
  }

  /** Number of units that differ. */
  public long differentUnits() {
    return differentUnits;
  }

  /** Number of compared queues or namespaces. */
  public long units(Kind kind) {
    return unitsSeen.getOrDefault(kind, 0L);
  }

  /** Number of tasks or docs at the source. */
  public long items(Kind kind) {
    return items.getOrDefault(kind, 0L);
  }

  /** The units to report: first those that differ, then some equal ones. */
  public List<UnitDifference> reportedUnits() {
    List<UnitDifference> shown = new ArrayList<>(different);
    shown.addAll(equal);
    return shown;
  }

  /** Descriptions of the first differences. */
  public List<String> differences() {
    return List.copyOf(differences);
  }
}
