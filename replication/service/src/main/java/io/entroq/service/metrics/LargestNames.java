package io.entroq.service.metrics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Keeps the largest of many queues or namespaces and adds up the rest. Those whose names have a
 * session are added up per {@linkplain NameSize#folded folded name}, since there may be one for
 * each session. One thread at a time.
 */
final class LargestNames {
  private final int max;
  private final String restName;
  private final PriorityQueue<NameSize> largest =
      new PriorityQueue<>(
          Comparator.comparingLong(NameSize::total)
              .thenComparing(NameSize::name, Comparator.reverseOrder()));
  private final Map<String, NameSize> folded = new HashMap<>();
  private NameSize rest;
  private boolean hasRest;
  private int count;

  /**
   * @param max how many are kept
   * @param restName the name of the rest. A real one of that name is included in it, as a duplicate
   *     name would make the page invalid
   */
  LargestNames(int max, String restName) {
    this.max = max;
    this.restName = restName;
    rest = NameSize.none(restName);
  }

  void add(NameSize size) {
    count++;
    if (size.name().equals(restName)) {
      addToRest(size);
      return;
    }
    String name = NameSize.folded(size.name());
    if (name.indexOf(NameSize.FOLDED) < 0) {
      offer(size);
    } else if (folded.containsKey(name) || folded.size() < max) {
      // Perhaps a real name that looks like a folded one.
      folded.merge(name, size.named(name), NameSize::with);
    } else {
      addToRest(size);
    }
  }

  private void offer(NameSize size) {
    largest.add(size);
    if (largest.size() > max) {
      addToRest(largest.remove());
    }
  }

  private void addToRest(NameSize size) {
    rest = rest.with(size);
    hasRest = true;
  }

  int count() {
    return count;
  }

  /** The largest ones, and the rest if there is any. Called once, at the end. */
  List<NameSize> toList() {
    folded.values().forEach(this::offer);
    folded.clear();
    List<NameSize> sizes = new ArrayList<>(largest);
    if (hasRest) {
      sizes.add(rest);
    }
    return sizes;
  }
}
