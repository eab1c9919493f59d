package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.service.testing.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;

/** What the page shows compiles, and does what it says. The application at its top: GuideIT. */
class ReadmeTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(JacksonAutoConfiguration.class, EntroQAutoConfiguration.class));

  @Test
  void shouldUseTheClientOfABean() {
    runner
        .withUserConfiguration(Examples.Client.class)
        .withPropertyValues("queue.token=secret")
        .run(context -> assertThat(context.getBean(EntroQ.class)).isInstanceOf(EntroQClient.class));
  }

  @Test
  void shouldShip() {
    runner
        .withUserConfiguration(
            Examples.Shipping.class, Examples.Runtimes.class, Examples.TestQueue.class)
        .withPropertyValues("shipping.queue=orders")
        .run(
            context -> {
              TestEntroQ queue = context.getBean(TestEntroQ.class);
              Examples.Shipping shipping = context.getBean(Examples.Shipping.class);
              shipping.enqueue(new Examples.Order(7, "book"));
              assertThatThrownBy(() -> shipping.enqueue(new Examples.Order(7, "book")))
                  .isInstanceOf(EntroQException.Dependency.class);
              context.getBean(EntroQTemplate.class).enqueue("orders", new Examples.Order(8, ""));
              queue.awaitIdle();
              assertThat(queue.tasks(TaskQuery.in("parcels")))
                  .extracting(Task::text)
                  .containsExactly("{\"order\":7,\"attempt\":0}", "{\"order\":7,\"attempt\":0}");
              assertThat(queue.tasks(TaskQuery.in("orders/err")))
                  .extracting(Task::err)
                  .containsExactly("IllegalArgumentException: nothing to ship in order 8");
              queue.runFor(Duration.ofHours(1));
              assertThat(queue.queues(QueueQuery.all()))
                  .containsOnly(entry("parcels", 3L), entry("orders/err", 1L));
            });
  }

  @Test
  void shouldBillInTransactions() {
    runner
        .withConfiguration(
            AutoConfigurations.of(
                EntroQOutboxAutoConfiguration.class,
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                JdbcTemplateAutoConfiguration.class,
                TransactionAutoConfiguration.class))
        .withUserConfiguration(Examples.TestQueue.class)
        .withBean(Examples.Billing.class)
        .run(
            context -> {
              JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
              jdbc.execute("CREATE TABLE orders (id INT, item VARCHAR(10))");
              jdbc.execute("CREATE TABLE bills (id INT)");
              context.getBean(Examples.Billing.class).order(new Examples.Order(7, "book"));
              Await.until(
                  "there is a bill",
                  () ->
                      jdbc.queryForList("SELECT id FROM bills", Integer.class).equals(List.of(7)));
            });
  }
}
