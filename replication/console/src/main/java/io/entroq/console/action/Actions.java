package io.entroq.console.action;

import java.util.ArrayList;
import java.util.List;

/** All actions. */
public final class Actions {
  private Actions() {}

  /**
   * All of them.
   *
   * @param jobs that they start
   */
  public static List<Action> all(JobBook jobs) {
    List<Action> actions = new ArrayList<>();
    actions.addAll(List.of(TaskAction.values()));
    actions.addAll(List.of(QueueAction.values()));
    actions.add(new ClearAction(jobs));
    actions.add(DeadAction.redrive(jobs));
    actions.add(DeadAction.discard(jobs));
    actions.add(new StopAction(jobs));
    actions.add(new PolicyAction());
    actions.add(new PolicyRemoval());
    actions.add(new SnapshotAction());
    return actions;
  }
}
