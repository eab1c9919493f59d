package io.entroq.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {
  private final Machine machine = Machine.here();

  @Test
  void shouldNameTheMachineInOneLine() {
    assertThat(machine.line()).contains("JDK " + Runtime.version(), "heap").doesNotContain("\n");
  }

  @Test
  void shouldKnowWhatThereIs() {
    assertThat(machine.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(machine.cpu()).isNotBlank();
    assertThat(machine.memoryBytes()).isPositive();
    assertThat(machine.heapBytesMax()).isEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(machine.directBytesMax()).isPositive();
  }
}
