package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import io.entroq.tools.terminal.Interruption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the first of what the target has in a place and the source does not.
 *
 * @param <T> what is in it
 */
final class ExtraSearch<T extends Item> {
  private final ImportUnit<T> place;
  private final RetryLoop retry;
  private final Interruption interruption;
  private final int wanted;
  private final List<String> ids = new ArrayList<>();
  private final Set<String> found = new LinkedHashSet<>();

  /**
   * @param wanted how many to find
   */
  ExtraSearch(ImportUnit<T> place, RetryLoop retry, Interruption interruption, int wanted) {
    this.place = place;
    this.retry = retry;
    this.interruption = interruption;
    this.wanted = wanted;
  }

  /** The ids of what was found. */
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
    place.forEachTargetId(this::add);
    look();
    return found;
  }

  private void add(String id) {
    ids.add(id);
    if (ids.size() == Batch.ITEMS_MAX) {
      look();
    }
  }

  private void look() {
    if (interruption.isRequested()) {
      throw new ImportInterruptedException();
    }
    Set<String> here = new HashSet<>();
    if (!ids.isEmpty()) {
      place.forEach(List.copyOf(ids), item -> here.add(item.id()));
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

  /** Ends a listing from within. */
  private static final class EnoughException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EnoughException() {
      super("nothing more is wanted", null, false, false);
    }
  }
}
