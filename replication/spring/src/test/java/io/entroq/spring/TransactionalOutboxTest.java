package io.entroq.spring;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.jdbc.Outbox;
import io.entroq.jdbc.OutboxLag;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Tasks of transactions, with H2. */
class TransactionalOutboxTest {
  private static final String URL = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1";

  record Order(int id, String item) {}

  @Configuration(proxyBeanMethods = false)
  static class OwnQueue {
    @Bean
    TestEntroQ queue() {
      return TestEntroQ.open();
    }
  }

  /** As applications do it. */
  static class Shop {
    private final TransactionalOutbox outbox;

    Shop(TransactionalOutbox outbox) {
      this.outbox = outbox;
    }

    @Transactional
    TaskId order(Order order) {
      return outbox.enqueue("orders", order, task -> task.withId("order-" + order.id()));
    }

    @Transactional
    void fail(Order order) {
      order(order);
      throw new IllegalStateException("of a test");
    }

    @Transactional(readOnly = true)
    void read(Order order) {
      order(order);
    }
  }

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  JacksonAutoConfiguration.class,
                  EntroQAutoConfiguration.class,
                  EntroQOutboxAutoConfiguration.class,
                  DataSourceAutoConfiguration.class,
                  DataSourceTransactionManagerAutoConfiguration.class,
                  TransactionAutoConfiguration.class))
          .withUserConfiguration(OwnQueue.class);

  private final ApplicationContextRunner shop = runner.withBean(Shop.class);

  private static List<Task> tasks(ApplicationContext context, String queue) {
    return context.getBean(TestEntroQ.class).tasks(TaskQuery.in(queue));
  }

  private static void untilTasks(ApplicationContext context, String queue, int count) {
    until(count + " tasks in " + queue, () -> tasks(context, queue).size() == count);
  }

  private static long waiting(ApplicationContext context) {
    try {
      return context.getBean(TransactionalOutbox.class).lag().waiting();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static TransactionTemplate transaction(ApplicationContext context) {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  @Test
  void shouldRelayWhatIsCommitted() {
    shop.run(
        context -> {
          TaskId id = context.getBean(Shop.class).order(new Order(7, "book"));
          assertThat(id.text()).isEqualTo("order-7");
          untilTasks(context, "orders", 1);
          assertThat(tasks(context, "orders").get(0).text())
              .isEqualTo("{\"id\":7,\"item\":\"book\"}");
          until("none waits", () -> waiting(context) == 0);
        });
  }

  @Test
  void shouldEnqueueNothingIfTheTransactionIsRolledBack() {
    shop.run(
        context -> {
          Shop orders = context.getBean(Shop.class);
          assertThatThrownBy(() -> orders.fail(new Order(1, "lost")))
              .isInstanceOf(IllegalStateException.class);
          transaction(context)
              .executeWithoutResult(
                  status -> {
                    orders.order(new Order(2, "lost"));
                    status.setRollbackOnly();
                  });
          assertThat(waiting(context)).isZero();
          orders.order(new Order(3, "kept"));
          untilTasks(context, "orders", 1);
          assertThat(tasks(context, "orders").get(0).id().text()).isEqualTo("order-3");
        });
  }

  /** The relay looks by itself only each hour. */
  @Test
  void shouldRelayAtOnceAfterTheCommit() {
    shop.withPropertyValues("entroq.outbox.poll-interval=1h")
        .run(
            context -> {
              TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
              EntroQTemplate template = context.getBean(EntroQTemplate.class);
              until("the relay has begun", outbox::isRunning);
              for (int i = 1; i <= 20; i++) {
                int count = i;
                transaction(context)
                    .executeWithoutResult(
                        status ->
                            outbox.enqueue(
                                List.of(template.insert("a", "x"), template.insert("b", "y"))));
                untilTasks(context, "a", count);
              }
              untilTasks(context, "b", 20);
            });
  }

  @Test
  void shouldRefuseToEnqueueWithoutATransaction() {
    shop.run(
        context -> {
          TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
          assertThatThrownBy(() -> outbox.enqueue("orders", "x"))
              .isInstanceOf(IllegalTransactionStateException.class)
              .hasMessageContaining("an insert into the outbox must be in a transaction")
              .hasMessageContaining("there is none")
              .hasMessageContaining("@Transactional");
          TransactionalProcessed processed = context.getBean(TransactionalProcessed.class);
          assertThatThrownBy(() -> processed.once("key", () -> {}))
              .isInstanceOf(IllegalTransactionStateException.class)
              .hasMessageContaining("an effect that happens once must be in a transaction");
          assertThat(waiting(context)).isZero();
        });
  }

  @Test
  void shouldRefuseAReadOnlyTransaction() {
    shop.run(
        context -> {
          assertThatThrownBy(() -> context.getBean(Shop.class).read(new Order(1, "x")))
              .isInstanceOf(IllegalTransactionStateException.class)
              .hasMessageContaining("read-only");
          assertThat(waiting(context)).isZero();
        });
  }

  @Test
  void shouldTakeTheTransactionBehindAProxy() {
    runner
        .withBean(
            DataSource.class,
            () ->
                new TransactionAwareDataSourceProxy(
                    new DriverManagerDataSource(URL.formatted("proxied"))))
        .withPropertyValues("entroq.outbox.initialize-schema=always")
        .run(
            context -> {
              TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
              transaction(context).executeWithoutResult(status -> outbox.enqueue("inbox", "x"));
              untilTasks(context, "inbox", 1);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDatabases {
    @Bean
    @Primary
    DataSource orders() {
      return new DriverManagerDataSource(URL.formatted("orders"));
    }

    @Bean
    DataSource bills() {
      return new DriverManagerDataSource(URL.formatted("bills"));
    }

    @Bean
    @Primary
    PlatformTransactionManager orderTransactions(DataSource orders) {
      return new JdbcTransactionManager(orders);
    }

    @Bean
    PlatformTransactionManager billTransactions(@Qualifier("bills") DataSource bills) {
      return new JdbcTransactionManager(bills);
    }
  }

  @Test
  void shouldUseThePrimaryDatabaseAndRefuseTransactionsOfAnother() {
    runner
        .withUserConfiguration(TwoDatabases.class)
        .run(
            context -> {
              TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
              TransactionTemplate bills =
                  new TransactionTemplate(
                      context.getBean("billTransactions", PlatformTransactionManager.class));
              assertThatThrownBy(
                      () -> bills.executeWithoutResult(status -> outbox.enqueue("inbox", "x")))
                  .isInstanceOf(IllegalTransactionStateException.class)
                  .hasMessageContaining("of another DataSource");
              transaction(context).executeWithoutResult(status -> outbox.enqueue("inbox", "x"));
              untilTasks(context, "inbox", 1);
            });
  }

  /** Each with a relay of its own. */
  @Configuration(proxyBeanMethods = false)
  static class TwoOutboxes extends TwoDatabases {
    @Bean
    TransactionalOutbox orderOutbox(
        DataSource orders, EntroQTemplate template, OutboxProperties settings) {
      return new TransactionalOutbox(orders, template, settings);
    }

    @Bean
    TransactionalOutbox billOutbox(
        @Qualifier("bills") DataSource bills, EntroQTemplate template, OutboxProperties settings) {
      return new TransactionalOutbox(bills, template, settings);
    }
  }

  @Test
  void shouldHaveAnOutboxInEachDatabaseIfTheApplicationSaysSo() {
    runner
        .withUserConfiguration(TwoOutboxes.class)
        .run(
            context -> {
              Stream.of("order", "bill")
                  .forEach(
                      name ->
                          new TransactionTemplate(
                                  context.getBean(
                                      name + "Transactions", PlatformTransactionManager.class))
                              .executeWithoutResult(
                                  status ->
                                      context
                                          .getBean(name + "Outbox", TransactionalOutbox.class)
                                          .enqueue(name, "x")));
              untilTasks(context, "order", 1);
              untilTasks(context, "bill", 1);
              assertThat(context.getBean(OutboxMonitor.class).reports())
                  .extracting(OutboxMonitor.Report::name)
                  .containsExactly("billOutbox", "orderOutbox");
            });
  }

  @Test
  void shouldNotGuessWhichDatabaseIsMeant() {
    runner
        .withBean("a", DataSource.class, () -> new DriverManagerDataSource(URL.formatted("a")))
        .withBean("b", DataSource.class, () -> new DriverManagerDataSource(URL.formatted("b")))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("entroQOutbox"));
  }

  @Test
  void shouldBeThereOnlyWithAllItNeeds() {
    runner
        .withPropertyValues("entroq.outbox.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(TransactionalOutbox.class));
    for (Class<?> missing : List.of(Outbox.class, JdbcTemplate.class)) {
      runner
          .withClassLoader(new FilteredClassLoader(missing))
          .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("entroQOutbox"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"embedded", "never", "always"})
  void shouldCreateTablesAsTold(String mode, @TempDir Path directory) {
    ApplicationContextRunner told =
        runner.withPropertyValues(
            "entroq.outbox.auto-startup=false", "entroq.outbox.initialize-schema=" + mode);
    told.run(context -> assertThat(hasTables(context)).isEqualTo(!mode.equals("never")));
    told.withPropertyValues("spring.datasource.url=jdbc:h2:" + directory.resolve("file"))
        .run(context -> assertThat(hasTables(context)).isEqualTo(mode.equals("always")));
  }

  private static boolean hasTables(ApplicationContext context) {
    return new JdbcTemplate(context.getBean(DataSource.class))
        .queryForList(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'",
            String.class)
        .containsAll(List.of("ENTROQ_OUTBOX", "ENTROQ_OUTBOX_IDENTITY", "ENTROQ_PROCESSED"));
  }

  @Test
  void shouldLeaveRelayingToOtherInstances() {
    shop.withPropertyValues("entroq.outbox.auto-startup=false")
        .run(
            context -> {
              context.getBean(Shop.class).order(new Order(1, "book"));
              TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
              OutboxLag lag = outbox.lag();
              assertThat(lag.waiting()).isEqualTo(1);
              assertThat(outbox.relayStatus()).isEmpty();
              outbox.start();
              untilTasks(context, "orders", 1);
            });
  }

  @Test
  void shouldRelayWhatWasCommittedBeforeItStops() {
    shop.withPropertyValues("entroq.outbox.poll-interval=1h", "entroq.outbox.batch-rows=1")
        .run(
            context -> {
              TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
              until("the relay has begun", outbox::isRunning);
              // Not by enqueue, which would wake it.
              new JdbcTemplate(context.getBean(DataSource.class))
                  .batchUpdate(
                      "INSERT INTO entroq_outbox (created, queue, task, attempt, err, trace) VALUES (0, 'late', 'a', 0, '', '')",
                      "INSERT INTO entroq_outbox (created, queue, task, attempt, err, trace) VALUES (0, 'late', 'b', 0, '', '')");
              outbox.stop();
              assertThat(outbox.isRunning()).isFalse();
              assertThat(tasks(context, "late")).hasSize(2);
              outbox.start();
              context.getBean(Shop.class).order(new Order(1, "book"));
              untilTasks(context, "orders", 1);
            });
  }

  @Test
  void shouldSayWhichSettingIsWrong() {
    Map.of(
            "prefix=No", "a prefix is a lower-case letter",
            "batch-rows=0", "batchRows must be 1 to 1000, is 0",
            "poll-interval=1ms", "pollInterval must be",
            "initialize-schema=x", "DatabaseInitializationMode")
        .forEach(
            (wrong, message) ->
                runner
                    .withPropertyValues("entroq.outbox." + wrong)
                    .run(
                        context ->
                            assertThat(context.getStartupFailure())
                                .rootCause()
                                .message()
                                .contains(message)));
  }

  @Test
  void shouldStopAfterListenersAndWebServers() {
    runner.run(
        context -> {
          assertThat(context.getBean(TransactionalOutbox.class).getPhase())
              .isLessThan(Integer.MAX_VALUE - 2_048)
              .isLessThan(context.getBean(QueueListeners.class).getPhase());
        });
  }

  /** Its second try finds its effects. */
  static class Shipping {
    private final TransactionalProcessed processed;
    private final JdbcTemplate jdbc;

    Shipping(TransactionalProcessed processed, DataSource dataSource) {
      this.processed = processed;
      jdbc = new JdbcTemplate(dataSource);
    }

    @QueueListener("orders")
    @Transactional
    public void ship(Order order, Task task) {
      boolean isFirst =
          processed.once(task, () -> jdbc.update("INSERT INTO shipped VALUES (?)", order.item()));
      if (isFirst && order.item().equals("failing")) {
        throw new IllegalStateException("of a test");
      }
    }
  }

  @Test
  void shouldApplyTheEffectsOfATaskOnce() {
    shop.withBean(Shipping.class)
        .run(
            context -> {
              JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
              jdbc.execute("CREATE TABLE shipped (item VARCHAR(20))");
              TestEntroQ queue = context.getBean(TestEntroQ.class);
              Insert insert =
                  context
                      .getBean(EntroQTemplate.class)
                      .insert("orders", new Order(1, "book"))
                      .withId("order-1");
              for (int i = 0; i < 2; i++) {
                queue.modify(Modification.insert(insert)).orThrow();
                queue.awaitIdle();
              }
              assertThat(tasks(context, "orders")).isEmpty();
              assertThat(jdbc.queryForList("SELECT item FROM shipped", String.class))
                  .containsExactly("book");
              // Rolled back with its transaction.
              context.getBean(EntroQTemplate.class).enqueue("orders", new Order(2, "failing"));
              queue.awaitIdle();
              assertThat(tasks(context, "orders")).extracting(Task::attempt).containsExactly(1);
              assertThat(jdbc.queryForList("SELECT item FROM shipped", String.class)).hasSize(1);
              TransactionalProcessed processed = context.getBean(TransactionalProcessed.class);
              Boolean first =
                  transaction(context).execute(status -> processed.once("key", () -> {}));
              Boolean second =
                  transaction(context).execute(status -> processed.once("key", () -> {}));
              assertThat(first).isTrue();
              assertThat(second).isFalse();
            });
  }
}
