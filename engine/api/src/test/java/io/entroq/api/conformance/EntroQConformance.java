package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** The behaviour of every EntroQ: extend this, say how to open one, and run it. */
public abstract class EntroQConformance {
  /** How long to wait for what must happen by itself. */
  static final long SOON_SECONDS = 60;

  /** Between two moments. */
  private static final Duration TICK = Duration.ofMillis(1);

  /** How often a refusal is asked for anew. */
  private static final int UNKNOWN_MAX = 10;

  /** More than any test starts, fails or inserts. */
  private static final int HARMLESS = 1_000_000;

  /** With which the tests' queues begin. */
  private static final String FIRST_LETTERS = "abcdefghijklmnopqrstuvwxyzé";

  static final Duration LEASE = Claim.DEFAULT_LEASE;
  static final String OTHER = "another-claimant";

  private QueueUnderTest underTest;

  /**
   * Opens an EntroQ without tasks.
   *
   * @param queueTasksMax how many tasks a queue may have; 0: any number
   */
  protected abstract QueueUnderTest open(long queueTasksMax) throws Exception;

  /**
   * Whether each queue has a policy, which no test is to notice.
   *
   * @return false unless overridden
   */
  protected boolean isUnderPolicies() {
    return false;
  }

  @BeforeEach
  void openQueue() throws Exception {
    openAnew(0);
  }

  private void openAnew(long queueTasksMax) throws Exception {
    underTest = open(queueTasksMax);
    if (isUnderPolicies()) {
      queue().modify(harmlessPolicies()).orThrow();
    }
  }

  /** A policy for each first letter of a queue's name. Its limits are never reached. */
  private static Modification harmlessPolicies() {
    Modification.Builder policies = Modification.builder();
    policies.write(new Policies.Put(Limiter.of("harmless").inFlight(HARMLESS), Optional.empty()));
    for (int letter = 0; letter < FIRST_LETTERS.length(); letter++) {
      QueuePolicy policy =
          QueuePolicy.prefix(FIRST_LETTERS.substring(letter, letter + 1))
              .rate(HARMLESS, Duration.ofSeconds(1))
              .burst(HARMLESS)
              .inFlight(HARMLESS)
              .limiters("harmless")
              .retry(QueuePolicy.Retry.constant(Duration.ZERO))
              .attempts(HARMLESS)
              .lapses(HARMLESS)
              .breaker(HARMLESS, Duration.ofDays(1))
              .maxTasks(HARMLESS)
              .maxBytes(Long.MAX_VALUE);
      policies.write(new Policies.Put(policy, Optional.empty()));
    }
    return policies.build();
  }

  /** The EntroQ, which has no tasks yet, is from here on one whose queues have a limit. */
  void reopenWithLimit(long queueTasksMax) throws Exception {
    underTest.close();
    openAnew(queueTasksMax);
  }

  @AfterEach
  void closeQueue() {
    underTest.close();
  }

  EntroQ queue() {
    return underTest.queue();
  }

  void advance(Duration duration) {
    underTest.advance(duration);
  }

  /** Whether the queue answers nothing from now on, until it is told to go on. */
  boolean hold() {
    return underTest.hold();
  }

  void goOn() {
    underTest.goOn();
  }

  /** Moves the clock to the last moment at which something is not due yet. */
  void advanceAlmost(Duration due) {
    advance(due.minus(TICK).minus(underTest.drift()));
  }

  /** Moves the clock from there to the moment at which it is due, or soon after if it drifts. */
  void advanceTheRest() {
    advance(TICK.plus(underTest.drift().multipliedBy(2)));
  }

  /** Of a clock that has drifted, perhaps more than once, and was moved {@link #advanceTheRest}. */
  private Duration tolerance() {
    return underTest.drift().multipliedBy(4);
  }

  /**
   * What a modification is refused with. Where servers come and go one may do so before it has said
   * that, and the next one's refusal is no word on what the first has done; then it is asked anew.
   */
  Throwable refusal(Modification modification) {
    Throwable thrown = thrownBy(modification);
    for (int i = 0; i < UNKNOWN_MAX && isUnknown(thrown) && !isStill(); i++) {
      thrown = thrownBy(modification);
    }
    return thrown;
  }

