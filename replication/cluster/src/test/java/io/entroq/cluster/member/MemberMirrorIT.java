package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.cluster.mirror.MirrorConfig;
import io.entroq.cluster.mirror.MirrorState;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.embedded.RecoveryPoint;
import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.recovery.Detachment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers can use a member's directory like an engine's. */
class MemberMirrorIT {
  private static final String QUEUE = "inbox";

  @TempDir Path directory;

  @Test
  void shouldBeOpenedAsAnEngineAndDetached() throws Exception {
    StateDigest digest;
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      insert(lone.member().queue(), 20);
      assertThat(lone.member().queue().tryClaim(Claim.from(QUEUE))).isPresent();
      var unused =
          lone.member()
              .queue()
              .claimAsync(Claim.from("nothing").withMaxWait(Duration.ofSeconds(1)));
      lone.snapshot();
      insert(lone.member().queue(), 10);
      lone.awaitMirror();
      shouldBeReadable(directory, 30);

      lone.stop();
      assertThat(Files.exists(directory.resolve("snapshots"))).isTrue();
      lone.start().awaitLeader();
      insert(lone.member().queue(), 1);
      lone.awaitMirror();
      assertThat(lone.member().mirror().seeds()).isZero();
      shouldRefuseWhileItRuns();
      digest = lone.member().digest().join();
      lone.stop();

      RecoveryPoint found = foundByEngine();
      assertThat(found.sequence()).isGreaterThanOrEqualTo(digest.sequence());
      shouldBeReadOnly();
      shouldBeReadable(directory, 31);
      assertThat(foundByEngine()).isEqualTo(found);

      Detachment.Found detached = new Detachment(directory).run();
      assertThat(detached.historyDigest()).isEqualTo(found.historyDigest());
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
        insert(queue, 1);
      }
      assertThatThrownBy(lone::start)
          .isInstanceOf(MemberException.class)
          .hasMessageContaining("was detached from its cluster");
      assertThatThrownBy(() -> new Detachment(directory).run())
          .hasMessageContaining("is already detached");
    }
  }

  private void shouldRefuseWhileItRuns() {
    assertThatThrownBy(() -> new Detachment(directory).run())
        .isInstanceOf(LogException.class)
        .hasMessageContaining("in use");
    assertThat(ClusterMemberMarker.isIn(directory)).isTrue();
  }

  private RecoveryPoint foundByEngine() {
    try (DrivenEngine engine = DrivenEngine.open(directory)) {
      return engine.found();
    }
  }

  private void shouldBeReadOnly() {
    assertThatThrownBy(() -> LogDirectory.open(directory))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("entroq detach");
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(directory).build())) {
      assertThatThrownBy(() -> insert(queue, 1))
          .isInstanceOf(EntroQException.PermissionDenied.class)
          .hasMessageContaining("belongs to a member");
      assertThatThrownBy(() -> queue.tryClaim(Claim.from(QUEUE)))
          .isInstanceOf(EntroQException.PermissionDenied.class);
    }
  }

  private static void shouldBeReadable(Path directory, long tasks) {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.queues(QueueQuery.all())).containsEntry(QUEUE, tasks);
    }
  }

  /** Each snapshot starts while the mirror may still be sharing the previous one. */
  @Test
  void shouldGoOnWhenSnapshotsFollowEachOtherClosely() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      EntroQ queue = lone.member().queue();
      Insert task = Insert.into(QUEUE).withValue("x".repeat(100));
      for (int i = 0; i < 100; i++) {
        queue.modify(Modification.insert(Collections.nCopies(1_000, task))).orThrow();
      }
      for (int i = 0; i < 5; i++) {
        insert(queue, 1);
        lone.snapshot();
      }

      insert(queue, 1);
      assertThat(lone.member().ended()).isNotDone();
      lone.awaitMirror();
    }
  }

  @Test
  void shouldServeThoughTheMirrorIsDamagedAndWriteItAnew() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      insert(lone.member().queue(), 20);
      lone.snapshot();
      insert(lone.member().queue(), 5);
      lone.awaitMirror();
      lone.stop();

      spoil(directory.resolve("log"));
      lone.start().awaitLeader();
      insert(lone.member().queue(), 1);
      lone.awaitMirror();
      assertThat(lone.member().mirror().seeds()).isEqualTo(1);
      assertThat(Files.exists(directory.resolve("mirror-set-aside"))).isTrue();
      lone.stop();
      shouldBeReadable(directory, 26);

      // Without a mirror, the old one stays as it is, and is outdated when it is enabled again.
      lone.start(settings -> settings.mirror(MirrorConfig.OFF)).awaitLeader();
      insert(lone.member().queue(), 1);
      assertThat(lone.member().mirror().state()).isEqualTo(MirrorState.OFF);
      lone.snapshot();
      lone.stop();
      shouldBeReadable(directory, 26);
      lone.start().awaitLeader();
      insert(lone.member().queue(), 1);
      lone.awaitMirror();
      lone.stop();
      shouldBeReadable(directory, 28);
    }
  }

  /** Changes a byte of a written value. */
  private static void spoil(Path log) throws IOException {
    Path segment;
    try (Stream<Path> files = Files.walk(log)) {
      segment = files.filter(file -> file.toString().endsWith(".cq4")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(segment);
    int value = new String(bytes, ISO_8859_1).indexOf("task 7");
    assertThat(value).isPositive();
    bytes[value] ^= 0x10;
    Files.write(segment, bytes);
  }

  private static void insert(EntroQ queue, int tasks) {
    for (int i = 0; i < tasks; i++) {
      queue.modify(Modification.insert(QUEUE, "task " + i)).orThrow();
    }
  }
}
