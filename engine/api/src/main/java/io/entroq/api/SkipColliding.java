package io.entroq.api;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Tries a modification again without the inserts whose ids turned out to be taken. */
final class SkipColliding {
  private final EntroQ queue;
  private final Predicate<Insert> skippable;

  SkipColliding(EntroQ queue, Predicate<Insert> skippable) {
    this.queue = queue;
    this.skippable = skippable;
  }

  /** Ends after as many rounds as there are inserts at most, as each leaves one out. */
  CompletableFuture<ModifyResult> modify(Modification modification) {
    return queue
        .modifyAsync(modification)
        .thenCompose(
            result ->
                result instanceof ModifyResult.DependencyFailure failure
                    ? retry(modification, failure)
                    : CompletableFuture.completedFuture(result));
  }

  private CompletableFuture<ModifyResult> retry(
      Modification modification, ModifyResult.DependencyFailure failure) {
    Set<TaskId> taken = new HashSet<>();
    failure.collisions().forEach(ref -> taken.add(ref.id()));
    List<Insert> left =
        modification.inserts().stream()
            .filter(insert -> !(isTaken(insert, taken) && skippable.test(insert)))
            .toList();
    boolean allSkipped = left.stream().noneMatch(insert -> isTaken(insert, taken));
    boolean fewer = left.size() < modification.inserts().size();
    boolean onlyTasks = failure.onlyCollisions() && failure.docs().collisions().isEmpty();
    return onlyTasks && allSkipped && fewer
        ? modify(modification.withInserts(left))
        : CompletableFuture.completedFuture(failure);
  }

  private static boolean isTaken(Insert insert, Set<TaskId> taken) {
    return insert.id().filter(taken::contains).isPresent();
  }
}
