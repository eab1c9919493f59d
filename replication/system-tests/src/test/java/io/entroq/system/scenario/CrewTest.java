package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.system.history.Finding;
import io.entroq.system.history.Kind;
import io.entroq.system.load.Recorder;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trial in which nobody gets anything done does not pass. */
class CrewTest {
  private static final Set<Kind> WRITES = EnumSet.of(Kind.MODIFY);
  private static final Duration SOON = Duration.ofMillis(300);
  private static final long SEED = 1;

  @TempDir Path directory;

  @Test
  void shouldWaitUntilAllGetOn() throws Exception {
    try (Recorder recorder = Recorder.to(directory.resolve("history"));
        EntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
        Crew crew = Crew.start(recorder, List.of(queue), SEED)) {
      assertThat(crew.awaitProgress(WRITES, Crew.PATIENCE)).isEmpty();
      assertThat(crew.finish()).isEmpty();
    }
  }

  @Test
  void shouldFindWhoeverDoesNotGetOn() throws Exception {
    EntroQ refusing =
        answering(() -> CompletableFuture.failedFuture(new EntroQException.Unavailable("not now")));
    try (Recorder recorder = Recorder.to(directory.resolve("history"));
        Crew crew = Crew.start(recorder, List.of(refusing), SEED)) {
      assertThat(crew.awaitProgress(WRITES, SOON))
          .extracting(Finding::what)
          .containsExactly("w0 does not get on, but waits for [MODIFY]");
      assertThat(crew.finish()).isEmpty();
    }
  }

  @Test
  void shouldFindWhoeverDies() throws Exception {
    EntroQ broken =
        answering(
            () -> {
              throw new IllegalStateException("planted");
            });
    try (Recorder recorder = Recorder.to(directory.resolve("history"));
        Crew crew = Crew.start(recorder, List.of(broken), SEED)) {
      assertThat(crew.awaitProgress(WRITES, Crew.PATIENCE)).isNotEmpty();
      assertThat(crew.finish())
          .extracting(Finding::what)
          .containsExactly("w0 has died: java.lang.IllegalStateException: planted");
    }
  }

  /** Answers all alike, and may be closed. */
  private static EntroQ answering(Supplier<CompletableFuture<?>> answer) {
    return (EntroQ)
        Proxy.newProxyInstance(
            EntroQ.class.getClassLoader(),
            new Class<?>[] {EntroQ.class},
            (proxy, method, args) -> method.getName().equals("close") ? null : answer.get());
  }
}
