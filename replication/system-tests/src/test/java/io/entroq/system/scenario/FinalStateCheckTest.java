package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.embedded.RecoveryPoint;
import io.entroq.engine.log.ClusterMemberMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mirror that differs from the member's state is found. */
class FinalStateCheckTest {
  private static final int TASKS = 50;

  @TempDir Path directory;

  private StateDigest digest;

  @BeforeEach
  void write() throws IOException {
    try (EntroQ queue = EmbeddedEntroQ.open(directory)) {
      for (int i = 0; i < TASKS; i++) {
        queue.modify(Modification.insert("inbox", "task " + i)).orThrow();
      }
    }
    // Makes it read-only, as a member's mirror is.
    Files.createFile(directory.resolve(ClusterMemberMarker.FILE_NAME));
    try (DrivenEngine engine = DrivenEngine.open(directory)) {
      RecoveryPoint found = engine.found();
      digest = new StateDigest(found.sequence(), found.historyDigest(), found.contentDigest());
    }
  }

  @Test
  void shouldFindNothingWrongWithWhatTheMemberHad() {
    assertThat(FinalStateCheck.problem(directory, digest)).isEmpty();
  }

  @Test
  void shouldFindAnotherState() {
    StateDigest longer = new StateDigest(digest.sequence() + 1, digest.history(), digest.content());
    assertThat(FinalStateCheck.problem(directory, longer)).get().asString().contains("leads to");
    StateDigest other = new StateDigest(digest.sequence(), digest.history(), ~digest.content());
    assertThat(FinalStateCheck.problem(directory, other)).get().asString().contains("leads to");
  }

  @Test
  void shouldFindDamage() throws IOException {
    Path segment;
    try (Stream<Path> files = Files.walk(directory.resolve("log"))) {
      segment = files.filter(file -> file.toString().endsWith(".cq4")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(segment);
    int end = bytes.length - 1;
    while (bytes[end] == 0) {
      end--;
    }
    bytes[end / 2] ^= 0x10;
    Files.write(segment, bytes);
    assertThat(FinalStateCheck.problem(directory, digest)).get().asString().contains("not sound");
  }

  @Test
  void shouldFindThatNothingIsThere() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("log"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    assertThat(FinalStateCheck.problem(directory, digest)).isPresent();
  }
}
