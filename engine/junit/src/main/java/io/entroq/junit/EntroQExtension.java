package io.entroq.junit;

import io.entroq.api.EntroQ;
import io.entroq.engine.embedded.TestEntroQ;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.TestAbortedException;

/**
 * Gives each test a queue of its own, in memory, with a clock that the test moves.
 *
 * <pre>{@code
 * @ExtendWith(EntroQExtension.class)
 * class RemindersTest {
 *   @Test
 *   void shouldRemindLater(TestEntroQ queue) throws Exception {
 *     Worker.on(queue).from("reminders").start(new Reminder());
 *     queue.modify(reminderIn(Duration.ofDays(30))).orThrow();
 *     queue.advance(Duration.ofDays(30));
 *     queue.awaitIdle();
 *     assertThat(queue, "sent").hasTasks(1);
 *   }
 * }
 * }</pre>
 *
 * <p>Parameters of type {@link TestEntroQ} or {@link EntroQ} get it: those of the test, of its
 * {@code @BeforeEach} and {@code @AfterEach} methods, and of the constructor of its class and of
 * the classes around that. All of one test get the same queue. Each invocation of a parameterized
 * or repeated test is a test; a test factory with its dynamic tests is one. The queue is closed
 * after the {@code @AfterEach} methods; workers on it then end by themselves. A test without such a
 * parameter has no queue.
 *
 * <p>Where there is no test yet, or no longer, such a parameter is an error: in {@code @BeforeAll}
 * and {@code @AfterAll} methods, and in the constructor of a class with the lifecycle {@code
 * PER_CLASS}.
 *
 * <p>If the test or one of those methods fails, the {@linkplain TaskHistory history} of the tasks
 * is added to the failure, as a suppressed exception: what runs tests prints that with the failure.
 */
public final class EntroQExtension implements ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(EntroQExtension.class);

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(
      ExtensionContext rootContext) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == TestEntroQ.class || type == EntroQ.class;
  }

  @Override
  public TestEntroQ resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "each test has a queue of its own, and there is no test here: "
              + parameter.getDeclaringExecutable()
              + " is called once for all tests of the class. Take the queue as a parameter of the"
              + " test, or of a @BeforeEach method");
    }
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(QueueOfTest.class, key -> QueueOfTest.open(), QueueOfTest.class)
        .queue();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    QueueOfTest used = context.getStore(NAMESPACE).get(QueueOfTest.class, QueueOfTest.class);
    Optional<Throwable> failure = context.getExecutionException();
    if (used != null && failure.isPresent() && !(failure.get() instanceof TestAbortedException)) {
      show(used.recorder().history(), failure.get());
    }
  }

  /**
   * A suppressed exception is in every stack trace. Entries for reports are not: Surefire drops
   * them.
   */
  private static void show(TaskHistory history, Throwable failure) {
    failure.addSuppressed(history);
    if (failure.getSuppressed().length == 0) {
      // It was made so that it keeps none.
      System.getLogger(EntroQExtension.class.getName())
          .log(System.Logger.Level.WARNING, () -> failure + ": " + history.getMessage());
    }
  }

  /** The queue of a test, closed with the test's context. */
  private record QueueOfTest(TestEntroQ queue, EffectRecorder recorder) implements AutoCloseable {
    static QueueOfTest open() {
      TestEntroQ queue = TestEntroQ.open();
      return new QueueOfTest(queue, new EffectRecorder(queue));
    }

    @Override
    public void close() {
      recorder.close();
      queue.close();
    }
  }
}
