package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.worker.WorkerListener;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.StringUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * The queue of the application, a template and listeners. A bean of type {@link EntroQ}, {@link
 * ClientConfig} or {@link EmbeddedConfig} replaces the properties about the queue.
 */
@AutoConfiguration(after = JacksonAutoConfiguration.class)
@EnableConfigurationProperties({EntroQProperties.class, LifecycleProperties.class})
public final class EntroQAutoConfiguration {
  private static final System.Logger LOGGER =
      System.getLogger(EntroQAutoConfiguration.class.getName());

  /** For Spring. */
  public EntroQAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  EntroQ entroQ(
      EntroQProperties properties,
      ObjectProvider<ClientConfig> client,
      ObjectProvider<EmbeddedConfig> embedded,
      ObjectProvider<QueueDecorator> decorators) {
    return QueueDecorator.all(
        decorators, open(properties, client.getIfAvailable(), embedded.getIfAvailable()));
  }

  private static EntroQ open(
      EntroQProperties properties,
      @Nullable ClientConfig client,
      @Nullable EmbeddedConfig embedded) {
    MutuallyExclusiveConfigurationPropertiesException.<String>throwIfMultipleMatchingValuesIn(
        entries -> {
          entries.put("entroq.address", properties.address());
          entries.put("entroq.data", properties.data());
        },
        StringUtils::hasText);
    if (client != null) {
      return EntroQClient.connectLazily(client);
    }
    if (embedded != null) {
      return EmbeddedEntroQ.open(embedded);
    }
    if (StringUtils.hasText(properties.address())) {
      return EntroQClient.connectLazily(client(properties.address()));
    }
    if (StringUtils.hasText(properties.data())) {
      return EmbeddedEntroQ.open(Path.of(properties.data()));
    }
    LOGGER.log(
        System.Logger.Level.INFO,
        "The queue is in memory, and its tasks are lost when the application ends."
            + " Set entroq.data or entroq.address to keep them.");
    return EmbeddedEntroQ.inMemory();
  }

  private static ClientConfig client(String address) {
    try {
      return ClientConfig.to(address).build();
    } catch (EntroQException.InvalidArgument e) {
      throw new InvalidConfigurationPropertyValueException(
          "entroq.address", address, e.getMessage());
    }
  }

  @Bean
  @ConditionalOnMissingBean
  EntroQTemplate entroQTemplate(
      EntroQ queue, ObjectProvider<JsonMapper> mapper, ObjectProvider<QueueDecorator> decorators) {
    return new EntroQTemplate(
        QueueDecorator.all(decorators, queue),
        mapper(mapper),
        insert -> QueueDecorator.traced(decorators, insert));
  }

  private static JsonMapper mapper(ObjectProvider<JsonMapper> mapper) {
    return mapper.getIfAvailable(JsonMapper::shared);
  }

  @Bean
  QueueListeners entroQListeners(
      EntroQ queue,
      EntroQProperties properties,
      LifecycleProperties lifecycle,
      Environment environment,
      ConfigurableListableBeanFactory beans,
      ObjectProvider<JsonMapper> mapper,
      ObjectProvider<QueueDecorator> decorators,
      ObjectProvider<WorkerListener> workerListeners,
      ObjectProvider<WorkerCustomizer> customizers) {
    return new QueueListeners(
        QueueDecorator.all(decorators, queue),
        new ListenerFinder(beans, properties.listener()),
        new PayloadCodecs(mapper(mapper)),
        new QueueListeners.Settings(
            properties.listener().autoStartup(),
            lifecycle.getTimeoutPerShutdownPhase(),
            listener -> threads(environment, "entroq-" + listener + "-"),
            workerListeners.orderedStream().toList(),
            customizers.orderedStream().toList()));
  }

  /** Virtual threads if the application asks for them and the JVM has them. */
  private static ThreadFactory threads(Environment environment, String prefix) {
    return Threading.VIRTUAL.isActive(environment)
        ? new VirtualThreadTaskExecutor(prefix).getVirtualThreadFactory()
        : new CustomizableThreadFactory(prefix);
  }
}
