package io.entroq.simulator.network;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.simulator.fault.FaultKind;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkConfigTest {
  @ParameterizedTest
  @ValueSource(ints = {-1, 1_000_001})
  void shouldRefuseSharesThatThereAreNot(int perMillion) {
    Map<FaultKind, Integer> shares = Map.of(FaultKind.REPLY_LOST, perMillion);

    assertThatThrownBy(() -> new NetworkConfig(0, 1, 0, 1, 0, 1, shares))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reply-lost");
  }
}
