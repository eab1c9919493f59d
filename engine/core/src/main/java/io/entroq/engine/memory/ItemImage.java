package io.entroq.engine.memory;

/** Writes a record of a store as items of an image. */
@FunctionalInterface
public interface ItemImage {
  /**
   * Writes one or several items.
   *
   * @param record the address of the record
   */
  void write(int slot, long record, ChunkWriter out);
}
