package io.entroq.service.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallGateTest {
  private final CallGate gate = new CallGate(1, Limit.QUEUED_AUTHORIZATIONS, 8);
  private final List<String> running = new ArrayList<>();

  private boolean enter(Origin origin, String name) {
    return gate.enter(origin, () -> running.add(name));
  }

  @Test
  void shouldLeaveRoomForOtherOriginsAndAlternateConnections() {
    assertThat(enter(Origin.NONE, "first")).isTrue();
    Origin address = Origin.ofAddress();
    Origin one = address.connection();
    for (int i = 0; i < 8; i++) {
      assertThat(enter(one, "one " + i)).as("call %d", i).isEqualTo(i < 4);
    }
    Origin two = address.connection();
    assertThat(enter(two, "two 0")).isTrue();
    assertThat(enter(two, "two 1")).isTrue();
    assertThat(enter(address.connection(), "more than three quarters")).isFalse();
    assertThat(enter(Origin.ofAddress(), "other")).isTrue();
    for (int i = 0; i < 7; i++) {
      gate.leave();
    }
    assertThat(running)
        .containsExactly("first", "one 0", "two 0", "other", "one 1", "two 1", "one 2", "one 3");
    gate.leave();
    assertThat(enter(one, "again")).as("it is empty").isTrue();
    assertThat(running).hasSize(9);
  }

  @Test
  void shouldStartTheNextCallIfOneDoesNotRun() {
    enter(Origin.NONE, "first");
    gate.enter(Origin.NONE, () -> false);
    enter(Origin.NONE, "third");
    gate.leave();
    assertThat(running).containsExactly("first", "third");
  }
}
