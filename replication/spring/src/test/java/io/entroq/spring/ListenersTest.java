package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.WorkContext;
import io.entroq.engine.embedded.TestEntroQ;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What listeners of a running application get, and what becomes of their tasks. */
class ListenersTest {
  record Order(int id, String item) {}

  /** Has a listener of each kind. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

    @Bean
    TestEntroQ queue() {
      return TestEntroQ.open();
    }

    @QueueListener("orders")
    void order(Order order) {
      received.add(order);
    }

    @QueueListener("lists")
    void list(List<Order> orders) {
      received.add(orders.get(0));
    }

    @QueueListener("texts")
    void text(String text) {
      received.add(text);
    }

    @QueueListener("bytes")
    void bytes(byte[] bytes) {
      received.add(bytes.length);
    }

    @QueueListener("values")
    void value(Value value) {
      received.add(value);
    }

    @QueueListener("all")
    void all(WorkContext<Order> work, Task task, Order order) {
      received.add(work.value() == order && work.task() == task ? task.queue() : "others");
    }

    @QueueListener("nothing")
    void nothing() {
      received.add("called");
    }

    @QueueListener("modifications")
    Modification modification(String text) {
      return text.isEmpty() ? null : Modification.insert("results", text);
    }

    @QueueListener("outcomes")
    Outcome outcome(String queue) {
      return Outcome.moveTo(queue);
    }

    @QueueListener(
        value = {"${test.queue}", "second"},
        concurrency = "${test.concurrency:2}",
        attempts = "3",
        lease = "10s",
        quarantine = IllegalArgumentException.class)
    void failing(String text) throws Exception {
      received.add(text);
      switch (text) {
        case "refused" -> throw new NumberFormatException("no number");
        case "checked" -> throw new IOException("no connection");
        case "error" -> throw new StackOverflowError();
        default -> received.add(Thread.currentThread().getName());
      }
    }

    @QueueListener(value = "decided", quarantine = RuntimeException.class)
    void deciding(String text) {
      throw new OutcomeException(Outcome.moveTo("elsewhere"));
    }
  }

  private final ConfigurableApplicationContext context =
      new SpringApplicationBuilder(Application.class)
          .web(WebApplicationType.NONE)
          .properties("test.queue=first")
          .run();
  private final TestEntroQ queue = context.getBean(TestEntroQ.class);
  private final EntroQTemplate template = context.getBean(EntroQTemplate.class);
  private final BlockingQueue<Object> received = context.getBean(Application.class).received;

  @AfterEach
  void close() {
    context.close();
  }

  private Object next() throws InterruptedException {
    return received.poll(60, TimeUnit.SECONDS);
  }

  private List<Task> tasks(String name) throws InterruptedException {
    queue.awaitIdle();
    return queue.tasks(TaskQuery.in(name));
  }

  @Test
  void shouldDoAsAnOutcomeSaysThatIsThrown() throws Exception {
    template.enqueue("decided", "a");
    assertThat(tasks("elsewhere")).hasSize(1);
    assertThat(tasks("decided/err")).isEmpty();
  }

  @Test
  void shouldHandOverPayloadsByTheirType() throws Exception {
    template.enqueue("orders", new Order(7, "book"));
    assertThat(next()).isEqualTo(new Order(7, "book"));
    template.enqueue("orders", Value.json("{\"id\":8,\"item\":\"pen\"}"));
    assertThat(next()).isEqualTo(new Order(8, "pen"));
    template.enqueue("lists", List.of(new Order(9, "cup")));
    assertThat(next()).isEqualTo(new Order(9, "cup"));
    template.enqueue("texts", "hello");
    assertThat(next()).isEqualTo("hello");
    template.enqueue("bytes", new byte[3]);
    assertThat(next()).isEqualTo(3);
    template.enqueue("values", Value.absent());
    assertThat(next()).isEqualTo(Value.absent());
    template.enqueue("all", new Order(1, ""));
    assertThat(next()).isEqualTo("all");
    queue.modify(Modification.insert(Insert.into("nothing"))).orThrow();
    assertThat(next()).isEqualTo("called");
    queue.awaitIdle();
    assertThat(queue.queues(QueueQuery.all())).isEmpty();
  }

  @Test
  void shouldCommitAModificationWithTheTask() throws Exception {
    template.enqueue("modifications", "made");
    assertThat(tasks("results")).extracting(Task::text).containsExactly("made");
    assertThat(queue.queues(QueueQuery.all())).containsOnly(entry("results", 1L));
  }

  @Test
  void shouldRetryAMethodThatReturnsNull() throws Exception {
    template.enqueue("modifications", "");
    assertThat(tasks("modifications"))
        .singleElement()
        .extracting(Task::attempt, Task::err)
        .containsExactly(1, "NullPointerException: the listener returned null");
  }

  @Test
  void shouldDoWhatAnOutcomeSays() throws Exception {
    template.enqueue("outcomes", "elsewhere");
    assertThat(tasks("elsewhere")).hasSize(1);
  }

  @Test
  void shouldQuarantineWhatCannotBeDecoded() throws Exception {
    template.enqueue("orders", "seven");
    template.enqueue("orders", "{".getBytes(StandardCharsets.UTF_8));
    queue.modify(Modification.insert(Insert.into("orders"))).orThrow();
    assertThat(tasks("orders/err"))
        .extracting(Task::err)
        .allMatch(err -> err.startsWith("value cannot be decoded: "))
        .anyMatch(err -> err.contains("not JSON of " + Order.class.getName() + ": "))
        .anyMatch(err -> err.contains("there is no value, " + Order.class.getName()));
    assertThat(received).isEmpty();
  }

  @Test
  void shouldQuarantineAtOnceWhatTheAnnotationNames() throws Exception {
    template.enqueue("first", "refused");
    assertThat(tasks("first/err"))
        .extracting(Task::err)
        .containsExactly("NumberFormatException: no number");
    assertThat(received).containsExactly("refused");
  }

  @Test
  void shouldRetryAllOtherFailuresAsOftenAsTheAnnotationSays() throws Exception {
    template.enqueue("first", "checked");
    template.enqueue("second", "error");
    queue.awaitIdle();
    queue.runFor(Duration.ofDays(1));
    assertThat(tasks("first/err"))
        .singleElement()
        .extracting(Task::attempt, Task::err)
        .containsExactly(3, "IOException: no connection\n".repeat(3).strip());
    assertThat(tasks("second/err"))
        .singleElement()
        .extracting(Task::attempt, Task::err)
        .containsExactly(3, "StackOverflowError\n".repeat(3).strip());
    assertThat(received).hasSize(6);
  }

  @Test
  void shouldReplacePlaceholders() {
    assertThat(context.getBean(QueueListeners.class).all())
        .map(RunningListener::definition)
        .filteredOn(listener -> listener.name().endsWith(".failing"))
        .singleElement()
        .extracting(
            ListenerDefinition::name,
            ListenerDefinition::queues,
            ListenerDefinition::concurrency,
            ListenerDefinition::lease,
            ListenerDefinition::attempts)
        .containsExactly(
            "listenersTest.Application.failing",
            List.of("first", "second"),
            2,
            Duration.ofSeconds(10),
            3);
  }

  @Test
  void shouldEnqueueWithOptions() {
    template.enqueue("later", "x", task -> task.withId("order-7").availableIn(Duration.ofHours(1)));
    Task task = queue.tasks(TaskQuery.in("later")).get(0);
    assertThat(task.id().toString()).isEqualTo("order-7");
    assertThat(Duration.between(queue.time(), task.arrivalTime())).isEqualTo(Duration.ofHours(1));
    Map<String, Long> before = queue.queues(QueueQuery.all());
    queue
        .modify(Modification.insert(template.insert("later", "y"), template.insert("later", "z")))
        .orThrow();
    assertThat(queue.queues(QueueQuery.all()).get("later")).isEqualTo(before.get("later") + 2);
  }

  /** What an application with transactions or caches does to its beans. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Proxied {
    static final BlockingQueue<String> CALLS = new LinkedBlockingQueue<>();

    interface Receiver {
      void receive(String text);
    }

    static class ByInterface implements Receiver {
      @Override
      @QueueListener("by-interface")
      public void receive(String text) {
        CALLS.add(text);
      }
    }

    static class ByClass {
      private final String end = "!";

      @QueueListener("by-class")
      void receive(String text) {
        CALLS.add(text + end);
      }
    }

    @Bean
    ByInterface byInterface() {
      return new ByInterface();
    }

    @Bean
    ByClass byClass() {
      return new ByClass();
    }

    @Bean
    static MethodBeforeAdvice advice() {
      return (method, arguments, target) -> CALLS.add("before");
    }

    @Bean
    static BeanNameAutoProxyCreator proxies() {
      BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
      proxies.setBeanNames("by*");
      proxies.setInterceptorNames("advice");
      return proxies;
    }
  }

  @Test
  void shouldCallProxies() throws Exception {
    try (ConfigurableApplicationContext proxied =
        new SpringApplicationBuilder(Proxied.class)
            .web(WebApplicationType.NONE)
            .properties("spring.aop.proxy-target-class=false")
            .run()) {
      assertThat(AopUtils.isJdkDynamicProxy(proxied.getBean("byInterface"))).isTrue();
      assertThat(AopUtils.isCglibProxy(proxied.getBean("byClass"))).isTrue();
      EntroQTemplate ofProxied = proxied.getBean(EntroQTemplate.class);
      ofProxied.enqueue("by-interface", "interface");
      assertThat(Proxied.CALLS.poll(60, TimeUnit.SECONDS)).isEqualTo("before");
      assertThat(Proxied.CALLS.poll(60, TimeUnit.SECONDS)).isEqualTo("interface");
      ofProxied.enqueue("by-class", "class");
      assertThat(Proxied.CALLS.poll(60, TimeUnit.SECONDS)).isEqualTo("before");
      assertThat(Proxied.CALLS.poll(60, TimeUnit.SECONDS)).isEqualTo("class!");
    }
  }
}
