package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.service.testing.Await;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Health, metrics and endpoint: when they are there, and what they show. */
class ActuatorTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  JacksonAutoConfiguration.class,
                  EntroQAutoConfiguration.class,
                  EntroQActuatorAutoConfiguration.class));

  @Test
  void shouldTellHealthUnlessSwitchedOff() {
    runner.run(context -> assertThat(context).hasSingleBean(EntroQHealthIndicator.class));
    runner
        .withPropertyValues("management.health.entroq.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(EntroQHealthIndicator.class));
  }

  @Test
  void shouldHaveAnEndpointOnlyIfItIsExposed() {
    runner.run(context -> assertThat(context).doesNotHaveBean(EntroQEndpoint.class));
    runner
        .withPropertyValues("management.endpoints.web.exposure.include=entroq")
        .run(context -> assertThat(context).hasSingleBean(EntroQEndpoint.class));
  }

  @Test
  void shouldMeasureOnlyWhereThereIsARegistry() {
    runner.run(context -> assertThat(context).doesNotHaveBean("entroQListenerMeters"));
    runner
        .withBean(SimpleMeterRegistry.class)
        .run(context -> assertThat(context).hasBean("entroQListenerMeters"));
  }

  private static long requests(MeterRegistry registry, String operation) {
    return registry.get("messaging.client.operation.duration").timers().stream()
        .filter(timer -> operation.equals(timer.getId().getTag("messaging.operation.name")))
        .mapToLong(Timer::count)
        .sum();
  }

  @Test
  void shouldMeasureEachRequestOnce() {
    runner
        .withBean(SimpleMeterRegistry.class)
        .run(
            context -> {
              EntroQ queue = context.getBean(EntroQ.class);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              context
                  .getBean(EntroQTemplate.class)
                  .enqueue("orders", "a", insert -> insert.withKey("alice"));
              assertThat(requests(registry, "send")).isEqualTo(1);
              Task task = queue.tryClaim(Claim.from("orders/alice")).orElseThrow();
              assertThat(requests(registry, "tryClaim")).isEqualTo(1);
              queue.modify(Modification.delete(task)).orThrow();
              assertThat(requests(registry, "modify")).isEqualTo(1);
              assertThat(registry.get("messaging.client.sent.messages").counters())
                  .extracting(counter -> counter.getId().getTag("messaging.destination.name"))
                  .containsExactly("orders");
            });
  }

  /** A queue of the application stays what it is, and its listener and template are measured. */
  @Test
  void shouldMeasureARequestToAQueueOfTheApplication() {
    runner
        .withUserConfiguration(Application.class)
        .withBean(SimpleMeterRegistry.class)
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              context.getBean(EntroQTemplate.class).enqueue("inbox", "a");
              context.getBean(TestEntroQ.class).awaitIdle();
              assertThat(requests(registry, "send")).isEqualTo(1);
              Await.until("it is committed", () -> requests(registry, "modify") == 1);
            });
  }

  /** Without all of it: {@link GuideIT}. */
  @Test
  void shouldDoWithoutAPartOfTheActuator() {
    runner
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
        .run(
            context -> assertThat(context).hasNotFailed().doesNotHaveBean("entroqHealthIndicator"));
    runner
        .withClassLoader(new FilteredClassLoader(MeterRegistry.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("entroQListenerMeters"));
  }

  @Test
  void shouldShowOutboxes() {
    runner
        .withConfiguration(
            AutoConfigurations.of(
                EntroQOutboxAutoConfiguration.class,
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class))
        .withBean(TestEntroQ.class, TestEntroQ::open)
        .withBean(SimpleMeterRegistry.class)
        .withPropertyValues(
            "management.endpoints.web.exposure.include=entroq", "entroq.outbox.auto-startup=false")
        .run(
            context -> {
              TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                  .executeWithoutResult(status -> outbox.enqueue("inbox", "x"));
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              context.getBean(OutboxMeters.class).bindTo(registry);
              Await.until("it is seen", () -> gauge(registry, "entroq.outbox.waiting") == 1);
              assertThat(gauge(registry, "entroq.outbox.oldest")).isNotNegative();
              assertThat(gauge(registry, "entroq.outbox.set.aside")).isZero();
              OutboxMonitor.Report stopped = outboxOf(context.getBean(EntroQEndpoint.class));
              assertThat(stopped.name()).isEqualTo("entroQOutbox");
              assertThat(stopped.waiting()).isEqualTo(1);
              assertThat(stopped.running()).isFalse();

              outbox.start();
              Await.until(
                  "it is relayed",
                  () ->
                      registry.get("entroq.outbox.relayed").functionCounter().count() == 1
                          && outboxOf(context.getBean(EntroQEndpoint.class)).running());
            });
  }

  @Test
  void shouldShowOutboxesWhileTheDatabaseIsAway() {
    runner
        .withConfiguration(AutoConfigurations.of(EntroQOutboxAutoConfiguration.class))
        .withBean(
            DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:away;IFEXISTS=TRUE"))
        .withBean(SimpleMeterRegistry.class)
        .withPropertyValues(
            "management.endpoints.web.exposure.include=entroq",
            "entroq.outbox.initialize-schema=never")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              context.getBean(OutboxMeters.class).bindTo(registry);
              assertThat(gauge(registry, "entroq.outbox.waiting")).isNaN();
              assertThat(outboxOf(context.getBean(EntroQEndpoint.class)).waiting()).isNull();
              Await.until(
                  "the reason is known",
                  () -> outboxOf(context.getBean(EntroQEndpoint.class)).problem().contains("away"));
            });
  }

  /** A database that fails, or that does not answer, when told so. */
  private static final class Switched extends AbstractDataSource {
    private final DataSource database = new DriverManagerDataSource("jdbc:h2:mem:switched");
    private final CountDownLatch answering = new CountDownLatch(1);
    private volatile boolean isAway;
    private volatile boolean isSilent;

    @Override
    public Connection getConnection() throws SQLException {
      if (isSilent) {
        try {
          answering.await();
        } catch (InterruptedException e) {
          throw new SQLException(e);
        }
      }
      if (isAway) {
        throw new SQLException("gone away");
      }
      return database.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      return getConnection();
    }
  }

  @Test
  void shouldForgetWhatItKnewOfADatabaseThatGoesAway() throws Exception {
    Switched database = new Switched();
    // In memory: there while somebody is connected.
    try (Connection connection = database.getConnection()) {
      assertThat(connection.isClosed()).isFalse();
      runner
          .withConfiguration(AutoConfigurations.of(EntroQOutboxAutoConfiguration.class))
          .withBean(DataSource.class, () -> database)
          .withBean(TestEntroQ.class, TestEntroQ::open)
          .withPropertyValues(
              "entroq.outbox.initialize-schema=always", "entroq.outbox.auto-startup=false")
          .run(
              context -> {
                OutboxMonitor monitor =
                    new OutboxMonitor(
                        context.getBeansOfType(TransactionalOutbox.class), Duration.ZERO);
                MeterRegistry registry = new SimpleMeterRegistry();
                new OutboxMeters(monitor).bindTo(registry);
                Await.until(
                    "the database answers", () -> gauge(registry, "entroq.outbox.waiting") == 0);
                database.isAway = true;
                Await.until(
                    "nothing is known",
                    () -> Double.isNaN(gauge(registry, "entroq.outbox.waiting")));
                database.isAway = false;
                Await.until(
                    "the database answers again",
                    () -> gauge(registry, "entroq.outbox.waiting") == 0);

                database.isSilent = true;
                // Comes back although nobody lets the database answer.
                assertThat(gauge(registry, "entroq.outbox.waiting")).isZero();
                database.isAway = true;
                database.answering.countDown();
                Await.until(
                    "nothing is known",
                    () -> Double.isNaN(gauge(registry, "entroq.outbox.oldest")));
              });
    }
  }

  private static double gauge(MeterRegistry registry, String name) {
    return registry.get(name).tag("entroq.outbox", "entroQOutbox").gauge().value();
  }

  private static OutboxMonitor.Report outboxOf(EntroQEndpoint endpoint) {
    return (OutboxMonitor.Report) endpoint.entroq(null, null).outboxes().get(0);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    TestEntroQ queue() {
      return TestEntroQ.open();
    }

    /** Goes before the annotation. */
    @Bean
    WorkerCustomizer customizer() {
      return (listener, worker) -> worker.concurrency(3);
    }

    @QueueListener(
        value = "inbox",
        name = "inbox",
        concurrency = "2",
        quarantine = IllegalArgumentException.class)
    void receive(String text) {
      switch (text) {
        case "refused" -> throw new IllegalArgumentException("refused");
        case "failing" -> throw new IllegalStateException("failing");
        default -> {
          // Done.
        }
      }
    }
  }

  private static JsonNode get(ConfigurableApplicationContext context, String path)
      throws Exception {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return JsonMapper.shared().readTree(response.body());
  }

  private static double tasks(MeterRegistry registry, String outcome) {
    return registry
        .get("entroq.worker.tasks")
        .tags("entroq.worker", "inbox", "outcome", outcome)
        .counter()
        .count();
  }

  private static int running(MeterRegistry registry) {
    return registry
        .get("entroq.worker.active")
        .tag("entroq.worker", "inbox")
        .longTaskTimer()
        .activeTasks();
  }

  private static Timer time(MeterRegistry registry, String error) {
    return registry
        .get("messaging.process.duration")
        .tags(
            "messaging.system", "entroq",
            "messaging.operation.name", "process",
            "messaging.destination.name", "inbox",
            "entroq.worker", "inbox",
            "error.type", error)
        .timer();
  }

  @Test
  void shouldShowQueuesAndListenersOverHttp() throws Exception {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .properties(
                "server.port=0",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always")
            .run()) {
      TestEntroQ queue = context.getBean(TestEntroQ.class);
      EntroQTemplate template = context.getBean(EntroQTemplate.class);
      template.enqueue("inbox", "fine");
      template.enqueue("inbox", "refused");
      template.enqueue("inbox", "failing");
      template.enqueue("other", "waits", task -> task.withKey("alice"));
      queue.awaitIdle();
      MeterRegistry registry = context.getBean(MeterRegistry.class);
      // Workers count what they have committed.
      Await.until(
          "all are counted",
          () ->
              tasks(registry, "done") == 1
                  && tasks(registry, "quarantine") == 1
                  && tasks(registry, "retry") == 1
                  && running(registry) == 0);

      JsonNode report = get(context, "entroq");
      assertThat(report.get("queues").toString())
          .isEqualTo(
              "[{'name':'inbox','tasks':1,'available':0,'claimed':0,'waiting':1},{'name':'inbox/err','tasks':1,'available':1,'claimed':0,'waiting':0},{'name':'other/alice','tasks':1,'available':1,'claimed':0,'waiting':0}]"
                  .replace('\'', '"'));
      JsonNode listener = report.get("listeners").get(0);
      assertThat(listener.get("name").asString()).isEqualTo("inbox");
      assertThat(listener.get("method").asString())
          .isEqualTo(Application.class.getName() + ".receive(String)");
      assertThat(listener.get("queues").toString()).isEqualTo("[\"inbox\"]");
      assertThat(listener.get("concurrency").asInt()).isEqualTo(3);
      assertThat(listener.get("running").asBoolean()).isTrue();
      assertThat(listener.get("tasks").get("done").asInt()).isEqualTo(1);
      assertThat(report.get("outboxes")).isEmpty();
      assertThat(get(context, "entroq?prefix=other&limit=5").get("queues")).hasSize(1);
      assertThat(get(context, "entroq?limit=2").get("queues")).hasSize(2);
      assertThat(get(context, "health").get("components").get("entroq").get("status").asString())
          .isEqualTo("UP");

      assertThat(time(registry, "none").count()).isEqualTo(1);
      assertThat(time(registry, IllegalArgumentException.class.getName()).count()).isEqualTo(1);
      assertThat(time(registry, IllegalStateException.class.getName()).count()).isEqualTo(1);

      assertThat(registry.get("messaging.client.sent.messages").counters())
          .extracting(counter -> counter.getId().getTag("messaging.destination.name"))
          .containsExactlyInAnyOrder("inbox", "other");

      queue.close();
      JsonNode closed = get(context, "entroq");
      assertThat(closed.get("error").asString()).contains("closed");
      assertThat(closed.get("listeners")).hasSize(1);
      assertThat(get(context, "health").get("status").asString()).isEqualTo("DOWN");
    }
  }
}
