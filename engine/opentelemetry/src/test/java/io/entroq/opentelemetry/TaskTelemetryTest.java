package io.entroq.opentelemetry;

import static io.opentelemetry.sdk.testing.assertj.OpenTelemetryAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.spi.ForwardingQueue;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@SuppressWarnings("try") // Workers and scopes are only closed.
class TaskTelemetryTest {
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("entroq.outcome");
  private static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("messaging.operation.name");
  private static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");

  @RegisterExtension
  private static final OpenTelemetryExtension OTEL = OpenTelemetryExtension.create();

  private final TestEntroQ queue = TestEntroQ.open();
  private TaskTelemetry telemetry;
  private EntroQ traced;

  /** The extension forgets all instruments before each test. */
  @BeforeEach
  void open() {
    telemetry = TaskTelemetry.of(OTEL.getOpenTelemetry());
    traced = telemetry.on(queue);
  }

  @AfterEach
  void close() {
    queue.close();
  }

  private void work(String from, Handler<Value> handler) throws InterruptedException {
    try (Worker worker =
        Worker.on(traced).from(from).maxAttempts(1).addListener(telemetry).start(handler)) {
      queue.awaitIdle();
    }
  }

  @Test
  void shouldLeaveWhatIsDoneAloneIfMeasurementsFail() throws InterruptedException {
    Logger log = Logger.getLogger("io.entroq");
    log.setLevel(Level.OFF);
    try {
      telemetry = TaskTelemetry.of(new Broken());
      traced = telemetry.on(queue);
      assertThat(traced.modify(Modification.insert("inbox", "a")).isCommitted()).isTrue();
      work("inbox", work -> Outcome.moveTo("elsewhere"));
      assertThat(only("elsewhere").text()).isEqualTo("a");
    } finally {
      log.setLevel(null);
    }
  }

  /** Its spans are as always, and its instruments throw. */
  private static final class Broken implements OpenTelemetry {
    @Override
    public TracerProvider getTracerProvider() {
      return OTEL.getOpenTelemetry().getTracerProvider();
    }

    @Override
    public ContextPropagators getPropagators() {
      return OTEL.getOpenTelemetry().getPropagators();
    }

    @Override
    public MeterProvider getMeterProvider() {
      return broken(MeterProvider.class);
    }

