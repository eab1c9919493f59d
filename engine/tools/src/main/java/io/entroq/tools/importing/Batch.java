package io.entroq.tools.importing;

import io.entroq.tools.importing.source.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gathers items until there are enough of them for a request. One that is large comes alone.
 *
 * @param <T> what is gathered
 */
final class Batch<T extends Item> implements Consumer<T> {
  static final int ITEMS_MAX = 500;

  /** Half of what a replicated queue takes as one command. */
  private static final long BYTES_MAX = 1 << 20;

  private final Consumer<List<T>> onFull;
  private final List<T> items = new ArrayList<>();
  private long bytes;

  /**
   * @param onFull takes the items; the list is another one each time
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

  /** Hands over what there is, if there is something. */
  void flush() {
    if (items.isEmpty()) {
      return;
    }
    List<T> full = List.copyOf(items);
    clear();
    onFull.accept(full);
  }

  /** Forgets what there is. */
  void clear() {
    items.clear();
    bytes = 0;
  }
}
