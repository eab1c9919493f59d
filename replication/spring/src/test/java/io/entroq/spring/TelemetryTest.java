package io.entroq.spring;

import static io.opentelemetry.sdk.testing.assertj.OpenTelemetryAssertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.WorkerListener;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.micrometer.QueueMeters;
import io.entroq.opentelemetry.TaskTelemetry;
import io.entroq.service.testing.Await;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Traces from what enqueues a task to what a listener makes of it, and other listeners of workers.
 */
@SuppressWarnings("try") // A scope is only closed.
class TelemetryTest {
  @RegisterExtension
  private static final OpenTelemetryExtension OTEL = OpenTelemetryExtension.create();

  @Configuration(proxyBeanMethods = false)
  static class Application {
    @Bean
    TestEntroQ queue() {
      return TestEntroQ.open();
    }

    @QueueListener(value = "first", quarantine = IllegalArgumentException.class)
    Modification first(String text) {
      if (text.equals("bad")) {
        throw new IllegalArgumentException("bad");
      }
      return Modification.insert("second", text);
    }

    @QueueListener("second")
    void second(String text) {
      OTEL.getOpenTelemetry().getTracer("test").spanBuilder("inside " + text).startSpan().end();
    }
  }

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  JacksonAutoConfiguration.class,
                  EntroQAutoConfiguration.class,
                  EntroQOutboxAutoConfiguration.class,
                  EntroQTelemetryAutoConfiguration.class,
                  DataSourceAutoConfiguration.class,
                  DataSourceTransactionManagerAutoConfiguration.class))
          .withUserConfiguration(Application.class);

  /** An OpenTelemetry of the test, which does not end with the application. */
  private final ApplicationContextRunner traced =
      runner.withBean(
          OpenTelemetry.class,
          OTEL::getOpenTelemetry,
          bean -> ((AbstractBeanDefinition) bean).setDestroyMethodName(""));

  private static SpanData span(String name) {
    Await.until(name, () -> OTEL.getSpans().stream().anyMatch(s -> s.getName().equals(name)));
    return OTEL.getSpans().stream().filter(s -> s.getName().equals(name)).findAny().get();
  }

  private static void inSpan(Runnable request) {
    Span span = OTEL.getOpenTelemetry().getTracer("test").spanBuilder("request").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      request.run();
    } finally {
      span.end();
    }
  }

  @Test
  void shouldTraceFromTheTemplateToTheLastListener() {
    traced.run(
        context -> {
          EntroQTemplate template = context.getBean(EntroQTemplate.class);
          inSpan(() -> template.enqueue("first", "a"));
          assertThat(span("inside a")).hasParent(span("process second"));
          assertThat(span("process second")).hasParent(span("process first"));
          assertThat(span("process first")).hasParent(span("send first"));
          assertThat(span("send first")).hasParent(span("request"));
        });
  }

  @Test
  void shouldTraceAndMeasure() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    traced
        .withConfiguration(AutoConfigurations.of(EntroQActuatorAutoConfiguration.class))
        .withBean(MeterRegistry.class, () -> registry)
        .run(
            context -> {
              EntroQTemplate template = context.getBean(EntroQTemplate.class);
              inSpan(() -> template.enqueue("first", "m"));
              assertThat(span("inside m")).hasTraceId(span("request").getTraceId());
              Await.until(
                  "it is measured",
                  () ->
                      registry.find("messaging.client.operation.duration").timer() != null
                          && registry.find("messaging.process.duration").timers().size() == 2);
            });
  }

  /** Metrics that the application has added do not keep the starter from adding traces. */
  @Test
  void shouldTraceAQueueThatIsMeasuredAlready() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    EntroQ measured = QueueMeters.of(registry).on(TestEntroQ.open());
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                JacksonAutoConfiguration.class,
                EntroQAutoConfiguration.class,
                EntroQTelemetryAutoConfiguration.class,
                EntroQActuatorAutoConfiguration.class))
        .withBean(
            OpenTelemetry.class,
            OTEL::getOpenTelemetry,
            bean -> ((AbstractBeanDefinition) bean).setDestroyMethodName(""))
        .withBean(MeterRegistry.class, () -> registry)
        .withBean(EntroQ.class, () -> measured)
        .run(
            context -> {
              context.getBean(EntroQTemplate.class).enqueue("first", "m");
              assertThat(span("send first")).isNotNull();
              assertThat(registry.get("messaging.client.operation.duration").timer().count())
                  .isEqualTo(1);
            });
  }

  @Test
  void shouldTraceThroughTheOutbox() {
    traced.run(
        context -> {
          TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
          inSpan(
              () -> transaction(context).executeWithoutResult(s -> outbox.enqueue("first", "b")));
          assertThat(span("inside b")).hasTraceId(span("request").getTraceId());
          assertThat(span("process first")).hasParent(span("request"));
        });
  }

  private static TransactionTemplate transaction(ApplicationContext context) {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  /** Which the rule about quarantine is not to hide. */
  @Test
  void shouldTellWhatAListenerThrew() {
    traced.run(
        context -> {
          context.getBean(EntroQTemplate.class).enqueue("first", "bad");
          assertThat(span("process first"))
              .hasAttribute(
                  AttributeKey.stringKey("error.type"), "java.lang.IllegalArgumentException");
        });
  }

  @Test
  void shouldBeThereOnlyWithAllItNeeds() {
    runner.run(context -> assertThat(context.containsBean("entroQTelemetry")).isFalse());
    traced
        .withClassLoader(new FilteredClassLoader(TaskTelemetry.class))
        .run(context -> assertThat(context.containsBean("entroQTelemetry")).isFalse());
    TaskTelemetry own = TaskTelemetry.of(OpenTelemetry.noop());
    traced
        .withBean(TaskTelemetry.class, () -> own)
        .run(context -> assertThat(context.getBean(TaskTelemetry.class)).isSameAs(own));
  }

  /** Hears of all workers. */
  static final class Hearing implements WorkerListener {
    final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    public Outcome around(WorkContext<?> work, Callable<Outcome> handler) throws Exception {
      heard.add(work.claimedFrom());
      return handler.call();
    }
  }

  @Test
  void shouldTellBeansThatListenToWorkers() {
    runner
        .withBean(Hearing.class)
        .run(
            context -> {
              context.getBean(EntroQTemplate.class).enqueue("first", "a");
              context.getBean(TestEntroQ.class).awaitIdle();
              assertThat(context.getBean(Hearing.class).heard).containsExactly("first", "second");
            });
  }
}
