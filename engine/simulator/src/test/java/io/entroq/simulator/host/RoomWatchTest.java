package io.entroq.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.simulator.model.Violation;
import io.entroq.simulator.virtual.Chance;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RoomWatchTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final EngineLimits limits = EngineLimits.of(new Chance(1));
  private final RoomWatch room = new RoomWatch(limits);
  private final long plentyBytes = 3 * limits.diskLowBytes();

  /** Five commands are refused while there is little room, and then there is more. */
  @BeforeEach
  void refuse() {
    room.changed(0);
    room.look(true, 0, SECOND_NS, limits.diskFullBytes());
    room.look(false, 5, 2 * SECOND_NS, limits.diskFullBytes());
    room.changed(3 * SECOND_NS);
  }

  @Test
  void shouldNotAcceptRefusalsLongAfterThereIsRoomAgain() {
    room.look(false, 6, 4 * SECOND_NS, plentyBytes);

    assertThatThrownBy(() -> room.look(false, 7, 5 * SECOND_NS, plentyBytes))
        .isInstanceOfSatisfying(
            Violation.class, each -> assertThat(each.rule()).isEqualTo("goes-on-with-room"));
  }

  @Test
  void shouldAcceptThatRefusalsEndASecondAfterThereIsRoomAgain() {
    room.look(false, 6, 4 * SECOND_NS, plentyBytes);
    room.look(false, 6, 5 * SECOND_NS, plentyBytes);
    room.look(false, 6, 60 * SECOND_NS, plentyBytes);
  }

  @Test
  void shouldAcceptRefusalsWhileThereIsLittleRoom() {
    room.look(false, 6, 4 * SECOND_NS, limits.diskLowBytes());
    room.look(false, 7, 5 * SECOND_NS, limits.diskLowBytes());
  }

  @Test
  void shouldCountAnewInANewLife() {
    room.look(false, 6, 4 * SECOND_NS, plentyBytes);
    room.look(true, 0, 5 * SECOND_NS, plentyBytes);
    room.look(false, 0, 6 * SECOND_NS, plentyBytes);
  }
}
