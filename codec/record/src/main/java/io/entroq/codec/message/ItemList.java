package io.entroq.codec.message;

import java.util.ArrayList;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A reusable list of decoders for a repeated message, created on demand.
 *
 * @param <T> the decoder
 */
public final class ItemList<T> {
  /** Decoders kept after a large message. */
  private static final int KEPT_MAX = 4096;

  private final Supplier<T> factory;
  private final ArrayList<T> items = new ArrayList<>();
  private int count;

  public ItemList(Supplier<T> factory) {
    this.factory = factory;
  }

  public void clear() {
    // Most lists of a message are empty: nothing else of them is read.
    if (count > 0) {
      clearItems();
    }
  }

  private void clearItems() {
    count = 0;
    if (items.size() > KEPT_MAX) {
      items.subList(KEPT_MAX, items.size()).clear();
      items.trimToSize();
    }
  }

  /** Adds an element at the end; it may contain data of an earlier message. */
  public T add() {
    if (count == items.size()) {
      items.add(factory.get());
    }
    return items.get(count++);
  }

  public int count() {
    return count;
  }

  /** The element at an index from 0. */
  public T get(int index) {
    return items.get(Objects.checkIndex(index, count));
  }
}
