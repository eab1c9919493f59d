package io.entroq.spring;

import io.entroq.api.Task;
import io.entroq.api.worker.Backoff;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * An application that is killed, as are its database and its queue: takes orders, and ships each
 * once. It prints the orders that it has taken, and those that it was to ship again.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({KilledShop.Orders.class, KilledShop.Shipping.class, KilledShop.Customers.class})
class KilledShop {
  static final String ORDERED = "ordered ";
  static final String AGAIN = "again ";

  private static final long PACE_NANOS = 10_000_000;

  /** Takes orders. */
  static class Orders {
    private final JdbcTemplate jdbc;
    private final TransactionalOutbox outbox;

    Orders(JdbcTemplate jdbc, TransactionalOutbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @Transactional
    public void take(String number) {
      jdbc.update("INSERT INTO orders VALUES (?)", number);
      outbox.enqueue("orders", number);
    }
  }

  /** Ships them. */
  static class Shipping {
    private final JdbcTemplate jdbc;
    private final TransactionalProcessed processed;

    Shipping(JdbcTemplate jdbc, TransactionalProcessed processed) {
      this.jdbc = jdbc;
      this.processed = processed;
    }

    @QueueListener(value = "orders", concurrency = "4", attempts = "0", lease = "1s")
    @Transactional
    public void ship(String number, Task task) {
      boolean isFirst =
          processed.once(task, () -> jdbc.update("INSERT INTO shipped VALUES (?)", number));
      if (!isFirst) {
        System.out.println(AGAIN + number);
      }
    }
  }

  /** Order, one after the other, on a thread of their own. */
  static class Customers {
    private final Orders orders;
    private final String run;

    /**
     * @param run begins the numbers of their orders; none if it is empty
     */
    Customers(Orders orders, @Value("${shop.run}") String run) {
      this.orders = orders;
      this.run = run;
    }

    @EventListener(ContextRefreshedEvent.class)
    public void begin() {
      if (!run.isEmpty()) {
        new Thread(this::order, "customers").start();
      }
    }

    private void order() {
      for (int i = 0; true; i++) {
        String number = run + "-" + i;
        try {
          orders.take(number);
          System.out.println(ORDERED + number);
        } catch (RuntimeException e) {
          // The database is away; whether it has committed is unknown.
        }
        LockSupport.parkNanos(PACE_NANOS);
      }
    }
  }

  /** Tasks are soon tried again. */
  @Bean
  WorkerCustomizer retries() {
    return (listener, worker) ->
        worker
            .retryBackoff(Backoff.constant(Duration.ofMillis(200)))
            .requestBackoff(Backoff.constant(Duration.ofMillis(200)));
  }

  public static void main(String[] args) {
    SpringApplication.run(KilledShop.class, args);
  }
}
