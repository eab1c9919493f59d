package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.WorkContext;
import java.util.Objects;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** Mistakes end the start of the application, and the message says which, where and what to do. */
class InvalidListenersTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  PropertyPlaceholderAutoConfiguration.class,
                  JacksonAutoConfiguration.class,
                  EntroQAutoConfiguration.class));

  static class TwoPayloads {
    @QueueListener("inbox")
    void receive(String text, Integer number) {}
  }

  static class TwoTasks {
    @QueueListener("inbox")
    void receive(Task one, Task other) {}
  }

  static class AQueue {
    @QueueListener("inbox")
    void receive(EntroQ queue) {}
  }

  static class AnyObject {
    @QueueListener("inbox")
    void receive(Object object) {}
  }

  static class OtherContext {
    @QueueListener("inbox")
    void receive(WorkContext<Value> work, String text) {}
  }

  static class ReturnsText {
    @QueueListener("inbox")
    String receive(String text) {
      return text;
    }
  }

  static class SameNames {
    @QueueListener("inbox")
    void receive(String text) {}

    @QueueListener("outbox")
    void receive(byte[] bytes) {}
  }

  static class NoQueue {
    @QueueListener({})
    void receive(String text) {}
  }

  static class EmptyQueue {
    @QueueListener("${queue:}")
    void receive(String text) {}
  }

  static class UnknownProperty {
    @QueueListener("${no.such.queue}")
    void receive(String text) {}
  }

  static class NoNumber {
    @QueueListener(value = "inbox", concurrency = "many")
    void receive(String text) {}
  }

  static class TooFew {
    @QueueListener(value = "inbox", concurrency = "0")
    void receive(String text) {}
  }

  static class NoDuration {
    @QueueListener(value = "inbox", lease = "long")
    void receive(String text) {}
  }

  private void expect(Class<?> bean, String description, String action) {
    runner
        .withBean("bean", (Class<?>) bean)
        .run(
            context -> {
              assertThat(context).hasFailed();
              FailureAnalysis analysis = analyze(context.getStartupFailure());
              assertThat(analysis.getDescription()).contains(description);
              assertThat(analysis.getAction()).contains(action);
            });
  }

  /** As Spring Boot does before it reports a failure. */
  private static FailureAnalysis analyze(Throwable failure) {
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(FailureAnalyzer.class, FailureHandler.logging(LogFactory.getLog("analyzers")))
        .stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  private static String at(Class<?> bean, String method) {
    return "The listener " + bean.getName() + ".receive(" + method + ") ";
  }

  @Test
  void shouldRefuseParametersThatNothingFits() {
    expect(
        TwoPayloads.class,
        at(TwoPayloads.class, "String, Integer")
            + "has 2 parameters for the payload: java.lang.String, java.lang.Integer.",
        "the payload, io.entroq.api.Task and io.entroq.api.worker.WorkContext");
    expect(
        TwoTasks.class,
        at(TwoTasks.class, "Task, Task") + "has io.entroq.api.Task more than once.",
        "each once");
    expect(
        AQueue.class,
        at(AQueue.class, "EntroQ")
            + "has a parameter of io.entroq.api.EntroQ, which is no payload.",
        "into a field of the bean");
    expect(
        AnyObject.class,
        at(AnyObject.class, "Object") + "has a parameter of java.lang.Object",
        "Its parameters may be");
    expect(
        OtherContext.class,
        at(OtherContext.class, "WorkContext, String")
            + "has a payload of java.lang.String and a context of io.entroq.api.Value.",
        "WorkContext<?>");
  }

  @Test
  void shouldRefuseOtherResults() {
    expect(
        ReturnsText.class,
        at(ReturnsText.class, "String") + "returns java.lang.String.",
        "Return void, io.entroq.api.worker.Outcome or io.entroq.api.Modification.");
  }

  @Test
  void shouldRefuseTwoListenersWithOneName() {
    expect(
        SameNames.class,
        "Two listeners have the name 'bean.receive': ",
        "Give one of them another name");
  }

  @Test
  void shouldRefuseListenersWithoutAQueue() {
    expect(
        NoQueue.class,
        at(NoQueue.class, "String") + "has value = \"[]\": ",
        "Correct the annotation");
    expect(
        EmptyQueue.class,
        at(EmptyQueue.class, "String") + "has value = \"[]\": ",
        "or the property that it names");
    expect(
        UnknownProperty.class,
        at(UnknownProperty.class, "String")
            + "has value = \"${no.such.queue}\": Could not resolve placeholder 'no.such.queue'",
        "the property that it names");
  }

  @Test
  void shouldRefuseWrongSettings() {
    expect(
        NoNumber.class,
        at(NoNumber.class, "String") + "has concurrency = \"many\": ",
        "Correct the annotation");
    expect(
        NoDuration.class,
        at(NoDuration.class, "String") + "has lease = \"long\": 'long' is not a valid duration",
        "Correct the annotation");
    expect(
        TooFew.class,
        "The listener bean.receive has a wrong setting: concurrency must be from 1 to 100000, is 0",
        "Correct @QueueListener at " + TooFew.class.getName() + ".receive(String)");
  }
}
