package io.entroq.engine.memory;

/** Describes one record of a store as items of an image. */
@FunctionalInterface
public interface ItemImage {
  /**
   * Writes what a record says.
   *
   * @param slot the record's slot
   * @param record where the record lies in memory
   * @param out takes one item, or several
   */
  void write(int slot, long record, ChunkWriter out);
}
