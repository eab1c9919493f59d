package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.jdbc.Outbox;
import io.entroq.micrometer.QueueMeters;
import io.entroq.micrometer.WorkerMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, metrics and an endpoint, each only where the application has what it needs. */
@AutoConfiguration(
    after = {EntroQAutoConfiguration.class, EntroQOutboxAutoConfiguration.class},
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
public final class EntroQActuatorAutoConfiguration {
  /** How long the queue may take to answer. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** For Spring. */
  public EntroQActuatorAutoConfiguration() {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
  @ConditionalOnEnabledHealthIndicator("entroq")
  static class HealthConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "entroqHealthIndicator")
    EntroQHealthIndicator entroqHealthIndicator(EntroQ queue) {
      return new EntroQHealthIndicator(queue, TIMEOUT);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean(MeterRegistry.class)
  static class MetricsConfiguration {
    @Bean
    WorkerCustomizer entroQListenerMeters(MeterRegistry registry) {
      return (listener, worker) -> worker.addListener(WorkerMeters.of(registry, listener));
    }

    @Bean
    QueueDecorator entroQMeters(MeterRegistry registry) {
      return QueueMeters.of(registry)::on;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterBinder.class, Outbox.class})
  @ConditionalOnBean(OutboxMonitor.class)
  static class OutboxMetricsConfiguration {
    @Bean
    OutboxMeters entroQOutboxMeters(OutboxMonitor monitor) {
      return new OutboxMeters(monitor);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
  @ConditionalOnAvailableEndpoint(EntroQEndpoint.class)
  static class EndpointConfiguration {
    @Bean
    EntroQEndpoint entroQEndpoint(
        EntroQ queue, QueueListeners listeners, ObjectProvider<OutboxMonitor> outboxes) {
      return new EntroQEndpoint(queue, listeners, () -> reports(outboxes), TIMEOUT);
    }

    private static List<?> reports(ObjectProvider<OutboxMonitor> outboxes) {
      OutboxMonitor monitor = outboxes.getIfAvailable();
      return monitor == null ? List.of() : monitor.reports();
    }
  }
}
