package io.entroq.codec.message;

import java.util.ArrayList;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Decoders of repeated messages, one per position, made when first needed and reused.
 *
 * @param <T> the decoder
 */
public final class ItemList<T> {
  /** What is kept for the next message, however large the last one was. */
  private static final int KEPT_MAX = 4096;

  private final Supplier<T> factory;
  private final ArrayList<T> items = new ArrayList<>();
  private int count;

  /** An empty list whose elements a factory makes. */
  public ItemList(Supplier<T> factory) {
    this.factory = factory;
  }

  /** Forgets all. */
  public void clear() {
    count = 0;
    if (items.size() > KEPT_MAX) {
      items.subList(KEPT_MAX, items.size()).clear();
      items.trimToSize();
    }
  }

  /** Adds an element at the end; it may hold what an earlier message left in it. */
  public T add() {
    if (count == items.size()) {
      items.add(factory.get());
    }
    return items.get(count++);
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /** The element at an index from 0. */
  public T get(int index) {
    return items.get(Objects.checkIndex(index, count));
  }
}
