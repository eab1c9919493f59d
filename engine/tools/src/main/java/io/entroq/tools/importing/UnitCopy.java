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
 * Copies one place. If the target has nothing of it yet, everything is read and inserted; otherwise
 * ids are read, and the rest of that only which is missing.
 *
 * @param <T> what is in it
 */
final class UnitCopy<T extends Item> {
  private final ImportUnit<T> place;
  private final RetryLoop retry;
  private final Interruption interruption;
  private final CopyStats stats;
  private final LongConsumer onSeen;
  private final Batch<T> batch = new Batch<>(this::insert);
  private long seen;

  /**
   * @param stats told what is done
   * @param onSeen told how much of the place has been looked at
   */
  UnitCopy(
      ImportUnit<T> place,
      RetryLoop retry,
      Interruption interruption,
      CopyStats stats,
      LongConsumer onSeen) {
    this.place = place;
    this.retry = retry;
    this.interruption = interruption;
    this.stats = stats;
    this.onSeen = onSeen;
  }

  /** Does it. */
  void run() {
    boolean isBegun = retry.ofTarget(place::targetSize) > 0;
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
        retry.failed(place.name(), e);
        isBegun = true;
      }
    }
  }

  private void copyAll() {
    place.forEach(
        item -> {
          batch.accept(item);
          saw(1);
        });
    batch.flush();
  }

  private void copyMissing() {
    List<String> ids = new ArrayList<>();
    place.forEachId(
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
    Set<String> taken = retry.ofTarget(() -> place.takenAtTarget(ids));
    List<String> missing = without(taken, ids);
    if (!missing.isEmpty()) {
      place.forEach(missing, batch);
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
    List<T> left = items;
    while (!left.isEmpty()) {
      checkInterrupted();
      List<T> now = left;
      ModifyResult result;
      try {
        result = retry.ofTarget(() -> known(place.insert(now)));
      } catch (EntroQException.InvalidArgument e) {
        insertApart(now, e);
        return;
      }
      if (result.isCommitted()) {
        stats.inserted(place.name(), now.size());
        return;
      }
      left = withoutTaken(now, result);
    }
  }

  /** Of what is inserted under its id nobody needs to know whether it was this time. */
  private static ModifyResult known(ModifyResult result) {
    return result instanceof ModifyResult.OutcomeUnknown ? result.orThrow() : result;
  }

  private List<T> withoutTaken(List<T> items, ModifyResult result) {
    Set<String> taken =
        retry.ofTarget(() -> place.takenAtTarget(items.stream().map(Item::id).toList()));
    List<T> left = items.stream().filter(item -> !taken.contains(item.id())).toList();
    boolean hasCollided =
        result instanceof ModifyResult.DependencyFailure failure && failure.onlyCollisions();
    if (left.size() == items.size() && !hasCollided) {
      // It is not about ids.
      result.orThrow();
    }
    return left;
  }

  /** One of them can never be inserted; all others can. */
  private void insertApart(List<T> items, EntroQException.InvalidArgument e) {
    if (items.size() == 1) {
      stats.refused(place.name(), items.get(0).id(), e.getMessage());
      return;
    }
    insert(items.subList(0, items.size() / 2));
    insert(items.subList(items.size() / 2, items.size()));
  }
}
