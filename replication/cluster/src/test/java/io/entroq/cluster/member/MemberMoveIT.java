package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member moves to another address and disk, and the others are restarted one at a time. */
class MemberMoveIT {
  private static final String QUEUE = "inbox";

  @TempDir Path directory;

  @Test
  @Tag("long")
  void shouldServeFromAnotherAddressAndDisk() throws Exception {
    List<MemberAddress> four = new UnusedPorts("127.0.0.1").members(4);
    List<MemberAddress> before = four.subList(0, 3);
    try (TestCluster old = new TestCluster(directory, before, UnaryOperator.identity())) {
      old.bootstrap();
      int leader = old.awaitLeader();
      int moved = old.follower(leader);
      int other = 3 - leader - moved;
      old.queue(moved).modify(Modification.insert(QUEUE, "before")).orThrow();
      List<MemberAddress> after = new ArrayList<>(before);
      after.set(moved, four.get(3));

      old.stop(moved);
      Path disk = Files.createDirectory(directory.resolve("another-disk"));
      Files.move(old.directory(moved), disk.resolve("member-" + moved));
      Files.createSymbolicLink(old.directory(moved), disk.resolve("member-" + moved));
      try (TestCluster renewed = new TestCluster(directory, after, UnaryOperator.identity())) {
        renewed.start(moved);
        old.stop(other);
        renewed.start(other);
        Await.until(
            "a restarted member follows a leader",
            () -> renewed.member(other).status().hasLeader());
        old.stop(leader);
        renewed.start(leader);
        renewed.awaitLeader();
        renewed.queue(moved).modify(Modification.insert(QUEUE, "after")).orThrow();
        renewed.awaitAgreement();
        assertThat(renewed.queue(leader).queues(QueueQuery.all())).containsEntry(QUEUE, 2L);
      }
    }
  }
}
