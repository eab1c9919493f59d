package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.worker.WorkContext;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.embedded.TestEntroQ;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which beans there are under which conditions. */
class EntroQAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(JacksonAutoConfiguration.class, EntroQAutoConfiguration.class));

  @Configuration(proxyBeanMethods = false)
  static class Listening {
    final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @QueueListener(value = "inbox", name = "inbox")
    void receive(String text) {
      received.add(text + " on " + Thread.currentThread().getName());
    }

    String next() throws InterruptedException {
      return received.poll(60, TimeUnit.SECONDS);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnQueue {
    @Bean
    TestEntroQ queue() {
      return TestEntroQ.open();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnClient {
    @Bean
    ClientConfig client() {
      return ClientConfig.to("localhost:1").build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnEngine {
    @Bean
    EmbeddedConfig engine() {
      return EmbeddedConfig.inMemory().valueBytesMax(1_000).build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Customized {
    @Bean
    WorkerCustomizer customizer() {
      return (listener, worker) -> worker.threads(loop -> new Thread(loop, "of " + listener));
    }
  }

  @Test
  void shouldBeInMemoryByDefault() {
    runner.run(
        context -> {
          EntroQ queue = context.getBean(EntroQ.class);
          assertThat(queue).isInstanceOf(EmbeddedEntroQ.class);
          assertThat(((EmbeddedEntroQ) queue).views()).isEmpty();
          assertThat(context).hasSingleBean(EntroQTemplate.class);
        });
  }

  @Test
  void shouldTreatEmptyPropertiesAsAbsent() {
    runner
        .withPropertyValues("entroq.address=", "entroq.data=")
        .run(
            context ->
                assertThat(context.getBean(EntroQ.class)).isInstanceOf(EmbeddedEntroQ.class));
  }

  @Test
  void shouldKeepTasksInADirectory(@TempDir Path directory) {
    ApplicationContextRunner kept =
        runner.withPropertyValues("entroq.data=" + directory.resolve("data"));
    kept.run(context -> context.getBean(EntroQTemplate.class).enqueue("inbox", "kept"));
    kept.run(
        context ->
            assertThat(context.getBean(EntroQ.class).queues(QueueQuery.all()))
                .isEqualTo(Map.of("inbox", 1L)));
  }

  @Test
  void shouldConnectOnlyWhenUsed() throws IOException {
    String address = "localhost:" + ServedQueue.freePort();
    runner
        .withPropertyValues("entroq.address=" + address)
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .getBean(EntroQ.class)
                    .isInstanceOf(EntroQClient.class));
  }

  @Test
  void shouldUseBeansInsteadOfProperties() {
    runner
        .withUserConfiguration(OwnQueue.class)
        .withPropertyValues("entroq.address=localhost:1")
        .run(context -> assertThat(context.getBean(EntroQ.class)).isInstanceOf(TestEntroQ.class));
    runner
        .withUserConfiguration(OwnClient.class)
        .run(context -> assertThat(context.getBean(EntroQ.class)).isInstanceOf(EntroQClient.class));
    runner
        .withUserConfiguration(OwnEngine.class)
        .run(
            context ->
                assertThat(context.getBean(EntroQ.class))
                    .isInstanceOfSatisfying(
                        EmbeddedEntroQ.class,
                        queue ->
                            assertThat(
                                    catchThrowable(
                                        () ->
                                            context
                                                .getBean(EntroQTemplate.class)
                                                .enqueue("inbox", new byte[2_000])))
                                .hasMessageContaining("the limit is 1000")));
  }

  @Test
  void shouldRefuseAnAddressWithADirectory() {
    runner
        .withPropertyValues("entroq.address=localhost:37706", "entroq.data=data")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(MutuallyExclusiveConfigurationPropertiesException.class)
                    .hasMessageContaining("entroq.address, entroq.data"));
  }

  @Test
  void shouldRefuseAMalformedAddress() {
    runner
        .withPropertyValues("entroq.address=http://localhost:37706")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("entroq.address")
                    .hasMessageContaining("address must be HOST:PORT"));
  }

  @Test
  void shouldStartListenersUnlessToldNotTo() {
    runner
        .withUserConfiguration(Listening.class)
        .run(
            context -> {
              context.getBean(EntroQTemplate.class).enqueue("inbox", "hello");
              assertThat(context.getBean(Listening.class).next())
                  .isEqualTo("hello on entroq-inbox-1");
            });
    runner
        .withUserConfiguration(Listening.class)
        .withPropertyValues("entroq.listener.auto-startup=false")
        .run(
            context -> {
              QueueListeners listeners = context.getBean(QueueListeners.class);
              assertThat(listeners.isRunning()).isFalse();
              assertThat(listeners.all()).hasSize(1).noneMatch(RunningListener::isRunning);
            });
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class LazyApplication extends Listening {}

  @Test
  void shouldStartListenersWhereBeansAreLazy() throws InterruptedException {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(LazyApplication.class)
            .web(WebApplicationType.NONE)
            .lazyInitialization(true)
            .run()) {
      context.getBean(EntroQTemplate.class).enqueue("inbox", "hello");
      assertThat(context.getBean(LazyApplication.class).next()).startsWith("hello");
    }
  }

  @Test
  void shouldStartAgainAfterAStop() {
    runner
        .withUserConfiguration(Listening.class)
        .run(
            context -> {
              context.stop();
              assertThat(context.getBean(QueueListeners.class).all())
                  .noneMatch(RunningListener::isRunning);
              context.start();
              context.getBean(EntroQTemplate.class).enqueue("inbox", "again");
              assertThat(context.getBean(Listening.class).next()).startsWith("again");
            });
  }

  @Test
  void shouldApplyDefaultsOfProperties() {
    runner
        .withUserConfiguration(Listening.class)
        .withPropertyValues(
            "entroq.listener.concurrency=3",
            "entroq.listener.lease=7s",
            "entroq.listener.attempts=0")
        .run(
            context ->
                assertThat(context.getBean(QueueListeners.class).all().get(0).definition())
                    .extracting(
                        ListenerDefinition::concurrency,
                        ListenerDefinition::lease,
                        ListenerDefinition::attempts)
                    .containsExactly(3, Duration.ofSeconds(7), 0));
  }

  @Test
  void shouldLetCustomizersHaveTheLastWord() {
    runner
        .withUserConfiguration(Listening.class, Customized.class)
        .run(
            context -> {
              context.getBean(EntroQTemplate.class).enqueue("inbox", "hello");
              assertThat(context.getBean(Listening.class).next()).isEqualTo("hello on of inbox");
            });
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void shouldHavePlatformThreadsWhereThereAreNoOthers() {
    runner
        .withUserConfiguration(Listening.class)
        .withPropertyValues("spring.threads.virtual.enabled=true")
        .run(
            context -> {
              context.getBean(EntroQTemplate.class).enqueue("inbox", "hello");
              assertThat(context.getBean(Listening.class).next()).startsWith("hello");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Virtual {
    final BlockingQueue<Boolean> virtual = new LinkedBlockingQueue<>();

    @QueueListener("inbox")
    void receive(WorkContext<?> work) throws ReflectiveOperationException {
      // JDK 17, for which this is compiled, does not know the method.
      virtual.add((Boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread()));
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void shouldHaveVirtualThreadsIfTheApplicationAsksForThem() {
    for (boolean enabled : new boolean[] {true, false}) {
      runner
          .withUserConfiguration(Virtual.class)
          .withPropertyValues("spring.threads.virtual.enabled=" + enabled)
          .run(
              context -> {
                context.getBean(EntroQTemplate.class).enqueue("inbox", "hello");
                assertThat(context.getBean(Virtual.class).virtual.poll(60, TimeUnit.SECONDS))
                    .isEqualTo(enabled);
              });
    }
  }

  @Test
  void shouldDescribeEachPropertyToEditors() throws IOException {
    String metadata =
        new String(
            EntroQProperties.class
                .getResourceAsStream("/META-INF/spring-configuration-metadata.json")
                .readAllBytes(),
            StandardCharsets.UTF_8);
    assertThat(metadata)
        .contains(
            "\"entroq.address\"",
            "\"entroq.data\"",
            "\"entroq.listener.auto-startup\"",
            "\"entroq.listener.concurrency\"",
            "\"entroq.listener.lease\"",
            "\"entroq.listener.attempts\"",
            "\"defaultValue\": \"45s\"",
            "Server or cluster, as HOST:PORT");
  }
}
