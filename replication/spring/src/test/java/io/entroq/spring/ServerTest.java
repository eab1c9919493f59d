package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.client.ClientConfig;
import io.entroq.service.testing.Await;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with a server, which may be away. */
class ServerTest {
  record Order(int id, String item) {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    final BlockingQueue<Order> received = new LinkedBlockingQueue<>();

    @QueueListener("orders")
    void receive(Order order) {
      received.add(order);
    }

    Order next() throws InterruptedException {
      return received.poll(60, TimeUnit.SECONDS);
    }
  }

  /** Gives up soon. */
  @Configuration(proxyBeanMethods = false)
  static class Impatient {
    @Bean
    ClientConfig client(@Value("${test.address}") String address) {
      return ClientConfig.to(address).callTimeout(Duration.ofSeconds(1)).build();
    }
  }

  private static ConfigurableApplicationContext start(String property, Class<?>... sources) {
    return new SpringApplicationBuilder(sources)
        .web(WebApplicationType.NONE)
        .properties(property)
        .run();
  }

  private static Health health(ConfigurableApplicationContext context) {
    return context.getBean(EntroQHealthIndicator.class).health();
  }

  private static boolean isDown(ConfigurableApplicationContext context, String why) {
    Health health = health(context);
    return health.getStatus() == Status.DOWN
        && health.getDetails().get("error").toString().contains(why);
  }

  @Test
  void shouldWorkOnTheTasksOfAServer() throws Exception {
    try (ServedQueue server = new ServedQueue(0);
        ConfigurableApplicationContext context =
            start("entroq.address=" + server.address(), Application.class)) {
      // On a busy machine, to connect may take more than one attempt.
      Await.until("it is connected", () -> health(context).getStatus() == Status.UP);
      context.getBean(EntroQTemplate.class).enqueue("orders", new Order(7, "book"));
      assertThat(context.getBean(Application.class).next()).isEqualTo(new Order(7, "book"));
      // As another client writes it.
      server
          .queue()
          .modify(
              Modification.insert(
                  "orders", io.entroq.api.Value.json("{\"item\":\"pen\",\"id\":8}")))
          .orThrow();
      assertThat(context.getBean(Application.class).next()).isEqualTo(new Order(8, "pen"));
      Await.until("both are done", () -> server.queue().queues(QueueQuery.all()).isEmpty());
    }
  }

  @Test
  void shouldStartWhileTheServerIsAwayAndWorkOnceItIsThere() throws Exception {
    int port = ServedQueue.freePort();
    try (ConfigurableApplicationContext context =
        start("test.address=localhost:" + port, Application.class, Impatient.class)) {
      EntroQ queue = context.getBean(EntroQ.class);
      assertThatThrownBy(() -> queue.modify(Modification.insert("orders", "lost")))
          .isInstanceOf(EntroQException.Unavailable.class)
          .hasMessageContaining("no answer from localhost:" + port);
      Await.until("health tells why", () -> isDown(context, "no answer from localhost:" + port));

      try (ServedQueue server = new ServedQueue(port)) {
        server
            .queue()
            .modify(
                Modification.insert(
                    "orders", io.entroq.api.Value.json("{\"id\":9,\"item\":\"cup\"}")))
            .orThrow();
        assertThat(context.getBean(Application.class).next()).isEqualTo(new Order(9, "cup"));
        Await.until("it is healthy", () -> health(context).getStatus() == Status.UP);
      }
    }
  }
}
