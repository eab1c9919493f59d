package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.TaskQuery;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls with a time of their own, whose server hangs, loses replies or is gone. */
@ParameterizedClass
@EnumSource(Over.class)
class CallTimeoutTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  /** More than the time of a call, and less than that of a client. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private static final Claim CLAIM = Claim.from("inbox");

  @Parameter Over over;
  @TempDir Path directory;

  private Served served;
  private CuttingProxy proxy;
  private EntroQ queue;
  private EntroQ limited;

  @BeforeEach
  void open() throws Exception {
    served = new Served(directory);
    proxy = new CuttingProxy(served.port());
    queue = Served.connect(proxy.port(), over);
    limited = queue.withTimeout(SHORT);
    // The first request of a client is sent alone.
    queue.modify(Modification.insert("first", "x")).orThrow();
  }

  @AfterEach
  void close() throws Exception {
    queue.close();
    proxy.close();
    served.close();
  }

  @Test
  void shouldNotKnowWhetherAWriteIsDoneWhoseReplyIsLost() {
    proxy.loseReplies();
    Insert insert = Insert.into("inbox").withId("mine").withValue("x");
    assertThat(limited.modifyAsync(Modification.insert(insert)))
        .succeedsWithin(SOON)
        .isInstanceOf(ModifyResult.OutcomeUnknown.class);
    until("it is done", () -> !served.engine().tasks(TaskQuery.in("inbox")).isEmpty());

    // What to do then.
    proxy.cut();
    ModifyResult repeated = queue.modifySkippingColliding(Modification.insert(insert));
    assertThat(repeated.isCommitted()).isTrue();
    assertThat(served.engine().tasks(TaskQuery.in("inbox"))).hasSize(1);
  }

  @Test
  void shouldEndEachCallWhileTheServerHangs() {
    proxy.hang();
    proxy.cut();
    assertThat(limited.queuesAsync(QueueQuery.all()))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(EntroQException.Unavailable.class);
    assertThat(limited.claimAsync(CLAIM))
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfAny(EntroQException.TimedOut.class, EntroQException.Unavailable.class);
    assertThatThrownBy(() -> limited.forEachTask(TaskQuery.in("inbox"), task -> {}))
        .isInstanceOf(EntroQException.Unavailable.class);
    assertThatThrownBy(() -> limited.modify(Modification.insert("inbox", "x")).orThrow())
        .isInstanceOfAny(EntroQException.Unavailable.class, EntroQException.OutcomeUnknown.class);
  }

  @Test
  void shouldKnowThatNothingIsDoneWhereNobodyListens() {
    served.stop();
    until(
        "the connection is seen to be lost",
        () -> {
          ModifyResult unknown = new ModifyResult.OutcomeUnknown("");
          return limited
                  .modifyAsync(Modification.insert("inbox", "x"))
                  .exceptionally(
                      failure -> failure instanceof EntroQException.Unavailable ? null : unknown)
                  .join()
              == null;
        });
  }

  @Test
  void shouldLeaveNothingAtTheServerOfAClaimThatHasEnded() {
    assertThatThrownBy(() -> limited.claim(CLAIM)).isInstanceOf(EntroQException.TimedOut.class);
    until("no claim waits", () -> served.blockedClaims() == 0);
    queue.modify(Modification.insert("inbox", "x")).orThrow();
    assertThat(served.engine().tasks(TaskQuery.in("inbox")).get(0).claims()).isZero();
  }
}
