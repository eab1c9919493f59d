package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.testing.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What becomes of work when its application ends. The queue outlives the application. */
class ShutdownTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);
    volatile boolean wasInterrupted;

    @QueueListener("inbox")
    Modification receive(String text) throws InterruptedException {
      begun.countDown();
      try {
        assertThat(mayEnd.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        wasInterrupted = true;
        throw e;
      }
      return Modification.insert("done", text);
    }
  }

  private static ConfigurableApplicationContext start(
      String property, String otherProperty, Class<?>... sources) {
    return new SpringApplicationBuilder(Application.class)
        .sources(sources)
        .web(WebApplicationType.NONE)
        .properties(property, otherProperty)
        .run();
  }

  @Test
  void shouldCommitWhatRunsAndClaimNoMore() throws Exception {
    try (ServedQueue server = new ServedQueue(0)) {
      ConfigurableApplicationContext context =
          start(
              "entroq.address=" + server.address(),
              "spring.lifecycle.timeout-per-shutdown-phase=60s");
      Application application = context.getBean(Application.class);
      QueueListeners listeners = context.getBean(QueueListeners.class);
      server.queue().modify(Modification.insert("inbox", "first")).orThrow();
      application.begun.await();
      server.queue().modify(Modification.insert("inbox", "second")).orThrow();

      Thread closing = new Thread(context::close);
      closing.start();
      Await.until("the listener claims no more", () -> !listeners.all().get(0).isRunning());
      assertThat(closing.isAlive()).isTrue();
      application.mayEnd.countDown();
      closing.join();

      assertThat(application.wasInterrupted).isFalse();
      assertThat(server.queue().tasks(TaskQuery.in("done")))
          .extracting(Task::text)
          .containsExactly("first");
      QueueStats inbox = server.queue().queueStats(QueueQuery.named("inbox")).get("inbox");
      assertThat(inbox.available()).as("the second is still there for others").isEqualTo(1);
    }
  }

  /** Does not end with the application. */
  @Configuration(proxyBeanMethods = false)
  static class OwnQueue {
    private final EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();

    @Bean(destroyMethod = "")
    EmbeddedEntroQ queue() {
      return queue;
    }
  }

  @Test
  void shouldInterruptWhatTakesTooLongAndLeaveItsTaskToOthers() throws Exception {
    ConfigurableApplicationContext context =
        start(
            "spring.lifecycle.timeout-per-shutdown-phase=1s",
            "entroq.listener.lease=1h",
            OwnQueue.class);
    Application application = context.getBean(Application.class);
    try (EmbeddedEntroQ queue = context.getBean(EmbeddedEntroQ.class)) {
      queue.modify(Modification.insert("inbox", "long")).orThrow();
      application.begun.await();

      context.close();

      Await.until(
          "its task is available",
          () -> queue.queueStats(QueueQuery.named("inbox")).get("inbox").available() == 1);
      assertThat(application.wasInterrupted).isTrue();
      assertThat(queue.tasks(TaskQuery.in("inbox"))).extracting(Task::attempt).containsExactly(0);
    }
  }
}
