package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import org.junit.jupiter.api.Test;

/** The page shows what compiles; a test of the command line runs its commands. */
class ReadmeTest {

  @Test
  void shouldShowWhatWorks() throws Exception {
    try (TestEntroQ queue = TestEntroQ.open();
        Worker worker = Example.call(queue)) {
      queue.awaitIdle();
      assertThat(worker.isRunning()).isTrue();
      assertThat(Example.map()).isNotNull();
    }
  }
}
