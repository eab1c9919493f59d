package io.entroq.tools.importing;

import io.entroq.api.ModifyResult;
import io.entroq.tools.importing.source.Item;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A queue or a namespace, at source and target. Each method sends one request to one of them and
 * throws its exception.
 *
 * @param <T> the type of the items
 */
interface ImportUnit<T extends Item> {
  UnitName name();

  /** Reads all items of the source. */
  void forEach(Consumer<T> consumer);

  /** Reads the ids of all items of the source; some may be deleted in the meantime. */
  void forEachId(Consumer<String> consumer);

  /** Reads the source's items with these ids. */
  void forEach(List<String> ids, Consumer<T> consumer);

  /** Number of items at the target. */
  long targetSize();

  /** Reads the ids of all items at the target. */
  void forEachTargetId(Consumer<String> consumer);

  /** The target's items with these ids, by id. */
  Map<String, T> atTarget(List<String> ids);

  /** Whether an item of the target is in this unit. */
  boolean isOf(T there);

  /** Which of these ids are taken at the target. */
  Set<String> takenAtTarget(List<String> ids);

  /**
   * Inserts into the target, all or nothing.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if the target refuses one of them
   */
  ModifyResult insert(List<T> items);

  /**
   * Describes the differences of an item between source and target.
   *
   * @return empty if they are equal
   */
  List<String> differences(T source, T target);
}
