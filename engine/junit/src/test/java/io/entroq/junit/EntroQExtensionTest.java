package io.entroq.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.engine.embedded.TestEntroQ;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class EntroQExtensionTest {
  private static final Queue<EntroQ> USED = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void forget() {
    USED.clear();
  }

  static EngineExecutionResults run(Class<?> testClass) {
    return EngineTestKit.engine("junit-jupiter").selectors(selectClass(testClass)).execute();
  }

  private static void runWell(Class<?> testClass, int tests) {
    run(testClass).testEvents().assertStatistics(stats -> stats.started(tests).succeeded(tests));
  }

  /** Each test has used its own queue, and all are closed. */
  private static void assertClosed(int queues) {
    assertThat(new HashSet<>(USED)).hasSize(queues);
    for (EntroQ queue : USED) {
      assertThatThrownBy(queue::time).isInstanceOf(EntroQException.Closed.class);
    }
  }

  private static void use(EntroQ queue, EntroQ... others) {
    assertThat(others).allMatch(other -> other == queue);
    assertThat(queue.queues(QueueQuery.all())).isEmpty();
    queue.modify(Modification.insert("q", "of this test")).orThrow();
    USED.add(queue);
  }

  @ExtendWith(EntroQExtension.class)
  static class Everywhere {
    private final EntroQ ofConstructor;
    private EntroQ ofBeforeEach;

    Everywhere(TestEntroQ queue) {
      ofConstructor = queue;
    }

    @BeforeEach
    void before(EntroQ queue) {
      ofBeforeEach = queue;
    }

    @Test
    void first(TestEntroQ queue, EntroQ same) {
      use(queue, same, ofConstructor, ofBeforeEach);
    }

    @Test
    void second(EntroQ queue) {
      use(queue, ofConstructor, ofBeforeEach);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void parameterized(String text, TestEntroQ queue) {
      assertThat(text).isNotEmpty();
      use(queue, ofConstructor, ofBeforeEach);
    }

    @RepeatedTest(2)
    void repeated(TestEntroQ queue) {
      use(queue, ofConstructor, ofBeforeEach);
    }

    @AfterEach
    void after(TestEntroQ queue) {
      assertThat(queue).isSameAs(ofConstructor);
      assertThat(queue.queues(QueueQuery.all())).containsKey("q");
    }

    @Nested
    class Inner {
      private final EntroQ ofInner;

      Inner(EntroQ queue) {
        ofInner = queue;
      }

      @Test
      void nested(TestEntroQ queue) {
        use(queue, ofConstructor, ofBeforeEach, ofInner);
      }
    }
  }

  @Test
  void shouldGiveEachTestAQueueAndCloseIt() {
    runWell(Everywhere.class, 7);
    assertClosed(7);
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @ExtendWith(EntroQExtension.class)
  static class OneInstance {
    private EntroQ ofBeforeEach;

    @BeforeEach
    void before(TestEntroQ queue) {
      ofBeforeEach = queue;
    }

    @Test
    void first(TestEntroQ queue) {
      use(queue, ofBeforeEach);
    }

    @Test
    void second(TestEntroQ queue) {
      use(queue, ofBeforeEach);
    }
  }

  @Test
  void shouldGiveEachTestAQueueWhereAClassHasOneInstance() {
    runWell(OneInstance.class, 2);
    assertClosed(2);
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @ExtendWith(EntroQExtension.class)
  static class ConstructedOnce {
    ConstructedOnce(TestEntroQ queue) {
      USED.add(queue);
    }

    @Test
    void test() {}
  }

  @ExtendWith(EntroQExtension.class)
  static class BeforeAllTests {
    @BeforeAll
    static void before(TestEntroQ queue) {
      USED.add(queue);
    }

    @Test
    void test() {}
  }

  @ExtendWith(EntroQExtension.class)
  static class AfterAllTests {
    @Test
    void test() {}

    @AfterAll
    static void after(TestEntroQ queue) {
      USED.add(queue);
    }
  }

  @Test
  void shouldRefuseWhereThereIsNoTest() {
    for (Class<?> wrong :
        List.of(ConstructedOnce.class, BeforeAllTests.class, AfterAllTests.class)) {
      run(wrong)
          .containerEvents()
          .assertThatEvents()
          .haveExactly(
              1,
              finishedWithFailure(
                  instanceOf(ParameterResolutionException.class),
                  message(text -> text.contains("and there is no test here: "))));
    }
    assertThat(USED).isEmpty();
  }

  @ExtendWith(EntroQExtension.class)
  static class AtOnce {
    static final int TESTS = 4;
    static CountDownLatch together;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, TESTS})
    void test(int number, TestEntroQ queue) throws InterruptedException {
      use(queue);
      together.countDown();
      assertThat(together.await(30, TimeUnit.SECONDS)).as("%d is not alone", number).isTrue();
    }
  }

  @Test
  void shouldGiveQueuesToTestsThatRunAtOnce() {
    AtOnce.together = new CountDownLatch(AtOnce.TESTS);
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(AtOnce.class))
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter(
            "junit.jupiter.execution.parallel.config.fixed.parallelism", "" + AtOnce.TESTS)
        .execute()
        .testEvents()
        .assertStatistics(stats -> stats.started(AtOnce.TESTS).succeeded(AtOnce.TESTS));
    assertClosed(AtOnce.TESTS);
  }

  @ExtendWith(EntroQExtension.class)
  static class WithoutQueue {
    static Set<Thread> before;

    @Test
    void test() {
      Set<Thread> begun = new HashSet<>(Thread.getAllStackTraces().keySet());
      begun.removeAll(before);
      assertThat(begun).extracting(Thread::getName).doesNotContain("entroq-engine");
    }
  }

  @Test
  void shouldOpenNoQueueForATestThatTakesNone() {
    WithoutQueue.before = Thread.getAllStackTraces().keySet();
    runWell(WithoutQueue.class, 1);
  }
}
