package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class WindowTest {
  private final Window window = new Window(ClientIds.random());
  private final List<Long> given = new ArrayList<>();

  private void ask(int times) {
    for (int i = 0; i < times; i++) {
      window.number(given::add);
    }
  }

  @Test
  void shouldSendTheFirstRequestAlone() {
    ask(3);
    assertThat(given).containsExactly(1L);
    window.answered(1);
    assertThat(given).containsExactly(1L, 2L, 3L);
  }

  @Test
  void shouldSayWhichRepliesHaveArrived() {
    ask(1);
    window.answered(1);
    ask(4);
    window.answered(3);
    assertThat(window.ackedBelow()).isEqualTo(2);
    window.answered(2);
    assertThat(window.ackedBelow()).isEqualTo(4);
    window.answered(2);
    assertThat(window.ackedBelow()).isEqualTo(4);
  }

  @Test
  void shouldNotHaveMoreOpenThanAServerKeeps() {
    ask(1);
    window.answered(1);
    ask(Window.OPEN_MAX + 10);
    assertThat(given).hasSize(1 + Window.OPEN_MAX);
    window.answered(3);
    assertThat(given).hasSize(1 + Window.OPEN_MAX);
    window.answered(2);
    assertThat(given).hasSize(1 + Window.OPEN_MAX + 2);
    for (long number = 4; number < 4 + 3L * Window.OPEN_MAX; number++) {
      window.answered(number);
      ask(1);
    }
    assertThat(given).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void shouldStandThousandsThatFailAtOnce() {
    LongConsumer failing =
        number -> {
          given.add(number);
          window.answered(number);
        };
    window.number(given::add);
    for (int i = 0; i < 100_000; i++) {
      window.number(failing);
    }
    window.answered(1);
    assertThat(given).hasSize(100_001);
    assertThat(window.ackedBelow()).isEqualTo(100_002);
  }
}
