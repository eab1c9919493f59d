package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.service.translation.Facade;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModifyPlanTest {
  private static final String HIDDEN_ID = "a0000000-0000-4000-8000-00000000000a";
  private static final Task HIDDEN = Task.newBuilder().setId(HIDDEN_ID).setQueue("/secret").build();
  private static final TaskID UNSAID = TaskID.newBuilder().setId(HIDDEN_ID).build();

  /** What is denied of it may be any of the things that are wanted of it. */
  @Test
  void shouldHideATaskNamedTwiceIfEitherPermissionIsDenied() {
    ModifyRequest request =
        ModifyRequest.newBuilder().addDeletes(UNSAID).addDepends(UNSAID).build();
    ModifyPlan plan = new ModifyPlan(TaskLocations.of(Facade.V0, List.of(HIDDEN)), request);
    for (Action denied : List.of(Action.DELETE, Action.READ)) {
      DeniedItem item = new DeniedItem();
      item.exact = "/secret";
      item.actions.add(denied.name());
      ModifyPlan seen = plan.without(Decision.denied(List.of(), List.of(item))).orElseThrow();
      assertThat(seen.permissions()).extracting(Permission::name).containsExactly("", "");
      assertThat(seen.isCertain()).isFalse();
    }
  }
}
