package io.entroq.service.authorization;

import io.entroq.service.translation.Refusal;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds out which tasks a caller may see: those in queues that it may read. Any thread.
 *
 * <p>Asks about all queues at once. After a denial it leaves out the queues that the denial names
 * and asks again, so that what is seen has been allowed as a whole.
 */
final class VisibilityCheck {
  private final AuthorizedCall guard;
  private final String claimantId;

  /** For one caller. */
  VisibilityCheck(AuthorizedCall guard, String claimantId) {
    this.guard = guard;
    this.claimantId = claimantId;
  }

  /**
   * Finds the visible tasks. If none is left, asks as if none existed.
   *
   * @param then gets the visible tasks, maybe none
   * @param denied gets the reason if none is visible, and listing what does not exist is denied too
   */
  void look(TaskLocations places, Consumer<TaskLocations> then, Consumer<Refusal> denied) {
    List<Permission> demands = RequiredPermissions.list(places);
    guard.decide(
        claimantId,
        demands,
        List.of(),
        verdict -> {
          if (verdict.isAllowed()) {
            then.accept(places);
          } else if (verdict.isFailure() || places.tasks().isEmpty()) {
            denied.accept(verdict.refusal().orElseThrow());
          } else {
            look(left(places, verdict), then, denied);
          }
        });
  }

  private static TaskLocations left(TaskLocations places, Decision verdict) {
    TaskLocations left =
        places.without(task -> verdict.isAbout(Permission.of(Action.READ, task.getQueue())));
    // A no that names none of them is about all.
    return left.tasks().size() < places.tasks().size() ? left : places.without(task -> true);
  }
}
