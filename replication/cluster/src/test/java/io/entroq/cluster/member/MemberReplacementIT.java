package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.cluster.image.ImageSource;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.session.MemberSecret;
import io.entroq.engine.Trees;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that has lost its disk returns with a copy of the leader's data. */
class MemberReplacementIT {
  private static final int TASKS = 6;
  private static final int VALUE_BYTES = 500_000;
  private static final MemberSecret OTHER_SECRET =
      MemberSecret.of("the secret of others".getBytes(UTF_8));

  @TempDir Path directory;

  @Test
  void shouldTellHowMuchOfSnapshotHasCome() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      for (int i = 0; i < TASKS; i++) {
        cluster
            .queue(leader)
            .modify(
                Modification.insert(
                    Insert.into("kept").withValue(Value.bytes(new byte[VALUE_BYTES]))))
            .orThrow();
      }
      Await.until("it can take a snapshot", cluster.member(leader)::takeSnapshot);
      Await.until(
          "all have a snapshot",
          () -> cluster.members().allMatch(each -> each.retention().snapshotPosition() > 0));

      int lost = cluster.follower(leader);
      cluster.stop(lost);
      Trees.delete(cluster.directory(lost));
      Map<String, Long> mostBytes = new HashMap<>();
      ImageStore healthy = cluster.member(leader).images();
      CutImages images = new CutImages(healthy, Trouble.CUT);
      assertThatThrownBy(
              () ->
                  new MemberReplacement(
                          cluster.config(lost).secret(OTHER_SECRET).build(),
                          List.of(images),
                          (p, d, t) -> {},
                          Duration.ofSeconds(2))
                      .run(healthy(cluster.member(leader))))
          .isInstanceOf(MemberException.class)
          .hasMessageStartingWith("the leader, member " + leader + ", has sent nothing for 2 s")
          .hasMessageEndingWith(
              "Is --secret-file that of the members, and can they reach this machine by UDP?");
      assertThatThrownBy(
              () ->
                  new MemberReplacement(cluster.config(lost).build(), List.of(), (p, d, t) -> {})
                      .run(healthy(cluster.member(leader))))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("was not copied: no member was given");
      assertThatThrownBy(
              () ->
                  new MemberReplacement(
                          cluster.config(lost).build(),
                          List.of(new CutImages(healthy, Trouble.END)),
                          (p, d, t) -> {})
                      .run(healthy(cluster.member(leader))))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("was not copied: it ends");
      CutImages damaged = new CutImages(healthy, Trouble.DAMAGE);
      MemberReplacement.Source source = healthy(cluster.member(leader));
      new MemberReplacement(
              cluster.config(lost).build(),
              List.of(new NoImages(), damaged, images),
              (phase, done, total) -> mostBytes.merge(phase, done, Math::max))
          .run(source);
      assertThat(mostBytes.get("copying image")).isGreaterThan(TASKS * VALUE_BYTES);
      assertThat(damaged.offsets).as("it goes on after a failed run").hasSize(2);
      assertThat(damaged.offsets.get(1)).isPositive();
      assertThat(images.offsets.get(0)).as("what was damaged is gone").isZero();
      assertThat(images.offsets.size()).as("it goes on after each cut").isGreaterThan(3);

      cluster.start(lost);
      cluster.awaitLeader();
      assertThat(cluster.awaitAgreement().sequence()).isGreaterThanOrEqualTo(TASKS);
      assertThat(cluster.member(lost).status().termId())
          .as("it follows no leader before the first term in which it has certainly not voted")
          .isGreaterThan(source.term());
    }
  }

  /** A member that has not got the image. */
  private static final class NoImages implements ImageSource {
    @Override
    public Optional<Transfer> open(long position, long offset) {
      throw new EntroQException.InvalidArgument("no image");
    }
  }

  private enum Trouble {
    /** The connection is lost after every tenth piece. */
    CUT,
    /** The member is gone after the tenth piece. */
    END,
    /** The last byte is wrong. */
    DAMAGE
  }

  private static final class CutImages implements ImageSource {
    private static final int PIECES = 10;

    private final ImageStore images;
    private final Trouble trouble;
    private final List<Long> offsets = new ArrayList<>();

    private CutImages(ImageStore images, Trouble trouble) {
      this.images = images;
      this.trouble = trouble;
    }

    @Override
    public Optional<Transfer> open(long position, long offset) {
      offsets.add(offset);
      Snapshot image = images.at(position).orElseThrow();
      try {
        byte[] manifest = Files.readAllBytes(image.manifest());
        byte[] state = Files.readAllBytes(image.state());
        state[state.length - 1] ^= (byte) (trouble == Trouble.DAMAGE ? 1 : 0);
        return Optional.of(new Cut(manifest, state, (int) offset, trouble));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static final class Cut implements Transfer {
      private static final int PIECE_BYTES = 100_000;

      private final byte[] manifest;
      private final byte[] state;
      private final Trouble trouble;
      private int at;
      private int sent;

      private Cut(byte[] manifest, byte[] state, int offset, Trouble trouble) {
        this.trouble = trouble;
        this.manifest = manifest;
        this.state = state;
        at = offset;
      }

      @Override
      public byte[] manifest() {
        return manifest.clone();
      }

      @Override
      public Optional<ByteBuffer> next() {
        if (at == state.length) {
          return Optional.empty();
        }
        if (trouble != Trouble.DAMAGE && sent++ == PIECES) {
          throw trouble == Trouble.CUT
              ? new EntroQException.Unavailable("the connection is lost")
              : new EntroQException.InvalidArgument("it ends");
        }
        int length = Math.min(PIECE_BYTES, state.length - at);
        at += length;
        return Optional.of(ByteBuffer.wrap(state, at - length, length));
      }

      @Override
      public void close() {}
    }
  }

  private static MemberReplacement.Source healthy(ClusterMember leader) {
    MemberStatus status = leader.status();
    MemberState state = leader.state().join();
    return new MemberReplacement.Source(
        status.memberId(),
        status.termId(),
        status.commitPosition(),
        state.clusterIdHigh(),
        state.clusterIdLow(),
        leader.membersSince());
  }
}
