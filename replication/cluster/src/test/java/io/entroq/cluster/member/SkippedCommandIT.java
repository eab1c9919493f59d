package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.cluster.service.PoisonedCommandException;
import io.entroq.cluster.service.SkippedCommand;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.replica.UnsupportedCommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that ends every member can be skipped. */
class SkippedCommandIT {
  private static final String QUEUE = "inbox";

  @TempDir Path directory;

  @Test
  void shouldEndMemberUntilItIsSkipped() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      lone.member().queue().modify(Modification.insert(QUEUE, "before")).orThrow();
      PoisonedCommand.send(lone.member());
      SkippedCommand poisoned = poisoned(lone.awaitEnd());

      lone.start();
      assertThat(poisoned(lone.awaitEnd())).as("it ends again").isEqualTo(poisoned);

      SkippedCommand another = new SkippedCommand(poisoned.position(), poisoned.crc() + 1);
      lone.start(settings -> settings.skipCommand(another));
      assertThat(lone.awaitEnd())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("skipCommand is " + another);

      lone.start(settings -> settings.skipCommand(poisoned)).awaitLeader();
      lone.member().queue().modify(Modification.insert(QUEUE, "after")).orThrow();
      lone.snapshot();
      lone.stop();

      // After a later snapshot the setting is not needed.
      lone.start().awaitLeader();
      assertThat(lone.member().queue().queues(QueueQuery.all())).containsEntry(QUEUE, 2L);
      lone.stop();
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
        assertThat(queue.queues(QueueQuery.all())).containsEntry(QUEUE, 2L);
      }
    }
  }

  @Test
  void shouldNotAdviseToSkipWhatNeedsNewerBuild() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      lone.member().queue().modify(Modification.insert(QUEUE, "before")).orThrow();
      PoisonedCommand.sendUnknown(lone.member());
      assertThat(lone.awaitEnd())
          .isInstanceOf(UnsupportedCommandException.class)
          .hasMessageContaining("type 100 in a frame of version 1")
          .hasMessageContaining("start it again with that build");
    }
  }

  @Test
  @Tag("long")
  void shouldBeSkippedAlikeByAllMembers() throws Exception {
    List<SkippedCommand> skipped = new ArrayList<>();
    try (TestCluster cluster =
        new TestCluster(
            directory,
            settings -> skipped.isEmpty() ? settings : settings.skipCommand(skipped.get(0)))) {
      int leader = cluster.bootstrap().awaitLeader();
      cluster.queue(leader).modify(Modification.insert(QUEUE, "before")).orThrow();
      PoisonedCommand.send(cluster.member(leader));
      List<SkippedCommand> poisoned =
          cluster.members().map(member -> poisoned(member.ended().join())).distinct().toList();
      assertThat(poisoned).hasSize(1);
      cluster.stopAll();

      skipped.addAll(poisoned);
      cluster.startAll();
      leader = cluster.awaitLeader();
      cluster.queue(leader).modify(Modification.insert(QUEUE, "after")).orThrow();
      cluster.awaitAgreement();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "17", "17:", ":01234567", "-1:01234567", "17:0123456", "17:0123456g"})
  void shouldRefuseWhatNamesNoCommand(String text) {
    assertThatThrownBy(() -> SkippedCommand.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("POSITION:CRC");
  }

  @Test
  void shouldBeReadAsItIsWritten() {
    SkippedCommand command = new SkippedCommand(123_456, 0xf00d_0001);
    assertThat(SkippedCommand.parse(command.toString())).isEqualTo(command);
  }

  private static SkippedCommand poisoned(Throwable end) {
    assertThat(end).isInstanceOf(PoisonedCommandException.class);
    SkippedCommand command = ((PoisonedCommandException) end).command();
    assertThat(end).hasMessageContaining("skipCommand " + command);
    return command;
  }
}
