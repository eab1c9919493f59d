package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that may not go on, and how the same members go on after all. */
class ClusterClosureTest {
  private static final List<MemberAddress> MEMBERS = List.of(MemberAddress.of("127.0.0.1", 9_000));
  private static final long REQUEST = 4_096;

  @TempDir Path directory;

  @Test
  void shouldNotGoOnInALaterTerm() {
    try (MemberDirectory opened = bootstrap()) {
      ClusterClosure closure = new ClusterClosure(0, opened);
      assertThatCode(closure::requireOpen).doesNotThrowAnyException();
      closure.onClose(REQUEST);
      assertThat(closure.isClosed()).isTrue();
      assertThatThrownBy(closure::requireOpen)
          .isInstanceOf(MemberException.class)
          .hasMessageContaining("set-members --reopen");
    }
    assertThatThrownBy(() -> MemberDirectory.open(config().build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("was stopped to change its members");
  }

  @Test
  void shouldGetOverRequestOnceReopened() {
    try (MemberDirectory opened = bootstrap()) {
      new ClusterClosure(0, opened).onClose(REQUEST);
    }
    new MembershipChange(config().build()).reopen();
    try (MemberDirectory opened = MemberDirectory.open(config().build())) {
      assertThat(opened.streamOffset()).as("the same cluster").isZero();
      ClusterClosure closure = new ClusterClosure(0, opened);
      closure.onClose(REQUEST);
      assertThat(closure.isClosed()).as("the log is applied again").isFalse();
      closure.onClose(REQUEST + 96);
      assertThat(closure.isClosed()).isTrue();
    }
  }

  @Test
  void shouldRefuseToReopenAnotherMember() {
    try (MemberDirectory opened = bootstrap()) {
      new ClusterClosure(0, opened).onClose(REQUEST);
    }
    List<MemberAddress> three =
        List.of(
            MEMBERS.get(0),
            MemberAddress.of("127.0.0.1", 9_010),
            MemberAddress.of("127.0.0.1", 9_020));
    assertThatThrownBy(
            () -> new MembershipChange(MemberConfig.of(0, three, directory).build()).reopen())
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("only the same members can go on");
    assertThatThrownBy(() -> new MembershipChange(config().build()).apply(REQUEST))
        .as("it has not stopped")
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("has no snapshot at");
  }

  @Test
  void shouldKeepMembersOfDifferentSizesApart() {
    MemberFile three = new MemberFile(0, 3, 1, 2, 0, REQUEST, true);
    assertThat(three.streamOffset()).isZero();
    assertThat(three.changed(0, 5, 8_192).streamOffset())
        .isPositive()
        .isNotEqualTo(three.changed(0, 3, 8_192).streamOffset())
        .isEqualTo(three.changed(4, 5, 8_192).streamOffset());
  }

  private MemberDirectory bootstrap() {
    return MemberDirectory.open(config().bootstrap(true).build());
  }

  private MemberConfig.Builder config() {
    return MemberConfig.of(0, MEMBERS, directory);
  }
}
