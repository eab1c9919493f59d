package io.entroq.server.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.worker.Backoff;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.server.remote.Served;
import io.entroq.tools.importing.Copier;
import io.entroq.tools.importing.DocSelection;
import io.entroq.tools.importing.ImportInterruptedException;
import io.entroq.tools.importing.ImportSides;
import io.entroq.tools.importing.ImportState;
import io.entroq.tools.importing.ImportStateFile;
import io.entroq.tools.importing.ImportVerification;
import io.entroq.tools.importing.ImportView;
import io.entroq.tools.importing.Inventory;
import io.entroq.tools.importing.UnitName;
import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies that end before their end, and go on. */
class CopierTest {
  private static final Map<String, Long> ALL = Map.of("first", 200L, "second", 1_500L);
  private static final DocSelection NO_DOCS = new DocSelection(true, List.of());
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path temporary;

  private final AtomicBoolean hasStruck = new AtomicBoolean();
  private Interruption interruption;
  private Served sourceQueue;
  private Served targetQueue;
  private SourceServer source;
  private EntroQ target;

  @BeforeEach
  void start() throws IOException {
    interruption = new Interruption("test");
    sourceQueue = new Served(temporary.resolve("source"));
    targetQueue = new Served(temporary.resolve("target"));
    ALL.forEach(
        (queue, size) -> {
          Modification.Builder inserts = Modification.builder();
          for (int i = 0; i < size; i++) {
            inserts.insert(Insert.into(queue).withId(queue + i).withValue("x".repeat(500)));
          }
          sourceQueue.engine().modify(inserts.build()).orThrow();
        });
    source = SourceServer.open(config(sourceQueue), Optional.empty());
    target = EntroQClient.connect(config(targetQueue));
  }

  @AfterEach
  void stop() {
    target.close();
    source.close();
    targetQueue.close();
    sourceQueue.close();
    interruption.close();
  }

  private static ClientConfig config(Served queue) {
    return ClientConfig.to("localhost:" + queue.port())
        .callTimeout(Duration.ofMillis(500))
        .backoff(new Backoff(Duration.ofMillis(5), Duration.ofMillis(50), 0.5))
        .build();
  }

  private Copier copier(Interruption ending, ImportState state, Duration patience, Runnable blow) {
    ImportView view =
        (what, done, total) -> {
          // In the second queue, when the first is done.
          if (done > 900 && hasStruck.compareAndSet(false, true)) {
            blow.run();
          }
        };
    return new Copier(new ImportSides(source, target, "target", "", ending), state, patience, view);
  }

  private Inventory inventory() {
    return Inventory.of(source, NO_DOCS, PATIENCE, interruption);
  }

  private ImportStateFile state() {
    return ImportStateFile.open(temporary.resolve("state"), "a", "v1", "b");
  }

  private void assertAllThere() {
    assertThat(target.queues(QueueQuery.all())).isEqualTo(ALL);
    ImportVerification comparison =
        new ImportVerification(
            new ImportSides(source, target, "target", "", interruption),
            PATIENCE,
            9,
            ImportView.NONE);
    comparison.run(inventory());
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.isEqual()).isTrue();
  }

  @Test
  void shouldEndWhenInterruptedAndGoOn() {
    try (Interruption ending = new Interruption("test");
        ImportStateFile state = state()) {
      Copier copier = copier(ending, state, PATIENCE, ending::request);
      assertThatThrownBy(() -> copier.run(inventory()))
          .isInstanceOf(ImportInterruptedException.class);
      assertThat(copier.stats().inserted(Kind.QUEUE)).isBetween(200L, 1_200L);
    }
    try (ImportStateFile state = state()) {
      assertThat(state.isDone(new UnitName(Kind.QUEUE, "first"))).isTrue();
      assertThat(state.isDone(new UnitName(Kind.QUEUE, "second"))).isFalse();
      Copier copier = copier(interruption, state, PATIENCE, () -> {});
      copier.run(inventory());
      assertThat(copier.stats().inserted(Kind.QUEUE)).isBetween(500L, 1_500L);
    }
    assertAllThere();
  }

  @Test
  void shouldWaitForATargetThatStartsAnew() {
    Copier copier = copier(interruption, ImportState.NONE, PATIENCE, () -> restart(targetQueue));
    copier.run(inventory());
    assertAllThere();
  }

  @Test
  void shouldWaitForASourceThatStartsAnew() {
    Copier copier = copier(interruption, ImportState.NONE, PATIENCE, () -> restart(sourceQueue));
    copier.run(inventory());
    assertThat(copier.stats().inserted(Kind.QUEUE)).isEqualTo(1_700);
    assertAllThere();
  }

  private static void restart(Served queue) {
    queue.stop();
    start(queue);
  }

  private static void start(Served queue) {
    try {
      queue.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldGiveUpATargetThatIsGoneAndGoOnWhenItIsBack() {
    Copier first =
        copier(interruption, ImportState.NONE, Duration.ofMillis(1), () -> targetQueue.stop());
    assertThatThrownBy(() -> first.run(inventory()))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("the target target: ");
    assertThat(first.stats().inserted(Kind.QUEUE)).isLessThan(1_700);
    start(targetQueue);
    copier(interruption, ImportState.NONE, PATIENCE, () -> {}).run(inventory());
    assertAllThere();
  }
}
