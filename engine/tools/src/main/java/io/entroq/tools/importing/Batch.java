package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Collects items until there are enough for a request. A large item gets a request of its own.
 *
 * @param <T> the type of the items
 */
final class Batch<T extends Item> implements Consumer<T> {
  static final int ITEMS_MAX = 500;

  /** Half of a replicated queue's largest command. */
  private static final long BYTES_MAX = 1 << 20;

  private final Consumer<List<T>> onFull;
  private final List<T> items = new ArrayList<>();
  private long bytes;

  /**
   * @param onFull receives the items, each time in a new list
   */
  Batch(Consumer<List<T>> onFull) {
    this.onFull = onFull;
  }

  @Override
  public void accept(T item) {
    if (bytes + item.bytes() > BYTES_MAX) {
      flush();
    }
    items.add(item);
    bytes += item.bytes();
    if (items.size() == ITEMS_MAX) {
      flush();
    }
  }

  /** Passes on the collected items, if any. */
  void flush() {
    if (items.isEmpty()) {
      return;
    }
    List<T> full = List.copyOf(items);
    clear();
    onFull.accept(full);
  }

  void clear() {
    items.clear();
    bytes = 0;
  }
}