    private static <T> T broken(Class<T> type) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (self, method, args) -> {
                if (method.getReturnType() == void.class) {
                  throw new IllegalStateException("full");
                }
                return method.getReturnType().isInstance(self)
                    ? self
                    : broken(method.getReturnType());
              }));
    }
  }

  private static SpanData span(String name) {
    return OTEL.getSpans().stream().filter(span -> span.getName().equals(name)).findAny().get();
  }

  private static MetricData metric(List<MetricData> all, String name) {
    return all.stream().filter(metric -> metric.getName().equals(name)).findAny().get();
  }

  private Task only(String name) {
    List<Task> tasks = queue.tasks(TaskQuery.in(name));
    assertThat(tasks).hasSize(1);
    return tasks.get(0);
  }

  @Test
  void shouldCarryATraceFromProducerToTheLastWorker() throws InterruptedException {
    Span request = OTEL.getOpenTelemetry().getTracer("test").spanBuilder("request").startSpan();
    try (Scope ignored = request.makeCurrent()) {
      traced.modify(Modification.insert("first", "a")).orThrow();
    }
    request.end();
    work("first", work -> Outcome.done(Modification.insert("second", "b")));
    work("second", work -> Outcome.done());

    assertThat(OTEL.getSpans()).extracting(SpanData::getName).doesNotContain("send second");
    SpanData send = span("send first");
    SpanData first = span("process first");
    SpanData second = span("process second");
    assertThat(send).hasKind(SpanKind.PRODUCER).hasParent(span("request"));
    assertThat(first).hasKind(SpanKind.CONSUMER).hasParent(send).hasTraceId(send.getTraceId());
    assertThat(second).hasParent(first).hasTraceId(send.getTraceId());
    assertThat(first)
        .hasAttribute(AttributeKey.stringKey("messaging.system"), "entroq")
        .hasAttribute(AttributeKey.stringKey("messaging.operation.type"), "process")
        .hasAttribute(DESTINATION, "first")
        .hasAttribute(OUTCOME, "done")
        .hasStatus(StatusData.unset());
  }

  @Test
  void shouldDoWhatThePageShows() throws InterruptedException {
    OpenTelemetry openTelemetry = OTEL.getOpenTelemetry();
    TaskTelemetry telemetry = TaskTelemetry.of(openTelemetry);
    EntroQ traced = telemetry.on(queue);
    traced.modify(Modification.insert("inbox", "hello")).orThrow();
    Worker.on(traced).from("inbox").addListener(telemetry).start(work -> Outcome.done());
    queue.awaitIdle();
    assertThat(span("process inbox")).hasParent(span("send inbox"));
  }

  @Test
  void shouldMakeTheSpanCurrentForTheHandler() throws InterruptedException {
    queue.modify(Modification.insert("inbox", "a")).orThrow();
    work(
        "inbox",
        work -> {
          OTEL.getOpenTelemetry().getTracer("test").spanBuilder("inside").startSpan().end();
          return Outcome.done();
        });
    assertThat(span("inside")).hasParent(span("process inbox"));
  }

  @Test
  void shouldTellFailures() throws InterruptedException {
    queue.modify(Modification.insert("throws", "a")).orThrow();
    queue.modify(Modification.insert("quarantines", "a")).orThrow();
    queue.modify(Modification.insert("retries", "a")).orThrow();
    queue.modify(Modification.insert("moves", "a")).orThrow();
    queue.modify(Modification.insert("sorts", "a")).orThrow();
    work(
        "throws",
        work -> {
          throw new IllegalStateException("no");
        });
    work(
        "quarantines",
        work -> {
          throw new OutcomeException(Outcome.quarantine("bad address"));
        });
    work("retries", work -> Outcome.retry("busy"));
    work("moves", work -> Outcome.moveTo("manual", "unclear"));
    work("sorts", work -> Outcome.moveTo("sorted"));

    assertThat(span("process throws"))
        .hasStatus(StatusData.create(StatusCode.ERROR, "java.lang.IllegalStateException"))
        .hasAttribute(ERROR, "java.lang.IllegalStateException")
        .hasException(new IllegalStateException("no"));
    assertThat(span("process quarantines"))
        .hasStatus(StatusData.create(StatusCode.ERROR, "bad address"))
        .hasAttribute(ERROR, "quarantine");
    assertThat(span("process retries")).hasAttribute(ERROR, "retry");
    assertThat(span("process moves")).hasAttribute(ERROR, "move");
    assertThat(span("process sorts")).hasStatus(StatusData.unset()).hasAttribute(OUTCOME, "move");
    assertThat(only("quarantines/err").err()).contains("bad address");
    assertThat(queue.tasks(TaskQuery.in("sorted"))).hasSize(1);
  }

  @Test
  void shouldTellReportedFailuresAndMissingOutcomes() throws InterruptedException {
    queue.modify(Modification.insert("reports", "a")).orThrow();
    queue.modify(Modification.insert("returns", "a")).orThrow();
    work(
        "reports",
        work -> Outcome.modify(Modification.fail(work.task(), "no address", Duration.ofDays(1))));
    work("returns", work -> null);

    assertThat(span("process reports"))
        .hasStatus(StatusData.create(StatusCode.ERROR, "no address"))
        .hasAttribute(ERROR, "fail");
    assertThat(span("process returns"))
        .hasStatus(StatusData.create(StatusCode.ERROR, "java.lang.IllegalStateException"))
        .hasAttribute(ERROR, "java.lang.IllegalStateException");
  }

  @Test
  void shouldNotTellCancelledWorkAsAFailure() throws InterruptedException {
    queue.modify(Modification.insert("inbox", "a")).orThrow();
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker =
        Worker.on(traced)
            .from("inbox")
            .drainTimeout(Duration.ofMillis(1))
            .addListener(telemetry)
            .start(
                work -> {
                  begun.countDown();
                  new CountDownLatch(1).await();
                  return Outcome.done();
                });
    begun.await();
    worker.close();

    assertThat(span("process inbox"))
        .hasStatus(StatusData.unset())
        .hasAttribute(OUTCOME, "cancelled");
  }

  @Test
  void shouldBeginATraceWhereThereIsNone() throws InterruptedException {
    queue.modify(Modification.insert("inbox", "a")).orThrow();
    queue.modify(Modification.insert(Insert.into("own").withTrace("not a trace"))).orThrow();
    work("inbox", work -> Outcome.done());
    work("own", work -> Outcome.done());
    assertThat(span("process inbox")).hasNoParent();
    assertThat(span("process own")).hasNoParent();
  }

  @Test
  void shouldLeaveATraceThatIsThere() {
    traced.modify(Modification.insert(Insert.into("inbox").withTrace("mine"))).orThrow();
    assertThat(only("inbox").trace()).isEqualTo("mine");
  }

  @Test
  void shouldLeaveInsertsWithoutASpanAlone() {
    Modification modification = Modification.insert("inbox", "a");
    assertThat(telemetry.traced(queue, modification)).isSameAs(modification);
  }

  @Test
  void shouldSendNoTraceToAQueueThatCannotKeepIt() {
    EntroQ old =
        (EntroQ)
            Proxy.newProxyInstance(
                EntroQ.class.getClassLoader(),
                new Class<?>[] {EntroQ.class},
                (proxy, method, args) ->
                    method.getName().equals("hasPolicies") ? false : method.invoke(queue, args));
    telemetry.on(old).modify(Modification.insert("inbox", "a")).orThrow();
    assertThat(only("inbox").trace()).isEmpty();
  }

  @Test
  void shouldTellWhenNothingWasSent() {
    Task gone = queue.modify(Modification.insert("inbox", "a")).orThrow().inserted().get(0);
    queue.modify(Modification.delete(gone)).orThrow();

    ModifyResult refused =
        traced.modify(Modification.insert("outbox", "b").and(Modification.delete(gone.ref())));
    assertThat(refused).isInstanceOf(ModifyResult.DependencyFailure.class);
    assertThat(span("send outbox")).hasAttribute(ERROR, "DependencyFailure");

    queue.close();
    assertThatThrownBy(() -> traced.modify(Modification.insert("late", "b")))
        .isInstanceOf(EntroQException.Closed.class);
    assertThat(span("send late")).hasAttribute(ERROR, EntroQException.Closed.class.getName());
    List<MetricData> metrics = OTEL.getMetrics();
    assertThat(metric(metrics, "messaging.client.operation.duration"))
        .hasHistogramSatisfying(
            histogram ->
                histogram.hasPointsSatisfying(
                    point -> point.hasAttribute(ERROR, "DependencyFailure"),
                    point -> point.hasAttribute(ERROR, EntroQException.Closed.class.getName())));
    assertThat(metrics)
        .noneMatch(metric -> metric.getName().equals("messaging.client.sent.messages"));
  }

  /** The future has its result shortly before the span ends. */
  private static void awaitSpans(int count) throws InterruptedException {
    while (OTEL.getSpans().size() < count) {
      Thread.sleep(1);
    }
  }

  @Test
  @Timeout(60)
  void shouldTraceWhatDoesNotWait() throws InterruptedException {
    Task task =
        traced
            .withTimeout(Duration.ofMinutes(1))
            .modifyAsync(Modification.insert("inbox", "a"))
            .join()
            .orThrow()
            .inserted()
            .get(0);
    awaitSpans(1);
    assertThat(only("inbox").trace()).contains(span("send inbox").getSpanId());

    queue.modify(Modification.delete(task)).orThrow();
    traced
        .modifyAsync(Modification.insert("outbox", "b").and(Modification.delete(task.ref())))
        .join();
    awaitSpans(2);
    assertThat(span("send outbox")).hasAttribute(ERROR, "DependencyFailure");
  }

  /** To ask it whether it keeps traces would wait for it. */
  @Test
  void shouldAskNothingThatWaitsBeforeTheQueueHasAnswered() {
    CompletableFuture<Instant> first = new CompletableFuture<>();
    AtomicBoolean hasAnswered = new AtomicBoolean();
    EntroQ away =
        new ForwardingQueue(queue) {
          @Override
          public EntroQ withTimeout(Duration timeout) {
            return this;
          }

          @Override
          public CompletableFuture<Instant> timeAsync() {
            return first;
          }

          @Override
          public boolean hasPolicies() {
            assertThat(hasAnswered).isTrue();
            return super.hasPolicies();
          }
        };
    CompletableFuture<ModifyResult> answer =
        telemetry.on(away).modifyAsync(Modification.insert("inbox", "a"));
    assertThat(answer).isNotDone();
    hasAnswered.set(true);
    first.complete(Instant.EPOCH);
    answer.join().orThrow();
    assertThat(only("inbox").trace()).isNotEmpty();
  }

  @Test
  void shouldDecorateOnce() {
    assertThat(telemetry.on(traced)).isSameAs(traced);
    EntroQ timed = traced.withTimeout(Duration.ofSeconds(1));
    assertThat(telemetry.on(timed)).isSameAs(timed);
  }

  @Test
  void shouldNameNoQueueIfThereAreSeveral() {
    traced.modify(Modification.insert("a", "1").and(Modification.insert("b", "2"))).orThrow();
    assertThat(span("send"))
        .hasAttribute(AttributeKey.longKey("messaging.batch.message_count"), 2L);
    assertThat(only("a").trace()).isEqualTo(only("b").trace()).isNotEmpty();
  }

  @Test
  void shouldCountMembersOfAPoolByItsName() throws InterruptedException {
    queue.policies().put(QueuePolicy.of("orders").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    traced.modify(Modification.insert(Insert.into("orders").withKey("alice"))).orThrow();
    work("orders", work -> Outcome.done());
    assertThat(span("process orders")).hasAttribute(DESTINATION, "orders/alice");
    assertThat(metric(OTEL.getMetrics(), "messaging.process.duration"))
        .hasHistogramSatisfying(
            histogram ->
                histogram.hasPointsSatisfying(
                    point -> point.hasCount(1).hasAttribute(DESTINATION, "orders")));
  }

  @Test
  void shouldCountAndTime() throws InterruptedException {
    traced.modify(Modification.insert("inbox", "a")).orThrow();
    work("inbox", work -> Outcome.quarantine("no"));

    List<MetricData> metrics = OTEL.getMetrics();
    assertThat(metric(metrics, "messaging.client.sent.messages"))
        .hasLongSumSatisfying(sum -> sum.hasPointsSatisfying(point -> point.hasValue(1)));
    assertThat(metric(metrics, "messaging.client.operation.duration"))
        .hasUnit("s")
        .hasHistogramSatisfying(
            histogram ->
                histogram.hasPointsSatisfying(
                    point ->
                        point
                            .hasCount(1)
                            .hasAttribute(OPERATION, "send")
                            .hasAttribute(DESTINATION, "inbox"),
                    point ->
                        point.hasAttribute(OPERATION, "claim").hasAttribute(DESTINATION, "inbox"),
                    point -> point.hasCount(1).hasAttribute(OPERATION, "modify")));
    assertThat(metric(metrics, "messaging.client.consumed.messages"))
        .hasLongSumSatisfying(
            sum ->
                sum.hasPointsSatisfying(
                    point -> point.hasValue(1).hasAttribute(ERROR, "quarantine")));
    assertThat(metric(metrics, "messaging.process.duration"))
        .hasUnit("s")
        .hasHistogramSatisfying(
            histogram ->
                histogram.hasPointsSatisfying(
                    point -> point.hasCount(1).hasAttribute(DESTINATION, "inbox")));
  }
}
