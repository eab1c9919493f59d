package io.entroq.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemorySharesTest {
  private static final long MIB = 1 << 20;

  private final MemoryShares shares = new MemoryShares(8_192 * MIB, 64 * MIB);

  @Test
  void shouldNeverGiveMoreThanThereIs() {
    assertThat(shares.all()).isEqualTo(7_168 * MIB);
    assertThat(shares.replays()).isEqualTo(2_048 * MIB);
    assertThat(shares.tasks(shares.replays())).isEqualTo((7_168 - 64 - 2_048) * MIB);
    assertThat(shares.tasks(0)).isEqualTo((7_168 - 64) * MIB);
  }

  @Test
  void shouldLeaveToReplaysWhatChosenTasksLeave() {
    assertThat(shares.replaysBeside(1_024 * MIB)).isEqualTo(2_048 * MIB);
    assertThat(shares.replaysBeside(6_144 * MIB)).isEqualTo((7_168 - 64 - 6_144) * MIB);
    assertThat(shares.replaysBeside(7_168 * MIB)).isZero();
    assertThat(shares.replaysBeside(20_000 * MIB)).isZero();
  }

  @Test
  void shouldLeaveSomethingToTasksInASmallProcess() {
    MemoryShares small = new MemoryShares(64 * MIB, 64 * MIB);
    assertThat(small.tasks(small.replays())).isEqualTo(16 * MIB);
  }
}
