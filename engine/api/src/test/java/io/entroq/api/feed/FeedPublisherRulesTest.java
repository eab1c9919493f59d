package io.entroq.api.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;

/** The rules of reactive streams, by their own tests, which are for TestNG. */
class FeedPublisherRulesTest {
  private static final int WAIT_MS = 2_000;

  /** After which nothing more is expected to happen; it passes in tests that are right. */
  private static final int QUIET_MS = 20;

  private static final ExecutorService EXECUTOR = Executors.newFixedThreadPool(2);

  @AfterAll
  static void stop() {
    EXECUTOR.shutdownNow();
  }

  /** They wait out the whole time; {@code FeedPublisherTest} has the rule. */
  private static final String SLOW = "spec309";

  private static List<Method> rules() {
    return Arrays.stream(FlowPublisherVerification.class.getMethods())
        .filter(rule -> rule.isAnnotationPresent(org.testng.annotations.Test.class))
        .filter(rule -> !rule.getName().contains(SLOW))
        .sorted(Comparator.comparing(Method::getName))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> shouldKeep() {
    return rules().stream().map(rule -> DynamicTest.dynamicTest(rule.getName(), () -> run(rule)));
  }

  @Test
  void shouldFindTheRules() {
    assertThat(rules()).hasSizeGreaterThan(30);
  }

  private static void run(Method rule) throws Throwable {
    Verification verification = new Verification();
    verification.setUp();
    try {
      rule.invoke(verification);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SkipException skipped) {
        // Rules for others, such as publishers with one subscriber, and those that nobody can test.
        Assumptions.abort(skipped.getMessage());
      }
      throw e.getCause();
    }
  }

  private static final class Verification extends FlowPublisherVerification<Effect> {
    Verification() {
      super(new TestEnvironment(WAIT_MS, QUIET_MS));
    }

    @Override
    public Flow.Publisher<Effect> createFlowPublisher(long elements) {
      return publisher(new Counter(elements));
    }

    @Override
    public Flow.Publisher<Effect> createFailedFlowPublisher() {
      ScriptedSource refusing = new ScriptedSource();
      refusing.refuse(new EntroQException.Closed("closed"));
      return publisher(refusing);
    }

    private static Flow.Publisher<Effect> publisher(FeedSource source) {
      return new FeedPublisher(source, FeedQuery.fromNow().build(), EXECUTOR);
    }
  }

  /** Shows a number of effects to each who asks. */
  private record Counter(long effects) implements FeedSource {
    @Override
    public FeedRange feedRange() {
      return new FeedRange(1, effects);
    }

    @Override
    public FeedCursor openFeed(FeedQuery query) {
      return new CounterCursor(effects);
    }
  }

  private static final class CounterCursor implements FeedCursor {
    private final long effects;
    private long shown;
    private volatile boolean isClosed;

    CounterCursor(long effects) {
      this.effects = effects;
    }

    @Override
    public Optional<Effect> poll() {
      if (isEnded()) {
        return Optional.empty();
      }
      shown++;
      return Optional.of(ScriptedSource.effect(shown));
    }

    @Override
    public boolean await(Runnable onAvailable) {
      return false;
    }

    @Override
    public boolean isEnded() {
      return isClosed || shown == effects;
    }

    @Override
    public Optional<FeedPosition> position() {
      return Optional.empty();
    }

    @Override
    public Optional<EntroQException> problem() {
      return Optional.empty();
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
