package io.entroq.tools.importing;

import io.entroq.api.ModifyResult;
import io.entroq.tools.importing.source.Item;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A queue or a namespace, at the source and at the target. Each method asks one of them, once, and
 * fails with what that one fails with.
 *
 * @param <T> what is in it
 */
interface ImportUnit<T extends Item> {
  /** Which of the source's it is. */
  UnitName name();

  /** Hands everything at the source to a consumer. */
  void forEach(Consumer<T> consumer);

  /** Hands the ids of everything at the source to a consumer; one may have gone meanwhile. */
  void forEachId(Consumer<String> consumer);

  /** Hands what has one of some ids at the source to a consumer. */
  void forEach(List<String> ids, Consumer<T> consumer);

  /** How much there is at the target. */
  long targetSize();

  /** Hands the ids of everything at the target to a consumer. */
  void forEachTargetId(Consumer<String> consumer);

  /** What has one of some ids at the target, by id. */
  Map<String, T> there(List<String> ids);

  /** Whether an item of the target's is in this place. */
  boolean isOf(T there);

  /** Which of some ids are taken at the target. */
  Set<String> takenAtTarget(List<String> ids);

  /**
   * Inserts into the target, all or nothing.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if one of them can never be inserted
   */
  ModifyResult insert(List<T> items);

  /**
   * What of an item is not as it was copied from another, in words.
   *
   * @return none if everything is
   */
  List<String> differences(T source, T target);
}
