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
  private final AuthorizedCall authorized;
  private final String claimantId;

  /** For one caller. */
  VisibilityCheck(AuthorizedCall authorized, String claimantId) {
    this.authorized = authorized;
    this.claimantId = claimantId;
  }

  /**
   * Finds the visible tasks. If none is left, asks as if none existed.
   *
   * @param then gets the visible tasks, maybe none
   * @param denied gets the reason if none is visible, and listing what does not exist is denied too
   */
  void look(TaskLocations locations, Consumer<TaskLocations> then, Consumer<Refusal> denied) {
    List<Permission> permissions = RequiredPermissions.list(locations);
    authorized.decide(
        claimantId,
        permissions,
        List.of(),
        decision -> {
          if (decision.isAllowed()) {
            then.accept(locations);
          } else if (decision.isFailure() || locations.tasks().isEmpty()) {
            denied.accept(decision.refusal().orElseThrow());
          } else {
            look(left(locations, decision), then, denied);
          }
        });
  }

  private static TaskLocations left(TaskLocations locations, Decision decision) {
    TaskLocations left =
        locations.without(task -> decision.isAbout(Permission.of(Action.READ, task.getQueue())));
    // A no that names none of them is about all.
    return left.tasks().size() < locations.tasks().size() ? left : locations.without(task -> true);
  }
}
