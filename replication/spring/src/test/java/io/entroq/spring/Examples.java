package io.entroq.spring;

import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.client.ClientConfig;
import io.entroq.engine.embedded.TestEntroQ;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** What the page shows; {@link ReadmeTest} compares and runs it. */
final class Examples {
  private Examples() {}

  record Order(int id, String item) {}

  record Parcel(int order, int attempt) {}

  @Configuration(proxyBeanMethods = false)
  static class Client {
    @Bean
    ClientConfig client(@Value("${queue.token}") String token) {
      return ClientConfig.to("queue-1:37706", "queue-2:37706").tls().token(token).build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Shipping {
    private final EntroQTemplate template;

    Shipping(EntroQTemplate template) {
      this.template = template;
    }

    @QueueListener(
        value = "${shipping.queue}",
        concurrency = "4",
        attempts = "${shipping.attempts:8}",
        quarantine = IllegalArgumentException.class)
    Modification ship(Order order, Task task) {
      if (order.item().isEmpty()) {
        throw new IllegalArgumentException("nothing to ship in order " + order.id());
      }
      Parcel parcel = new Parcel(order.id(), task.attempt());
      return Modification.insert(template.insert("parcels", parcel));
    }

    void enqueue(Order order) {
      template.enqueue("orders", order);
      template.enqueue(
          "orders", order, task -> task.withId("order-7").availableIn(Duration.ofHours(1)));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Runtimes {
    @Bean
    WorkerCustomizer runtimes() {
      return (listener, worker) -> worker.maxRuntime(Duration.ofMinutes(5));
    }
  }

  /** A bean of an application. */
  static class Billing {
    private final JdbcTemplate jdbc;
    private final TransactionalOutbox outbox;
    private final TransactionalProcessed processed;

    Billing(JdbcTemplate jdbc, TransactionalOutbox outbox, TransactionalProcessed processed) {
      this.jdbc = jdbc;
      this.outbox = outbox;
      this.processed = processed;
    }

    @Transactional
    public void order(Order order) {
      jdbc.update("INSERT INTO orders VALUES (?, ?)", order.id(), order.item());
      outbox.enqueue("orders", order);
    }

    @QueueListener("orders")
    @Transactional
    public void bill(Order order, Task task) {
      processed.once(task, () -> jdbc.update("INSERT INTO bills VALUES (?)", order.id()));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Bills {
    @Bean
    TransactionalOutbox billOutbox(
        @Qualifier("bills") DataSource bills, EntroQTemplate template, OutboxProperties settings) {
      return new TransactionalOutbox(bills, template, settings);
    }
  }

  @TestConfiguration
  static class TestQueue {
    @Bean
    TestEntroQ queue() {
      return TestEntroQ.open();
    }
  }
}
