package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.VolatileLog;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** Callers of a replica that cannot apply a command learn that it has ended. */
class ReplicatedEndTest {
  private final ReplicatedEngine engine =
      ReplicatedEngine.driven(
          EmbeddedConfig.inMemory().build(),
          () -> 1_000_000,
          Duration.ofMinutes(10),
          new ReplicaSeams(new Random(1), System::nanoTime));
  private final CommandLog log = new VolatileLog(LogConfig.defaults().withForcedOften(false));
  private boolean isBroken;

  @Test
  void shouldTellTheCallerWhoseCommandEndsIt() throws Exception {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT), breakable());
    engine.proposer().proposeGenesis();
    turn();
    isBroken = true;
    CompletableFuture<ModifyResult> first = insert();
    CompletableFuture<ModifyResult> second = insert();

    assertThatThrownBy(this::turn).hasStackTraceContaining("broken");
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

  private CompletableFuture<ModifyResult> insert() {
    return engine.queue().modifyAsync(Modification.insert("q", "v"));
  }

  private void turn() {
    engine.proposer().doWork(this::order);
    engine.applier().doWork(true);
    engine.reply();
  }

  private boolean order(DirectBuffer buffer, int offset, int length) {
    engine.applier().apply(buffer, offset, length, 1_000_000);
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
