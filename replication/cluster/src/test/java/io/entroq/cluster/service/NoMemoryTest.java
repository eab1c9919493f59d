package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.logbuffer.Header;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.LevelSurvey;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A member that runs out of memory while it applies a command. */
class NoMemoryTest {
  private final ReplicatedEngine engine =
      new ReplicatedEngine(
          EmbeddedConfig.inMemory().build(), System::currentTimeMillis, Duration.ofMinutes(1));
  private final AtomicReference<Throwable> end = new AtomicReference<>();
  private final QueueService service =
      new QueueService(
          engine,
          new Listener(),
          new SnapshotReports(0, 1, found -> {}),
          new LevelSurvey(0, 1, LevelRange.ofThisBuild(), message -> {}),
          null,
          Mirror.none(),
          new StartupClockCheck(System::currentTimeMillis, true),
          null,
          new LeaderContact(() -> 0, Duration.ofMinutes(1), () -> null),
          null);

  @AfterEach
  void close() {
    engine.close();
    engine.end();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Cannot reserve 262144 bytes of direct buffer memory|-XX:MaxDirectMemorySize",
        "Java heap space|-Xmx"
      })
  void shouldNameTheFlagAndNotAdviseToSkip(String said, String flag) {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT), logWithout(said));
    engine.proposer().proposeGenesis();
    engine
        .proposer()
        .doWork(
            (buffer, offset, length) -> {
              assertThatThrownBy(
                      () -> service.onSessionMessage(null, 1, buffer, offset, length, header()))
                  .isInstanceOf(AgentTerminationException.class);
              return true;
            });
    assertThat(end.get())
        .isInstanceOf(NoMemoryException.class)
        .hasMessageContaining(said)
        .hasMessageContaining("larger " + flag)
        .hasMessageContaining("skip none")
        .hasMessageNotContaining("skipCommand");
    assertThat(engine.hasFailed()).isTrue();
  }

  /** A log that runs out of memory at each record. */
  private static CommandLog logWithout(String said) {
    return (CommandLog)
        Proxy.newProxyInstance(
            CommandLog.class.getClassLoader(),
            new Class<?>[] {CommandLog.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("append")) {
                throw new OutOfMemoryError(said);
              }
              return method.getReturnType() == long.class ? 0L : null;
            });
  }

  private static Header header() {
    Header header = new Header(0, 16);
    header.buffer(new UnsafeBuffer(new byte[64]));
    return header;
  }

  private final class Listener implements ServiceListener {
    @Override
    public void onClusterId(long high, long low) {}

    @Override
    public void onLeaderLeaving(int memberId) {}

    @Override
    public void onFailure(Throwable cause) {
      end.set(cause);
    }
  }
}
