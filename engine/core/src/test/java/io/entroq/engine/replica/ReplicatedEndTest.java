package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.VolatileLog;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers of a replica that cannot apply a command learn that it has ended. */
class ReplicatedEndTest {
  private long nowMs = 1_000_000;
  private final ReplicatedEngine engine = DrivenReplica.engine(() -> nowMs, System::nanoTime);
  private final CommandLog log = new VolatileLog(LogConfig.defaults().withForcedOften(false));
  private boolean isBroken;

  @BeforeEach
  void begin() {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT), breakable());
    engine.proposer().proposeGenesis();
    turn();
  }

  @Test
  void shouldTellTheCallerWhoseCommandEndsIt() throws Exception {
    isBroken = true;
    CompletableFuture<ModifyResult> first = insert();
    CompletableFuture<ModifyResult> second = insert();

    assertThatThrownBy(this::turn).hasStackTraceContaining("broken");
    assertThat(engine.applier().isInCommand()).isTrue();
    engine.fail(new IllegalStateException("cannot go on"));
    engine.end();
    engine.reply();

    for (CompletableFuture<ModifyResult> each : List.of(first, second)) {
      assertThat(each.get(10, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              ModifyResult.OutcomeUnknown.class,
              unknown -> assertThat(unknown.reason()).contains("cannot go on"));
    }
    assertThat(engine.hasFailed()).isTrue();
  }

  @Test
  void shouldNotTakeForTheCommandsFaultWhatTimeHasBroughtAbout() {
    CompletableFuture<ModifyResult> due =
        engine
            .queue()
            .modifyAsync(
                Modification.insert(
                    Insert.into("q").availableAt(Instant.ofEpochMilli(nowMs + 1_000))));
    CompletableFuture<List<Task>> claim = engine.queue().claimAsync(Claim.from("q"));
    turn();
    assertThat(due).isCompleted();
    assertThat(claim).isNotDone();
    nowMs += 2_000;
    isBroken = true;
    CompletableFuture<ModifyResult> insert = insert();

    assertThatThrownBy(this::turn).hasStackTraceContaining("broken");
    assertThat(engine.applier().isInCommand()).isFalse();
    engine.fail(new IllegalStateException("cannot go on"));
    engine.end();
    engine.reply();
    assertThat(insert).isCompletedWithValueMatching(ModifyResult.OutcomeUnknown.class::isInstance);
    assertThat(claim).isCompletedExceptionally();
  }

  private CompletableFuture<ModifyResult> insert() {
    return engine.queue().modifyAsync(Modification.insert("q", "v"));
  }

  private void turn() {
    engine.proposer().doWork(this::order);
    engine.applier().doWork(Contact.LEADER);
    engine.reply();
  }

  private boolean order(DirectBuffer buffer, int offset, int length) {
    engine.applier().apply(buffer, offset, length, nowMs);
    return true;
  }

  private CommandLog breakable() {
    return (CommandLog)
        Proxy.newProxyInstance(
            CommandLog.class.getClassLoader(), new Class<?>[] {CommandLog.class}, this::call);
  }

  private Object call(Object proxy, Method method, Object[] args) throws Throwable {
    if (isBroken && method.getName().equals("append")) {
      throw new IllegalStateException("broken");
    }
    try {
      return method.invoke(log, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
