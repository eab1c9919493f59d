package io.entroq.tools.importing;

import io.entroq.api.EntroQException;
import io.entroq.api.ModifyResult;
import io.entroq.tools.importing.source.Item;
import io.entroq.tools.importing.source.SourceException;
import io.entroq.tools.terminal.Interruption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Copies one unit. If the target has none of it yet, everything is read and inserted; otherwise
 * only ids are read, and then the missing items.
 *
 * @param <T> the type of the items
 */
final class UnitCopy<T extends Item> {
  private static final String PLACE_TAKEN =
      "another doc with the same key and secondary key is at the target; docs of one key need"
          + " different secondary keys";

  private static final String REMEMBERED =
      "the target remembers its id as that of a task that is gone, as the policy of its queue says";

  private final ImportUnit<T> unit;
  private final RetryLoop retry;
  private final Interruption interruption;
  private final CopyStats stats;
  private final LongConsumer onSeen;
  private final Batch<T> batch = new Batch<>(this::insert);
  private long seen;

  /**
   * @param stats counts what is done
   * @param onSeen receives the number of items processed
   */
  UnitCopy(
      ImportUnit<T> unit,
      RetryLoop retry,
      Interruption interruption,
      CopyStats stats,
      LongConsumer onSeen) {
    this.unit = unit;
    this.retry = retry;
    this.interruption = interruption;
    this.stats = stats;
    this.onSeen = onSeen;
  }

  void run() {
    boolean isBegun = retry.ofTarget(unit::targetSize) > 0;
    while (true) {
      seen = 0;
      batch.clear();
      try {
        if (isBegun) {
          copyMissing();
        } else {
          copyAll();
        }
        return;
      } catch (SourceException e) {
        retry.failed(unit.name(), e);
        isBegun = true;
      }
    }
  }

  private void copyAll() {
    unit.forEach(
        item -> {
          batch.accept(item);
          saw(1);
        });
    batch.flush();
  }

  private void copyMissing() {
    List<String> ids = new ArrayList<>();
    unit.forEachId(
        id -> {
          ids.add(id);
          if (ids.size() == Batch.ITEMS_MAX) {
            copyMissing(ids);
            ids.clear();
          }
        });
    copyMissing(ids);
  }

  private void copyMissing(List<String> ids) {
    Set<String> taken = retry.ofTarget(() -> unit.takenAtTarget(ids));
    List<String> missing = without(taken, ids);
    if (!missing.isEmpty()) {
      unit.forEach(missing, batch);
      batch.flush();
    }
    saw(ids.size());
  }

  private static List<String> without(Set<String> taken, List<String> ids) {
    return ids.stream().filter(id -> !taken.contains(id)).toList();
  }

  private void saw(int items) {
    seen += items;
    onSeen.accept(seen);
    checkInterrupted();
  }

  private void checkInterrupted() {
    if (interruption.isRequested()) {
      throw new ImportInterruptedException();
    }
  }

  private void insert(List<T> items) {
    List<T> rest = items;
    boolean isRepeated = false;
    while (!rest.isEmpty()) {
      checkInterrupted();
      List<T> now = rest;
      ModifyResult result;
      try {
        result = retry.ofTarget(() -> known(unit.insert(now)));
      } catch (EntroQException.InvalidArgument e) {
        insertSeparately(now, e);
        return;
      }
      if (result.isCommitted()) {
        stats.inserted(unit.name(), now.size());
        return;
      }
      rest = withoutTaken(now, result);
      if (rest.size() == now.size() && isPlaceTaken(result)) {
        insertSeparately(now, new EntroQException.InvalidArgument(PLACE_TAKEN));
        return;
      }
      if (rest.size() == now.size() && isRepeated) {
        insertSeparately(now, new EntroQException.InvalidArgument(REMEMBERED));
        return;
      }
      isRepeated = rest.size() == now.size();
    }
  }

  /** Whether a doc with another id has the namespace, key and secondary key of one to insert. */
  private static boolean isPlaceTaken(ModifyResult result) {
    return result instanceof ModifyResult.DependencyFailure failure
        && !failure.docs().collisions().isEmpty();
  }

  /** Retries an unknown outcome, because inserting the same id again is harmless. */
  private static ModifyResult known(ModifyResult result) {
    return result instanceof ModifyResult.OutcomeUnknown ? result.orThrow() : result;
  }

  private List<T> withoutTaken(List<T> items, ModifyResult result) {
    Set<String> taken =
        retry.ofTarget(() -> unit.takenAtTarget(items.stream().map(Item::id).toList()));
    List<T> rest = items.stream().filter(item -> !taken.contains(item.id())).toList();
    boolean hasCollided =
        result instanceof ModifyResult.DependencyFailure failure && failure.onlyCollisions();
    if (rest.size() == items.size() && !hasCollided) {
      // The failure is not about taken ids.
      result.orThrow();
    }
    return rest;
  }

  /** Finds the item that the target refuses by halving, and inserts the others. */
  private void insertSeparately(List<T> items, EntroQException.InvalidArgument e) {
    if (items.size() == 1) {
      stats.refused(unit.name(), items.get(0).id(), e.getMessage());
      return;
    }
    insert(items.subList(0, items.size() / 2));
    insert(items.subList(items.size() / 2, items.size()));
  }
}