  private Throwable thrownBy(Modification modification) {
    return catchThrowable(() -> queue().modify(modification).orThrow());
  }

  private static boolean isUnknown(Throwable thrown) {
    return thrown instanceof EntroQException.OutcomeUnknown;
  }

  /** Whether time stands where it is put, and nobody comes or goes. */
  boolean isStill() {
    return underTest.drift().isZero();
  }

  void assertTime(Instant actual, Instant expected) {
    assertThat(actual).isBetween(expected.minus(tolerance()), expected.plus(tolerance()));
  }

  void assertDuration(Duration actual, Duration expected) {
    assertThat(actual).isBetween(expected.minus(tolerance()), expected.plus(tolerance()));
  }

  /** A name that no other test has used. */
  static String unused(String name) {
    return name + " " + UUID.randomUUID();
  }

  Task insert(Insert insert) {
    return queue().modify(Modification.insert(insert)).orThrow().inserted().get(0);
  }

  Task insert(String queue, String text) {
    return insert(Insert.into(queue).withValue(text));
  }

  Task claimNow(String... queues) {
    return queue().tryClaim(Claim.from(queues)).orElseThrow();
  }

  Optional<Task> tryClaim(String... queues) {
    return queue().tryClaim(Claim.from(queues));
  }

  Task read(TaskId id) {
    return find(id).orElseThrow();
  }

  Optional<Task> find(TaskId id) {
    return queue().tasks(TaskQuery.withIds(id)).stream().findFirst();
  }

  ModifyResult.DependencyFailure failure(Modification modification) {
    ModifyResult result = queue().modify(modification);
    assertThat(result).isInstanceOf(ModifyResult.DependencyFailure.class);
    return (ModifyResult.DependencyFailure) result;
  }

  /** A claim that the queue knows of and that waits. */
  CompletableFuture<List<Task>> parked(Claim claim) {
    CompletableFuture<List<Task>> future = queue().claimAsync(claim);
    assertThat(queue().time()).isNotNull();
    assertThat(future).isNotDone();
    return future;
  }

  static <T> T soon(CompletableFuture<T> future) throws Exception {
    return future.get(SOON_SECONDS, TimeUnit.SECONDS);
  }

  /** Inserts. */
  @Nested
  class Inserts extends InsertConformance {
    Inserts() {
      super(EntroQConformance.this);
    }
  }

  /** Claims that do not wait. */
  @Nested
  class Claims extends ClaimConformance {
    Claims() {
      super(EntroQConformance.this);
    }
  }

  /** Claims that wait. */
  @Nested
  class Waiting extends WaitingConformance {
    Waiting() {
      super(EntroQConformance.this);
    }
  }

  /** Changes, deletes, depends. */
  @Nested
  class Modifies extends ModifyConformance {
    Modifies() {
      super(EntroQConformance.this);
    }
  }

  /** How large queues may become. */
  @Nested
  class Limits extends LimitConformance {
    Limits() {
      super(EntroQConformance.this);
    }
  }

  /** Reads. */
  @Nested
  class Reads extends ReadConformance {
    Reads() {
      super(EntroQConformance.this);
    }
  }

  /** Docs. */
  @Nested
  class Docs extends DocConformance {
    Docs() {
      super(EntroQConformance.this);
    }
  }

  /** The locks that docs of one key share. */
  @Nested
  class DocSets extends DocSetConformance {
    DocSets() {
      super(EntroQConformance.this);
    }
  }

  /** Policies, pauses, failures and attributes. */
  @Nested
  class PolicyRules extends PolicyConformance {
    PolicyRules() {
      super(EntroQConformance.this);
    }
  }

  /** Calls that have a time. */
  @Nested
  class Timeouts extends TimeoutConformance {
    Timeouts() {
      super(EntroQConformance.this);
    }
  }

  /** What is built from several requests, and the end. */
  @Nested
  class Helpers extends HelperConformance {
    Helpers() {
      super(EntroQConformance.this);
    }
  }
}
