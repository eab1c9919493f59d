package io.entroq.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ConnectTest {
  @Test
  void shouldNameTheArtifactWhenThereIsNoClient() {
    assertThatThrownBy(() -> EntroQ.connect("localhost:37706"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("localhost:37706")
        .hasMessageContaining("io.entroq:entroq-client");
  }
}
