package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.opentelemetry.TaskTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Traces from {@link EntroQTemplate} and {@link TransactionalOutbox} to listeners, where the
 * application has {@code entroq-opentelemetry} and an {@link OpenTelemetry}.
 */
@AutoConfiguration(
    afterName =
        "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration")
@ConditionalOnClass({TaskTelemetry.class, OpenTelemetry.class})
@ConditionalOnBean(OpenTelemetry.class)
public final class EntroQTelemetryAutoConfiguration {
  /** For Spring. */
  public EntroQTelemetryAutoConfiguration() {}

  /** A listener of workers, so it is around all methods. */
  @Bean
  @ConditionalOnMissingBean
  TaskTelemetry entroQTelemetry(OpenTelemetry openTelemetry) {
    return TaskTelemetry.of(openTelemetry);
  }

  @Bean
  QueueDecorator entroQTracing(TaskTelemetry telemetry) {
    return new QueueDecorator() {
      @Override
      public EntroQ on(EntroQ queue) {
        return telemetry.on(queue);
      }

      @Override
      public Insert traced(Insert insert) {
        return telemetry.traced(insert);
      }
    };
  }
}
