package io.entroq.examples.retries;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Worker;
import io.entroq.examples.testing.Served;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailsTest {
  @TempDir Path directory;

  @Test
  void shouldRunFromTheCommandLine() throws Exception {
    try (Served served = new Served(directory);
        EntroQ queue = served.connect()) {
      Mails.main(new String[] {served.address()});
      assertThat(queue.tasks(TaskQuery.in("mails/err"))).isEmpty();
    }
  }

  @Test
  @SuppressWarnings("try") // workers need nothing but to run
  void shouldDieAsTheQueueSaysAndReturn() throws Exception {
    try (Served served = new Served(directory);
        EntroQ queue = served.connect()) {
      Mails.setRules(queue);
      queue.modify(Modification.insert("mails", "bob")).orThrow();
      try (Worker worker = new Mails("bob").start(queue)) {
        Mails.awaitEmpty(queue, "mails");
        Task dead = queue.tasks(TaskQuery.in("mails/err")).get(0);
        assertThat(Mails.describe(dead)).isEqualTo("bob: FAILED after 8 failures in mails");
        assertThat(dead.err().lines()).hasSize(8).containsOnly("the mailbox is full");
      }
      assertThat(Mails.redrive(queue).moved()).isEqualTo(1);
      Task back = queue.tasks(TaskQuery.in("mails")).get(0);
      assertThat(back.attempt()).isZero();
      assertThat(back.err()).isEmpty();
      assertThat(back.text()).isEqualTo("bob");
    }
  }

  @Test
  @SuppressWarnings("try") // workers need nothing but to run
  void shouldQuarantineAsTheWorkerSays() throws Exception {
    try (Served served = new Served(directory);
        EntroQ queue = served.connect()) {
      queue.modify(Modification.insert("mails", "bob")).orThrow();
      try (Worker worker = new Mails("bob").startDeciding(queue)) {
        Mails.awaitEmpty(queue, "mails");
      }
      assertThat(queue.tasks(TaskQuery.in("mails/err")).get(0).attempt()).isEqualTo(5);
    }
  }
}
