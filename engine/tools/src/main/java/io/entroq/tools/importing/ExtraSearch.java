package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import io.entroq.tools.terminal.Interruption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds items that the target has in a unit and the source does not.
 *
 * @param <T> the type of the items
 */
final class ExtraSearch<T extends Item> {
  private final ImportUnit<T> unit;
  private final RetryLoop retry;
  private final Interruption interruption;
  private final int wanted;
  private final List<String> ids = new ArrayList<>();
  private final Set<String> found = new LinkedHashSet<>();

  /**
   * @param wanted how many to find
   */
  ExtraSearch(ImportUnit<T> unit, RetryLoop retry, Interruption interruption, int wanted) {
    this.unit = unit;
    this.retry = retry;
    this.interruption = interruption;
    this.wanted = wanted;
  }

  /** Returns their ids. */
  Set<String> run() {
    if (wanted == 0) {
      return found;
    }
    try {
      return retry.ofTarget(this::search);
    } catch (EnoughException e) {
      return found;
    }
  }

  private Set<String> search() {
    ids.clear();
    unit.forEachTargetId(this::add);
    check();
    return found;
  }

  private void add(String id) {
    ids.add(id);
    if (ids.size() == Batch.ITEMS_MAX) {
      check();
    }
  }

  private void check() {
    if (interruption.isRequested()) {
      throw new ImportInterruptedException();
    }
    Set<String> here = new HashSet<>();
    if (!ids.isEmpty()) {
      unit.forEach(List.copyOf(ids), item -> here.add(item.id()));
    }
    for (String id : ids) {
      if (!here.contains(id)) {
        found.add(id);
        if (found.size() == wanted) {
          throw new EnoughException();
        }
      }
    }
    ids.clear();
  }

  /** Ends a listing early. */
  private static final class EnoughException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EnoughException() {
      super("enough found", null, false, false);
    }
  }
}
