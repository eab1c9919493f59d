package io.entroq.simulator.random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Engine and ledger agree in each scene, whether commands are prepared or only applied. */
class PolicyScenesTest {
  @ParameterizedTest
  @EnumSource
  void shouldAgreeWhenCommandsArePrepared(PolicyScenes.Scene scene) {
    PolicyScenes.play(scene, true);
  }

  @ParameterizedTest
  @EnumSource
  void shouldAgreeWhenCommandsAreApplied(PolicyScenes.Scene scene) {
    PolicyScenes.play(scene, false);
  }
}
